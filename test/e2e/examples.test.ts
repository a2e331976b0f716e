import type { AddressInfo } from 'node:net';
import axios from 'axios';
import fastify, { type FastifyInstance } from 'fastify';
import type { INode } from 'n8n-workflow';
import { defaultDialect } from '../../sandbox/dialects';
import { type Choices, chooseTable, importExample } from '../../sandbox/stack/example';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { readDatabase } from '../support/database';
import { type StandIn, startStandIn } from '../support/standIn';
import { type Credential, type Service, startService } from './harness';

const minute = 60_000;
jest.setTimeout(2 * minute);

/** Whether Slack takes messages. */
let slackIsUp: boolean;
/** What Vault does with a secret, instead of taking it. */
let vaultStatus: number | undefined;

let standIn: StandIn;
let stack: Stack;
let service: Service;
beforeAll(async () => {
	standIn = await startStandIn({
		'slack.com': {
			'POST /api/chat.postMessage': (_request, reply) => {
				if (slackIsUp) return { ok: true, channel: 'C0123456789', ts: '1503435956.000247' };
				void reply.code(503);
				return {};
			},
		},
		'vault.example.com': {
			'POST /v1/secret/data/*': (_request, reply) => {
				if (!vaultStatus) return { data: { version: 1, destroyed: false, deletion_time: '' } };
				void reply.code(vaultStatus);
				return { errors: ['permission denied'] };
			},
		},
	});
	stack = await startStack({ env: standIn.env });
}, 15 * minute);
afterAll(async () => {
	await stack?.stop();
	await standIn?.stop();
});
beforeEach(async () => {
	slackIsUp = true;
	vaultStatus = undefined;
	service = await startService(stack, { ...defaultDialect, retrySchedule: 'eager' });
});
afterEach(() => service.sandbox.stop());

/** Imports an example for the service of the moment. */
async function imported(
	name: string,
	choices: Choices,
	change?: (workflow: WorkflowJson) => WorkflowJson,
): Promise<string> {
	const { id } = service.credentials.authorization;
	return await importExample(stack.n8n.api, name, id, choices, change);
}

async function credential(type: string, data: Record<string, string>): Promise<Credential> {
	return { id: await stack.n8n.api.createCredential(type, type, data), name: type };
}

async function run(workflowId: string, trigger: string) {
	const { api } = stack.n8n;
	return await api.finishedExecution((await api.run(workflowId, trigger)) ?? '');
}

/** The workflow with another node between two of its own. */
function inserted(
	{ nodes, connections, ...rest }: WorkflowJson,
	before: string,
	node: INode,
	after: string,
): WorkflowJson {
	const to = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	return {
		...rest,
		nodes: [...nodes, node],
		connections: { ...connections, [before]: to(node.name), [node.name]: to(after) },
	};
}

test.each(['call-to-data-table', 'run-each-delivery-once'])(
	'two imports of %s can be published side by side',
	async (example) => {
		const { api } = stack.n8n;
		const tableId = await api.createDataTable(example, { phone: 'string', delivery_id: 'string' });
		const ids: string[] = [];
		for (let copy = 1; copy <= 2; copy++) {
			const id = await imported(example, chooseTable(tableId, example));
			await api.publish(id);
			ids.push(id);
		}
		const urls = service.sandbox.endpoints().map(({ url }) => url.split('?')[0]);
		expect(new Set(urls).size).toBe(2);
		for (const id of ids) await api.unpublish(id);
	},
);

