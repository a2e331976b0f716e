import { Agent } from 'node:https';
import axios from 'axios';
import fastify from 'fastify';
import type { IDataObject, INode } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/service';
import type { N8nApi } from '../../sandbox/stack/n8n-api';
import type { Proxy } from '../../sandbox/stack/proxy';
import { until } from '../../sandbox/stack/until';
import { LOGGING_DIALECT, readEvery } from '../support/publishing/caughtUpEvents';
import { chain, nodeOf } from '../support/n8n/triggerNode';
import { countExecutions, publishTrigger } from './publishedTrigger';
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

interface Sizes {
	/** The rounds of missed events. */
	rounds: number;
	/** The missed events of a round. */
	events: number;
}

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
 * node that counts requests, and a GitLab Trigger that is published in the middle of a catch-up, with other event
 * types of the Voice Agent Trigger, and stores the ID of its webhook. The Voice Agent Trigger stores the secret with
 * which it verifies signatures.
 *
 * Where executions have no static data, nodes can't count, and only what publishes have stored is compared.
 */
export async function keepNeighbours(host: Host, sizes: Sizes): Promise<Report> {
	const { api, ca } = host;
	await using starting = new AsyncDisposableStack();
	const sandbox = starting.use(await startSandbox({ dialect: LOGGING_DIALECT, ca }));
	const gitlab = starting.use(await startGitlab());
	let duringWrite = async () => {};
	const crm = await startCrm({}, () => duringWrite());
	starting.defer(() => crm.stop());
	const parameters = { ...readEvery(3, 0), options: { verifySignature: true } };
	const { nodes, workflowId } = await publishTrigger(api, sandbox, {
		parameters,
		next: [crm.node],
	});
	starting.defer(() => api.unpublish(workflowId));

	const [countWebhook, writeWebhook] = [webhook('Count webhook'), webhook('Write webhook')];
	const count = code('Count', 'data.count = (data.count ?? 0) + 1');
	const write = code('Write', 'data.call_id = `run ${Date.now()}`');
	const gitlabTrigger = nodeOf('GitLab', 'n8n-nodes-base.gitlabTrigger', {
		webhookId: crypto.randomUUID(),
		parameters: { owner: 'owner', repository: 'repository', events: ['push'] },
		credentials: await api.newCredentials('gitlabApi', { server: gitlab.url, accessToken: 'any' }),
	});
	const connections = {
		...chain(...nodes.map(({ name }) => name)),
		...chain(countWebhook.name, count.name),
		...chain(writeWebhook.name, write.name, crm.node.name),
	};
	const publishWith = async (...more: INode[]) => {
		await api.updateWorkflow(workflowId, { nodes: [...nodes, ...more], connections });
		await api.publish(workflowId);
	};
	const staticData = async () => {
		const stored = await api.request<{ staticData?: IDataObject }>(
			'GET',
			`/workflows/${workflowId}`,
		);
		return stored.staticData as Record<string, IDataObject | undefined> | undefined;
	};
	const counted = async () => Number((await staticData())?.global?.count ?? 0);
	const call = ({ parameters: { path } }: INode) =>
		axios.get(`${host.url}/webhook/${path as string}`, {
			httpsAgent: new Agent({ ca }),
			proxy: false,
		});
	/** Counts once. @returns whether n8n has stored it */
	const countOnce = async () => {
		const before = await counted();
		await call(countWebhook);
		const isStored = async () => (await counted()) === before + 1;
		return await until('the count', STORED_S, isStored).catch(() => false);
	};
	const ended = () =>
		until('the executions to end', WAIT_S, async () => {
			const running = { workflowId, status: ['new', 'running'] };
			return (await countExecutions(api, running)) === 0;
		});
	let sent = 0;
	const miss = async (events: number) => {
		await host.proxy.close();
		for (let event = 0; event < events; event++) {
			sandbox.emit('call.completed', { call_id: `call_${sent++}` });
		}
		await sandbox.settled();
		host.proxy.open();
		await until('each event to run', WAIT_S, () => crm.writes.size >= sent);
		await ended();
	};

	const all = [countWebhook, count, writeWebhook, write];
	await publishWith(...all);
	let counts = 0;
	const publishOnce = async () => {
		duringWrite = async () => {};
		nodes[0].parameters.events = ['call.completed', 'call.failed'];
		await publishWith(...all, gitlabTrigger);
	};
	for (let round = 0; round < sizes.rounds; round++) {
		if (round === 1) duringWrite = publishOnce;
		await miss(sizes.events);
		if (host.hasStaticDataInRuns && (await countOnce())) counts++;
	}
	const stored = await counted();
	/** @returns whether the static data of a publish are stored, as columns of a table */
	const published = async () => {
		const { 'node:GitLab': gitlabData, 'node:Trigger': ownData } = (await staticData()) ?? {};
		return [gitlabData?.webhookId, ownData?.signingSecret].map((value) =>
			value === undefined ? 'forgotten' : 'stored',
		);
	};
	const afterCatchUps = await published();
	sandbox.emit('call.completed', { call_id: 'delivered' });
	await sandbox.settled();
	const [delivered] = sandbox.deliveriesOf(sandbox.endpoints()[0]?.id ?? '');

	await call(writeWebhook);
	await ended();
	const afterCode = await published();
	await api.unpublish(workflowId);
	const leftBehind = host.hasStaticDataInRuns ? gitlab.hooks().length : 0;
	const twice = [...crm.writes.values()].filter((times) => times > 1).length;
	return {
		lines: [
			`${sizes.rounds} rounds of ${sizes.events} catch-ups, each followed by a count of a Code node; the second had a publish in its middle, of a changed trigger and a GitLab Trigger`,
			...table([
				['after', "GitLab's webhook", 'own signing secret', 'counts', 'count stored'],
				[`${sizes.rounds * sizes.events} catch-ups`, ...afterCatchUps, counts, stored],
				['a Code node that writes static data', ...afterCode, '', ''],
			]),
		],
		bounds: {
			'catch-ups keep what publishes have stored': afterCatchUps.join() === 'stored,stored',
			'a signed delivery runs after catch-ups': delivered?.response_status === 200,
			'a neighbour keeps each count between catch-ups':
				stored === counts && (counts === sizes.rounds || !host.hasStaticDataInRuns),
			'no event beside a neighbour runs twice': twice === 0,
			'no webhook beside a neighbour is left behind': leftBehind + sandbox.endpoints().length === 0,
		},
	};
}

/** Starts a stand-in for GitLab on 127.0.0.1: one project's webhooks. */
async function startGitlab() {
	const hooks = new Set<string>();
	let lastId = 0;
	const app = fastify({ forceCloseConnections: true });
	app.post('/api/v4/projects/:project/hooks', async (_request, reply) => {
		hooks.add(String(++lastId));
		return await reply.code(201).send({ id: lastId });
	});
	app.route<{ Params: { id: string } }>({
		method: ['GET', 'DELETE'],
		url: '/api/v4/projects/:project/hooks/:id',
		async handler({ method, params: { id } }, reply) {
			const isKnown = method === 'DELETE' ? hooks.delete(id) : hooks.has(id);
			return isKnown
				? { id: Number(id) }
				: await reply.code(404).send({ message: '404 Not found' });
		},
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url, hooks: () => [...hooks], [Symbol.asyncDispose]: () => app.close() };
}
