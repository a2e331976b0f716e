import fastify from 'fastify';
import { defaultDialect } from '../../../sandbox/dialects';
import { createEvent, sampleData } from '../../../sandbox/service/events';
import { type Choices, importExample } from '../../../sandbox/stack/example';
import type { WorkflowJson } from '../../../sandbox/stack/n8n-api';
import type { Stack } from '../../../sandbox/stack/stack';
import { until } from '../../../sandbox/stack/until';
import { testNeeding } from '../../compat/needs';
import { readDatabase } from '../../support/database';
import type { StandIn } from '../../support/standIn';
import {
	type Credential,
	post,
	type Service,
	sharedN8n,
	addStandIns,
	startService,
} from '../harness';

/** Whether Slack accepts messages; otherwise it responds with 503. */
let slackIsUp: boolean;
/** The error status of Vault; undefined if Vault stores secrets. */
let vaultStatus: number | undefined;

let standIn: StandIn;
let stack: Stack;
let service: Service;
addStandIns({
	'slack.com': {
		'POST /api/chat.postMessage': (_request, reply) => {
			if (slackIsUp) return { ok: true, channel: 'C0123456789', ts: '1503435956.000247' };
			void reply.code(503);
			return {};
		},
	},
	'api.todoist.com': {
		'POST /api/v1/tasks': ({ body }) => ({ id: '6X7rM8997g3RQmvh', ...(body as object) }),
	},
	'vault.example.com': {
		'POST /v1/secret/data/*': (_request, reply) => {
			if (!vaultStatus) return { data: { version: 1, destroyed: false, deletion_time: '' } };
			void reply.code(vaultStatus);
			return { errors: ['permission denied'] };
		},
	},
});
beforeAll(() => {
	({ stack, standIn } = sharedN8n());
});
beforeEach(async () => {
	slackIsUp = true;
	vaultStatus = undefined;
	service = await startService(stack, { ...defaultDialect, retrySchedule: 'eager' });
});
afterEach(() => service.sandbox.stop());

/** Imports an example with the credential of the test's service. */
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

const receiver = 'https://hooks.example.com/';

/** Starts a service with these attempts in its delivery log. */
async function startLog(attempts: object[]) {
	const app = fastify();
	const webhook = { id: 'wh_1', url: `${receiver}?voice_agent_token=${'s'.repeat(43)}` };
	app.get('/v1/webhooks', () => [{ ...webhook, events: ['call.completed'] }]);
	app.get('/v1/webhooks/wh_1/deliveries', () => attempts);
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	const fields = { baseUrl: `${url}/v1`, apiKey: 'svc_live_of_the_log' };
	const { id } = await credential('voiceAgentApi', fields);
	return { credentialId: id, stop: async () => await app.close() };
}

/** @returns a failed attempt in the form of a delivery log */
const failed = (deliveryId: string, more: object = {}) => ({
	...{ id: `${deliveryId}.1`, delivery_id: deliveryId, event_type: 'call.completed', attempt: 1 },
	...{ status: 'failed', response_status: 507, response_body: 'No <!channel> & no room' },
	attempted_at: new Date(Date.now() - 60_000).toISOString(),
	...more,
});

async function slackChoices(): Promise<Choices> {
	const slackApi = await credential('slackApi', { accessToken: 'xoxb-stand-in' });
	const channelId = { __rl: true, mode: 'id', value: 'C0123456789' };
	return { 'n8n-nodes-base.slack': { parameters: { channelId }, credentials: { slackApi } } };
}

const alertTitle = 'one message lists the failed deliveries, each delivery once';
testNeeding('Tables made by the Data Table node', alertTitle, async () => {
	const attempts: object[] = [];
	const log = await startLog(attempts);
	const workflowId = await importExample(
		stack.n8n.api,
		'alert-on-failing-deliveries',
		log.credentialId,
		await slackChoices(),
	);
	/** Runs the workflow. @returns its status, and the texts that Slack received */
	const execute = async () => {
		const { status } = await run(workflowId, 'Every hour');
		const texts = standIn.take().map(({ body }) => (body as { text: string }).text);
		return { status, texts };
	};
	expect(await execute()).toEqual({ status: 'success', texts: [] });
	const success = { status: 'delivered', response_status: 200, response_body: '' };
	attempts.push(failed('dlv_1', success));
	expect(await execute()).toEqual({ status: 'success', texts: [] });

	attempts.push(failed('dlv_2'), failed('dlv_3', { response_body: 'None', status: 'failed' }));
	slackIsUp = false;
	expect(await execute()).toMatchObject({ status: 'error', texts: [{}] });
	slackIsUp = true;
	const line = `• ${receiver}?*** call.completed 507`;
	expect(await execute()).toEqual({
		status: 'success',
		texts: [`*Failed deliveries*\n${line} No  !channel    no room\n${line} None`],
	});
	expect(await execute()).toEqual({ status: 'success', texts: [] });
	await log.stop();
});