describe('each delivery once', () => {
	/** Stands between the service and n8n, and for a CRM. */
	let network: FastifyInstance;
	/** Whether the way back of the next answer breaks. */
	let loseAnswer: boolean;
	/** How often the CRM does its work badly. */
	let crmFailures: number;
	let crmCalls: number;
	/** Whether deliveries and events come with an ID. */
	let hasIds: boolean;
	let address: string;
	beforeEach(async () => {
		[loseAnswer, crmFailures, crmCalls, hasIds] = [false, 0, 0, true];
		network = fastify({ forceCloseConnections: true });
		network.post('/crm', (_request, reply) => {
			crmCalls++;
			return reply.code(crmFailures-- > 0 ? 500 : 200).send({});
		});
		type Event = { Querystring: { n8n: string }; Body: { id?: string } };
		network.post<Event>('/n8n', async (request, reply) => {
			const { query, body, headers } = request;
			if (!hasIds) delete body.id;
			const { status } = await axios.post(query.n8n, body, {
				headers: hasIds ? { 'x-delivery-id': headers['x-delivery-id'] } : {},
				validateStatus: () => true,
			});
			if (loseAnswer) request.raw.socket.destroy();
			loseAnswer = false;
			return reply.code(status).send();
		});
		address = await network.listen({ host: '127.0.0.1', port: 0 });
	});
	afterEach(() => network.close());

	/** Publishes the example, with a CRM between its two steps, and the network on its way. */
	async function publishExample() {
		const { api, url: n8nUrl } = stack.n8n;
		const columns = {
			delivery_id: 'string',
			call_id: 'string',
			outcome: 'string',
			summary: 'string',
		} as const;
		const name = `Calls at ${address}`;
		const tableId = await api.createDataTable(name, columns);
		const workflowId = await imported(
			'run-each-delivery-once',
			chooseTable(tableId, name),
			(workflow) => {
				const crm: INode = {
					id: 'crm',
					name: 'CRM',
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
					position: [420, 700],
					parameters: { method: 'POST', url: `${address}/crm` },
				};
				return inserted(workflow, 'Only new deliveries', crm, 'Record the call');
			},
		);
		await api.publish(workflowId);
		const [endpoint] = service.sandbox.endpoints();
		if (!endpoint) throw new Error('The trigger has not registered itself');
		const { pathname, search } = new URL(endpoint.url);
		service.sandbox.removeEndpoint(endpoint.id);
		const url = `${address}/n8n?n8n=${encodeURIComponent(n8nUrl + pathname + search)}`;
		const endpointId = service.sandbox.addEndpoint({ url, events: endpoint.events });
		return { workflowId, tableId, endpointId };
	}

	test('a delivery that comes again, since the answer was lost, does nothing and is acknowledged', async () => {
		const { sandbox } = service;
		const { api } = stack.n8n;
		const { workflowId, tableId, endpointId } = await publishExample();
		loseAnswer = true;
		const [deliveryId] = sandbox.emit('call.completed').deliveries;
		await sandbox.settled();
		expect(sandbox.deliveriesOf(endpointId)).toMatchObject([
			{ delivery_id: deliveryId, attempt: 2, response_status: 200 },
			{ delivery_id: deliveryId, attempt: 1, response_status: null },
		]);
		expect(await api.executions(workflowId)).toMatchObject([
			{ status: 'success' },
			{ status: 'success' },
		]);
		expect(crmCalls).toBe(1);
		expect(await api.dataTableRows(tableId)).toMatchObject([{ delivery_id: deliveryId }]);

		sandbox.emit('call.completed');
		await sandbox.settled();
		expect(crmCalls).toBe(2);
		expect(await api.dataTableRows(tableId)).toHaveLength(2);
		await api.unpublish(workflowId);
	});

	test("where the service sends no ID, the call's own tells the deliveries apart", async () => {
		const { sandbox } = service;
		const { api } = stack.n8n;
		const { workflowId, tableId } = await publishExample();
		hasIds = false;
		for (const call_id of ['call_1', 'call_2']) {
			loseAnswer = true;
			sandbox.emit('call.completed', { call_id });
			await sandbox.settled();
		}
		expect(await api.executions(workflowId)).toHaveLength(4);
		expect(crmCalls).toBe(2);
		expect(await api.dataTableRows(tableId)).toMatchObject([
			{ delivery_id: 'call_1', call_id: 'call_1' },
			{ delivery_id: 'call_2', call_id: 'call_2' },
		]);
		await api.unpublish(workflowId);
	});

	test('a delivery whose run failed comes again and does its work', async () => {
		const { sandbox } = service;
		const { api } = stack.n8n;
		const { workflowId, tableId, endpointId } = await publishExample();
		crmFailures = 1;
		const [deliveryId] = sandbox.emit('call.completed').deliveries;
		await sandbox.settled();
		expect(sandbox.deliveriesOf(endpointId)).toMatchObject([
			{ attempt: 2, response_status: 200 },
			{ attempt: 1, response_status: 500 },
		]);
		expect(crmCalls).toBe(2);
		expect(await api.dataTableRows(tableId)).toMatchObject([{ delivery_id: deliveryId }]);
		await api.unpublish(workflowId);
	});
});

