import { Agent } from 'node:https';
import axios from 'axios';
import { until } from '../../sandbox/stack/until';
import { countExecutions } from '../reliability/publishedTrigger';
import type { Report } from '../reliability/report';
import { triggerNode } from '../support/n8n/triggerNode';
import type { Cluster } from './cluster';

/**
 * Delivers events to a pasted webhook through the load balancer, which takes the webhook processors by turns: 100 events
 * once, 10 three times, and 10 after a kill of the main and of both processors.
 */
export async function deliverToPasted(cluster: Cluster): Promise<Report> {
	const { main, webhooks, balancer, ca } = cluster;
	const trigger = triggerNode('', { registration: 'manual' }, { credentials: {} });
	const workflow = { name: 'Pasted', nodes: [trigger], connections: {} };
	const { id: workflowId } = await main.api.createWorkflow(workflow);
	await main.api.publish(workflowId);
	const url = `${balancer.url}/webhook/${trigger.webhookId}/webhook`;
	const httpsAgent = new Agent({ ca });
	const deliver = async (id: string) => {
		const event = { id, event: 'call_ended', call: { call_id: id } };
		const { data } = await axios.post<{ ignored?: string }>(url, event, { httpsAgent });
		return data.ignored ?? 'started';
	};
	await Promise.all(Array.from({ length: 100 }, (_, index) => deliver(`once ${index}`)));
	const answers: string[] = [];
	for (let index = 0; index < 30; index++) {
		answers.push(await deliver(`three times ${Math.floor(index / 3)}`));
	}
	await Promise.all([main, ...webhooks].map((process) => cluster.crash(process)));
	for (let index = 0; index < 10; index++) await deliver(`after a kill ${index}`);
	const ran = await until('the executions', 60, async () => {
		const ended = await countExecutions(main.api, { workflowId, status: ['success'] });
		return ended >= 130 && countExecutions(main.api, { workflowId });
	});
	await main.api.unpublish(workflowId);
	const ofThird = ['started', 'started', 'duplicate'];
	return {
		lines: [`${ran} executions of 140 deliveries`],
		bounds: {
			'an event runs once in each processor that gets it':
				ran === 130 && answers.every((answer, index) => answer === ofThird[index % 3]),
		},
	};
}