describe('callback requests', () => {
	const asked = sampleData('call.completed', {
		summary: 'Ada asked to be called back at 5 <today>.',
	});
	const notAsked = sampleData('call.completed');

	const title = 'a request becomes one task and one message';
	testNeeding('Todoist node for the present Todoist API', title, async () => {
		const { api } = stack.n8n;
		const todoistApi = await credential('todoistApi', { apiKey: 'todoist-stand-in' });
		const project = { __rl: true, mode: 'id', value: '2203306141' };
		const workflowId = await imported('callback-requests', {
			...(await slackChoices()),
			'n8n-nodes-base.todoist': { parameters: { project }, credentials: { todoistApi } },
		});
		await api.publish(workflowId);
		const [endpoint] = service.sandbox.endpoints();
		const deliver = async (data: object) => {
			const { status } = await post(
				stack,
				endpoint?.url ?? '',
				createEvent('call.completed', data),
			);
			return { status, requests: standIn.take().map(({ host, body }) => ({ host, body })) };
		};
		const { status, requests } = await deliver(asked);
		expect(status).toBe(200);
		expect(requests).toMatchObject([
			{
				host: 'api.todoist.com',
				body: {
					content: 'Call back Ada Lovelace +14155550123',
					description: 'Ada asked to be called back at 5 <today>.',
					due_string: 'today',
					project_id: '2203306141',
				},
			},
			{
				host: 'slack.com',
				body: {
					channel: 'C0123456789',
					text: '*Call back +14155550123*\nAda asked to be called back at 5  today .',
				},
			},
		]);
		expect(await deliver(asked)).toEqual({ status: 200, requests: [] });
		expect(await deliver(notAsked)).toEqual({ status: 200, requests: [] });

		slackIsUp = false;
		const another = { ...asked, call_id: 'call_another' };
		const hosts = [{ host: 'api.todoist.com' }, { host: 'slack.com' }];
		expect(await deliver(another)).toMatchObject({ status: 500, requests: hosts });
		expect(await deliver(another)).toEqual({ status: 200, requests: [] });
		await api.unpublish(workflowId);
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
	/** @returns the data of the last request to Vault */
	const handedOver = () => {
		const { body } = standIn.take().at(-1) ?? {};
		return (body as { data: { api_key: string; api_key_id: string } }).data;
	};

	/** Runs the workflow, which keeps no execution, until its execution is deleted. */
	async function rotate(workflowId: string): Promise<void> {
		const { api } = stack.n8n;
		const id = await api.run(workflowId, 'Every three months');
		await until('the end of the run, and the deletion of its execution', 60, async () => {
			const runs = await api.executions(workflowId);
			return runs.every((each) => each.id !== id);
		});
	}

	test('the old key is revoked after the store has accepted the new key', async () => {
		const { sandbox } = service;
		sandbox.createKey(name);
		sandbox.createKey('Another');
		// The API key of the workflow itself has this scope.
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
		expect(executionsWith(data.api_key)).toEqual([]);
	});

	test.each([403, 502])(
		'both keys stay after the store answers %i, until the next run',
		async (status) => {
			service.sandbox.createKey(name);
			vaultStatus = status;
			const workflowId = await importRotation();
			await rotate(workflowId);
			expect(keysOf()).toHaveLength(2);
			handedOver();
			vaultStatus = undefined;
			await rotate(workflowId);
			expect(keysOf().map(({ id }) => id)).toEqual([handedOver().api_key_id]);
		},
	);

	test('n8n keeps no execution of the published workflow', async () => {
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
			'the deletion of the executions',
			60,
			async () => (await api.executions(workflowId)).length === 0,
		);
		for (const { body } of standIn.take()) {
			expect(executionsWith((body as { data: { api_key: string } }).data.api_key)).toEqual([]);
		}
	});

	test('without the settings of the example, execution data contains the key', async () => {
		service.sandbox.createKey(name);
		const settings = { executionOrder: 'v1' } as const;
		await run(
			await importRotation((workflow) => ({ ...workflow, settings })),
			'Every three months',
		);
		expect(executionsWith(handedOver().api_key)).toHaveLength(1);
	});

	/** @returns the executions in n8n's database whose data contains the text */
	function executionsWith(text: string): unknown[] {
		return readDatabase(stack.n8n, (database) =>
			database.prepare('SELECT executionId FROM execution_data WHERE instr(data, ?)').all(text),
		);
	}
});