describe('alert on failing deliveries', () => {
	const token = 's'.repeat(43);
	const channelId = { __rl: true, mode: 'id', value: 'C0123456789' };
	let receiver: FastifyInstance;
	let answers: number[];
	let url: string;
	beforeEach(async () => {
		answers = [];
		receiver = fastify();
		receiver.post('/hooks', (request, reply) =>
			reply.code(answers.shift() ?? 200).send(`No <!channel> & no room for ${request.url}`),
		);
		await receiver.listen({ host: '127.0.0.1', port: 0 });
		const { port } = receiver.server.address() as AddressInfo;
		url = `http://127.0.0.1:${port}/hooks`;
	});
	afterEach(() => receiver.close());

	async function importAlert(change?: (workflow: WorkflowJson) => WorkflowJson): Promise<string> {
		const columns = { delivery_id: 'string', told_at: 'date' } as const;
		const name = `Told of ${url}`;
		const tableId = await stack.n8n.api.createDataTable(name, columns);
		const slackApi = await credential('slackApi', { accessToken: 'xoxb-stand-in' });
		const choices = {
			...chooseTable(tableId, name),
			'n8n-nodes-base.slack': { parameters: { channelId }, credentials: { slackApi } },
		};
		return await imported('alert-on-failing-deliveries', choices, change);
	}

	/** Makes an event happen whose delivery gets these answers. */
	async function emit(...statuses: number[]): Promise<void> {
		answers = statuses;
		service.sandbox.emit('call.completed');
		await service.sandbox.settled();
	}
	const everyTime = Array<number>(25).fill(507);

	test('one message tells of the failed deliveries, each once', async () => {
		const { sandbox } = service;
		sandbox.addEndpoint({ url: `${url}?voice_agent_token=${token}` });
		const workflowId = await importAlert();
		const alert = async () => {
			const { status } = await run(workflowId, 'Every hour');
			return { status, requests: standIn.take() };
		};
		await emit();
		await emit(507, 507);
		expect(await alert()).toEqual({ status: 'success', requests: [] });

		await emit(...everyTime);
		await emit(...everyTime);
		slackIsUp = false;
		expect(await alert()).toMatchObject({ status: 'error', requests: [{}] });
		slackIsUp = true;
		const { status, requests } = await alert();
		expect(status).toBe('success');
		const line = `• ${url}, call.completed: 507 No &lt;!channel&gt; &amp; no room for /hooks?voice_agent_token=***`;
		expect(requests).toMatchObject([
			{
				host: 'slack.com',
				method: 'POST',
				path: '/api/chat.postMessage',
				headers: {
					authorization: 'Bearer xoxb-stand-in',
					'content-type': 'application/json; charset=utf-8',
				},
			},
		]);
		expect(requests[0]?.body).toEqual({
			// n8n's own option, which its node sends along.
			includeLinkToWorkflow: false,
			channel: 'C0123456789',
			text: `*Failed deliveries: 2*\n${line}\n${line}`,
			unfurl_links: false,
			unfurl_media: false,
		});
		expect(await alert()).toEqual({ status: 'success', requests: [] });

		await emit(...everyTime);
		const { requests: more } = await alert();
		expect(more.map(({ body }) => (body as { text: string }).text)).toEqual([
			`*Failed deliveries: 1*\n${line}`,
		]);
	});

	test('the last attempt of a delivery counts, in whatever order the log is', async () => {
		service.sandbox.addEndpoint({ url });
		await emit(507, 507);
		const workflowId = await importAlert((workflow) => {
			const oldestFirst: INode = {
				id: 'oldest',
				name: 'Oldest first',
				type: 'n8n-nodes-base.sort',
				typeVersion: 1,
				position: [520, 700],
				parameters: {
					sortFieldsUi: { sortField: [{ fieldName: 'attempt', order: 'ascending' }] },
				},
			};
			return inserted(workflow, 'Get deliveries', oldestFirst, 'Read the log');
		});
		expect(await run(workflowId, 'Every hour')).toMatchObject({ status: 'success' });
		expect(standIn.take()).toEqual([]);
	});
});

