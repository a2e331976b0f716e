import { Agent } from 'node:https';
import axios from 'axios';
import type { INode } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/service';
import type { N8nApi } from '../../sandbox/stack/n8n-api';
import type { Proxy } from '../../sandbox/stack/proxy';
import { until } from '../../sandbox/stack/until';
import { LOGGING_DIALECT, readEvery } from '../support/publishing/caughtUpEvents';
import { chain, nodeOf, triggerNode } from '../support/n8n/triggerNode';
import { executionsEnded, publishTrigger } from './publishedTrigger';
import { type Report, table } from './report';
import { startCrm } from './workflow';

/** An n8n whose deliveries can be refused. */
export interface Host {
	api: N8nApi;
	/** The address of its webhooks, for requests at any time. */
	url: string;
	/** The authority of the certificate before its webhooks (PEM). */
	ca: string;
	proxy: Proxy;
	/** Whether executions start with the workflow's static data. Those of n8n 2.41's workers start with none. */
	hasStaticDataInRuns: boolean;
}

/** The missed events of a round. */
const EVENTS = 10;
const WAIT_S = 120;
/** n8n stores static data after it has answered the request that changed them. */
const STORED_S = 2;
const webhook = (name: string): INode =>
	nodeOf(name, 'n8n-nodes-base.webhook', {
		typeVersion: 2,
		webhookId: crypto.randomUUID(),
		parameters: { path: crypto.randomUUID(), responseMode: 'lastNode', options: {} },
	});
const code = (name: string, change: string): INode =>
	nodeOf(name, 'n8n-nodes-base.code', {
		typeVersion: 2,
		parameters: {
			jsCode: `const data = $getWorkflowStaticData('global'); ${change}; return [{ json: { data } }];`,
		},
	});

/**
 * Catches up on events in a workflow that has other nodes with static data, which n8n stores together: a Code
 * node that counts requests, and a trigger of another service that is published in the middle of a catch-up, with other
 * event types of the first trigger. Each trigger stores the secret with which it verifies signatures.
 *
 * Where executions have no static data, nodes can't count, and only what publishes have stored is compared.
 */
export async function keepNeighbours(host: Host, rounds: number): Promise<Report> {
	const { api, ca } = host;
	await using starting = new AsyncDisposableStack();
	const sandbox = starting.use(await startSandbox({ dialect: LOGGING_DIALECT, ca }));
	const otherSandbox = starting.use(await startSandbox({ dialect: LOGGING_DIALECT, ca }));
	let duringWrite = async () => {};
	const crm = starting.use(await startCrm(undefined, () => duringWrite()));
	const verifying = { events: ['call.completed'], options: { verifySignature: true } };
	const { nodes, workflowId } = await publishTrigger(api, sandbox, {
		parameters: { ...readEvery(3, 0), ...verifying },
		next: [crm.node],
	});
	starting.defer(() => api.unpublish(workflowId));

	const [countWebhook, writeWebhook] = [webhook('Count webhook'), webhook('Write webhook')];
	const count = code('Count', 'data.count = (data.count ?? 0) + 1');
	const write = code('Write', 'data.call_id = `run ${Date.now()}`');
	const credentials = await api.newCredentials('voiceAgentApi', otherSandbox.credential);
	const neighbour = triggerNode('', verifying, { ...{ id: 'other', name: 'Other' }, credentials });
	const connections = {
		...chain(...nodes.map(({ name }) => name)),
		...chain(countWebhook.name, count.name),
		...chain(writeWebhook.name, write.name, crm.node.name),
	};
	const publishWith = async (...more: INode[]) => {
		await api.updateWorkflow(workflowId, { nodes: [...nodes, ...more], connections });
		await api.publish(workflowId);
	};
	const staticData = async () => (await api.workflow(workflowId)).staticData;
	const counted = async () => Number((await staticData())?.global?.count ?? 0);
	const call = ({ parameters: { path } }: INode) =>
		axios.get(`${host.url}/webhook/${path as string}`, { httpsAgent: new Agent({ ca }) });
	/** Counts once. @returns whether n8n has stored it */
	const countOnce = async () => {
		const before = await counted();
		await call(countWebhook);
		const isStored = async () => (await counted()) === before + 1;
		return await until('the count', STORED_S, isStored).catch(() => false);
	};
	let sent = 0;
	const miss = async () => {
		await host.proxy.close();
		for (let event = 0; event < EVENTS; event++) {
			sandbox.emit('call.completed', { call_id: `call_${sent++}` });
		}
		await sandbox.settled();
		host.proxy.open();
		await until('each event to run', WAIT_S, () => crm.writes.size >= sent);
		await executionsEnded(api, workflowId);
	};

	const all = [countWebhook, count, writeWebhook, write];
	await publishWith(...all);
	let counts = 0;
	const publishOnce = async () => {
		duringWrite = async () => {};
		nodes[0].parameters.events = ['call.completed', 'call.failed'];
		await publishWith(...all, neighbour);
	};
	for (let round = 0; round < rounds; round++) {
		if (round === 1) duringWrite = publishOnce;
		await miss();
		if (host.hasStaticDataInRuns && (await countOnce())) counts++;
	}
	const stored = await counted();
	/** @returns whether the static data of a publish are stored, as columns of a table */
	const published = async () => {
		const { 'node:Other': ofOther, 'node:Trigger': own } = (await staticData()) ?? {};
		return [ofOther, own].map((data) => (data?.signingSecret ? 'stored' : 'forgotten'));
	};
	const afterCatchUps = await published();
	sandbox.emit('call.completed', { call_id: 'delivered' });
	await sandbox.settled();
	const [delivered] = sandbox.deliveriesOf(sandbox.endpoints()[0]?.id ?? '');

	await call(writeWebhook);
	await executionsEnded(api, workflowId);
	const afterCode = await published();
	await api.unpublish(workflowId);
	const leftBehind = sandbox.endpoints().length + otherSandbox.endpoints().length;
	const twice = [...crm.writes.values()].filter((times) => times > 1).length;
	return {
		lines: [
			`${rounds} rounds of ${EVENTS} catch-ups, each followed by a count of a Code node; the second had a publish in its middle, of a changed trigger and a further trigger`,
			...table([
				['after', "the other's signing secret", 'own signing secret', 'counts', 'count stored'],
				[`${rounds * EVENTS} catch-ups`, ...afterCatchUps, counts, stored],
				['a Code node that writes static data', ...afterCode, '', ''],
			]),
		],
		bounds: {
			'catch-ups keep what publishes have stored': afterCatchUps.join() === 'stored,stored',
			'a signed delivery runs after catch-ups': delivered?.response_status === 200,
			'a neighbour keeps each count between catch-ups':
				stored === counts && (counts === rounds || !host.hasStaticDataInRuns),
			'no event beside a neighbour runs twice': twice === 0,
			'no webhook beside a neighbour is left behind': leftBehind === 0,
		},
	};
}
