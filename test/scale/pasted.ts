import { Agent } from 'node:https';
import axios from 'axios';
import { until } from '../../sandbox/stack/until';
import { countExecutions } from '../reliability/publishedTrigger';
import type { Report } from '../reliability/report';
import { triggerNode } from '../support/n8n/triggerNode';
import type { Cluster } from './cluster';

/**
 * Delivers events to a pasted webhook through the load balancer: 100 events once, 10 three times, and 10 after a kill
 * of the main and of the webhook processors. A processor starts the workflow once for each event that it gets.
 */
export async function deliverToPasted(cluster: Cluster): Promise<Report> {
	const { main, webhooks, proxy, ca } = cluster;
	const trigger = triggerNode('', { registration: 'manual' }, { credentials: {} });
	const workflow = { name: 'Pasted', nodes: [trigger], connections: {} };
	const { id: workflowId } = await main.api.createWorkflow(workflow);
	await main.api.publish(workflowId);
	const url = `${proxy.url}/webhook/${trigger.webhookId}/webhook`;
	const httpsAgent = new Agent({ ca });
	/** How often each event started the workflow, by its ID. */
	const starts = new Map<string, number>();
	const deliver = async (id: string) => {
		const event = { id, event: 'call_ended', call: { call_id: id } };
		const { data } = await axios.post<{ ignored?: string }>(url, event, { httpsAgent });
		starts.set(id, (starts.get(id) ?? 0) + (data.ignored ? 0 : 1));
	};
	await Promise.all(Array.from({ length: 100 }, (_, index) => deliver(`once ${index}`)));
	for (let index = 0; index < 30; index++) await deliver(`three times ${Math.floor(index / 3)}`);
	await Promise.all([main, ...webhooks].map((process) => cluster.crash(process)));
	for (let index = 0; index < 10; index++) await deliver(`after a kill ${index}`);
	const counts = [...starts.values()];
	const started = counts.reduce((sum, count) => sum + count);
	const succeeded = { workflowId, status: ['success'] };
	const ran = await until('the executions', 120, async () => {
		const ended = await countExecutions(main.api, succeeded);
		return ended >= started && countExecutions(main.api, { workflowId });
	});
	await main.api.unpublish(workflowId);
	return {
		lines: [
			`${counts.length} events in 140 deliveries: ${started} answered as started, ${ran} ran`,
		],
		bounds: {
			'each event starts the workflow, once in each processor at most':
				counts.length === 120 && counts.every((count) => count >= 1 && count <= webhooks.length),
			'each start has an execution': ran === started,
		},
	};
}