describe('rotate an API key', () => {
	const name = 'CRM sync';

	async function importRotation(
		change?: (workflow: WorkflowJson) => WorkflowJson,
	): Promise<string> {
		const httpHeaderAuth = await credential('httpHeaderAuth', {
			name: 'X-Vault-Token',
			value: 'hvs.stand-in',
		});
		return await imported(
			'rotate-api-key',
			{ 'n8n-nodes-base.httpRequest': { credentials: { httpHeaderAuth } } },
			change,
		);
	}
	const keysOf = () => service.sandbox.keys().filter((key) => key.name === name);
	/** The value that the last request gave to Vault. */
	const handedOver = () => {
		const { body } = standIn.take().at(-1) ?? {};
		return (body as { data: { api_key: string; api_key_id: string } }).data;
	};

	/** Runs it once; nothing is kept that could be asked how it ended. */
	async function rotate(workflowId: string): Promise<void> {
		const { api } = stack.n8n;
		const id = await api.run(workflowId, 'Every three months');
		await until('the run to end, and to be forgotten', 60, async () => {
			const runs = await api.executions(workflowId);
			return runs.every((each) => each.id !== id);
		});
	}

	test('the old key goes when the store has taken the new one', async () => {
		const { sandbox } = service;
		sandbox.createKey(name);
		sandbox.createKey('Another');
		// As this workflow's own key has it.
		sandbox.createKey(name, ['workspace:admin']);
		const others = sandbox
			.keys()
			.filter((key) => key.name !== name || key.scopes.includes('workspace:admin'));
		await rotate(await importRotation());

		const [request] = standIn.take();
		expect(request).toMatchObject({
			host: 'vault.example.com',
			path: '/v1/secret/data/voice-agent/crm-sync',
			headers: { 'x-vault-token': 'hvs.stand-in', 'content-type': 'application/json' },
		});
		const { data } = request?.body as { data: { api_key: string; api_key_id: string } };
		const prefix = data.api_key.slice(0, 15);
		expect(data.api_key).toMatch(/^svc_live_/);
		expect(sandbox.keys()).toEqual([
			...others,
			{ id: data.api_key_id, name, prefix, scopes: ['calls:read', 'calls:write'] },
		]);
		expect(kept(data.api_key)).toEqual([]);
	});

	test('the old key stays, and the new one goes, when the store refuses', async () => {
		service.sandbox.createKey(name);
		const before = keysOf();
		vaultStatus = 403;
		await rotate(await importRotation());
		expect(keysOf()).toEqual(before);
		expect(kept(handedOver().api_key)).toEqual([]);
	});

	test('both keys stay when the store may have taken it, until the next time', async () => {
		service.sandbox.createKey(name);
		vaultStatus = 502;
		const workflowId = await importRotation();
		await rotate(workflowId);
		expect(keysOf()).toHaveLength(2);
		handedOver();
		vaultStatus = undefined;
		await rotate(workflowId);
		expect(keysOf().map(({ id }) => id)).toEqual([handedOver().api_key_id]);
	});

	test('nothing is kept of the runs of the published workflow', async () => {
		const { api } = stack.n8n;
		service.sandbox.createKey(name);
		const workflowId = await importRotation((workflow) => {
			const schedule = workflow.nodes.find(({ type }) => type.endsWith('scheduleTrigger'));
			const rule = { interval: [{ field: 'seconds', secondsInterval: 1 }] };
			Object.assign(schedule?.parameters ?? {}, { rule });
			return workflow;
		});
		await api.publish(workflowId);
		const { id } = keysOf()[0] ?? {};
		await until('the first key to be revoked', 60, () => keysOf().every((key) => key.id !== id));
		await api.unpublish(workflowId);
		await until(
			'the runs to be forgotten',
			60,
			async () => (await api.executions(workflowId)).length === 0,
		);
		for (const { body } of standIn.take()) {
			expect(kept((body as { data: { api_key: string } }).data.api_key)).toEqual([]);
		}
	});

	test('it is the settings of the example that keep the key out of the execution data', async () => {
		service.sandbox.createKey(name);
		const settings = { executionOrder: 'v1' } as const;
		await run(
			await importRotation((workflow) => ({ ...workflow, settings })),
			'Every three months',
		);
		expect(kept(handedOver().api_key)).toHaveLength(1);
	});

	/** The executions that n8n's database holds with this text in their data. */
	function kept(text: string): unknown[] {
		return readDatabase(stack.n8n, (database) =>
			database.prepare('SELECT executionId FROM execution_data WHERE instr(data, ?)').all(text),
		);
	}
});
