import fastify from 'fastify';
import { defaultDialect } from '../../../sandbox/dialects';
import { createEvent, envelope, sampleData } from '../../../sandbox/service/events';
import { type Choices, importExample, importMainExample } from '../../../sandbox/stack/example';
import type { WorkflowJson } from '../../../sandbox/stack/n8n-api';
import type { Stack } from '../../../sandbox/stack/stack';
import { until } from '../../../sandbox/stack/until';
import { testNeeding } from '../../compat/needs';
import { readDatabase } from '../../support/database';
import { tableNamed } from '../../support/dataTables';
import type { StandIn } from '../../support/standIn';
import {
	type Credential,
	post,
	type Service,
	sharedN8n,
	standInFor,
	startService,
} from '../harness';

/** Whether Slack takes messages. */
let slackIsUp: boolean;
/** What Vault does with a secret, instead of taking it. */
let vaultStatus: number | undefined;

let standIn: StandIn;
let stack: Stack;
let service: Service;
standInFor({
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

/** A service whose log of deliveries holds what a test wants. */
async function startLog(): Promise<{
	attempts: object[];
	credentialId: string;
	stop(): Promise<void>;
}> {
	const app = fastify();
	const attempts: object[] = [];
	const webhook = { id: 'wh_1', url: `${receiver}?voice_agent_token=${'s'.repeat(43)}` };
	app.get('/v1/webhooks', () => [{ ...webhook, events: ['call.completed'] }]);
	app.get('/v1/webhooks/wh_1/deliveries', () => attempts);
	const url = await app.listen({ host: '127.0.0.1', port: 0 });
	const fields = { baseUrl: `${url}/v1`, apiKey: 'svc_live_of_the_log' };
	const { id } = await credential('voiceAgentApi', fields);
	return { attempts, credentialId: id, stop: async () => await app.close() };
}

const receiver = 'https://hooks.example.com/';

/** An attempt as a log shows it. */
const attempted = (deliveryId: string, attempt = 1, more: object = {}) => ({
	id: `${deliveryId}.${attempt}`,
	delivery_id: deliveryId,
	event_type: 'call.completed',
	attempt,
	status: 'failed',
	response_status: 507,
	response_body: 'No <!channel> & no room',
	attempted_at: new Date(Date.now() - 60_000 + attempt * 1000).toISOString(),
	...more,
});

async function slackChoices(): Promise<Choices> {
	const slackApi = await credential('slackApi', { accessToken: 'xoxb-stand-in' });
	const channelId = { __rl: true, mode: 'id', value: 'C0123456789' };
	return { 'n8n-nodes-base.slack': { parameters: { channelId }, credentials: { slackApi } } };
}

describe('what the log of deliveries shows', () => {
	let log: Awaited<ReturnType<typeof startLog>>;
	beforeEach(async () => {
		log = await startLog();
	});
	afterEach(() => log.stop());

	/** Runs an example, and tells what came of it and what Slack was sent. */
	const tell = async (workflowId: string) => {
		const { status, data } = await run(workflowId, 'Every hour');
		const requests = standIn.take();
		const texts = requests.map(({ body }) => (body as { text: string }).text);
		return { status, message: data.resultData.error?.message, texts, requests };
	};
	const importAlert = async () =>
		await importExample(
			stack.n8n.api,
			'alert-on-failing-deliveries',
			log.credentialId,
			await slackChoices(),
		);
	const line = `• ${receiver}?***, call.completed: 507 No &lt;!channel&gt; &amp; no room`;

	test('one message alerts of the failed deliveries, each once', async () => {
		const workflowId = await importAlert();
		expect(await tell(workflowId)).toMatchObject({ status: 'success', texts: [] });

		const success = { status: 'delivered', response_status: 200, response_body: '' };
		log.attempts.push(attempted('dlv_2', 2, success), attempted('dlv_2', 1));
		expect(await tell(workflowId)).toMatchObject({ status: 'success', texts: [] });

		log.attempts.push(attempted('dlv_1', 1), attempted('dlv_1', 2), attempted('dlv_3'));
		slackIsUp = false;
		expect(await tell(workflowId)).toMatchObject({ status: 'error', requests: [{}] });
		slackIsUp = true;
		const { status, requests } = await tell(workflowId);
		expect(status).toBe('success');
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
		expect(await tell(workflowId)).toMatchObject({ status: 'success', texts: [] });
	});

	test('what it does not tell counts as failed, each delivery by itself', async () => {
		log.attempts.push({ response_body: 'one' }, { response_body: 'two' });
		expect((await tell(await importAlert())).texts).toEqual([
			expect.stringMatching(/^\*Failed deliveries: 2\*\n• https:.+, unknown event: (one|two)\n/),
		]);
	});

	test('of a delivery of more than a day ago nobody is told', async () => {
		const attempted_at = new Date(Date.now() - 25 * 3_600_000).toISOString();
		log.attempts.push(attempted('dlv_1', 1, { attempted_at }));
		expect(await tell(await importAlert())).toMatchObject({ status: 'success', texts: [] });
	});

	test('what failed is done by the workflow that would have got it, each call once', async () => {
		const { api } = stack.n8n;
		const voiceAgent = service.credentials.authorization.id;
		const main = await importMainExample(api, voiceAgent, 'Customers to catch up with');
		await api.publish(main.workflowId);
		const customers = tableNamed(api, 'Customers to catch up with');
		const calls = tableNamed(api, main.workflowId);

		const callOf = (phone: string) =>
			sampleData('call.completed', { customer: { phone, email: `${phone}@example.com` } });
		const [done, missed, another] = ['23', '44', '55'].map((end) => callOf(`+141555501${end}`));
		const nobody = { call_id: 'call_of_nobody', duration_seconds: 5 };
		service.sandbox.emit('call.completed', done);
		await until('the call to be kept', 30, async () => (await calls.rows()).length === 1);

		const payload = (data: object = {}) =>
			envelope(createEvent('call.completed', data), defaultDialect).body;
		const held = { payload: payload(missed) };
		log.attempts.push(
			attempted('dlv_1', 1, { payload: payload(done) }),
			attempted('dlv_2', 1, { payload: payload(nobody) }),
			attempted('dlv_3', 1, held),
			attempted('dlv_3', 2, held),
			attempted('dlv_4', 1, { payload: [payload(another), payload(missed)] }),
			attempted('dlv_5'),
			attempted('dlv_6', 1, { event_type: 'call.started' }),
		);
		const workflowId = await importExample(api, 'catch-up', log.credentialId, {
			...(await slackChoices()),
			'n8n-nodes-base.executeWorkflow': {
				parameters: { workflowId: { __rl: true, mode: 'id', value: main.workflowId } },
			},
		});
		const first = await tell(workflowId);
		expect(first.status).toBe('error');
		expect(first.message).toMatch(/^1 of the calls .* Who was on the line can't be told/);
		expect(first.texts).toEqual([
			`*Failed deliveries whose events the log does not hold: 1*\n${line}`,
		]);
		const numbers = ['+14155550123', '+14155550144', '+14155550155'];
		const kept = async () => ({
			customers: (await customers.rows()).map(({ phone }) => phone),
			calls: (await calls.rows()).map(({ status }) => status),
		});
		const expected = { customers: numbers, calls: ['logged', 'no person', 'logged', 'logged'] };
		expect(await kept()).toEqual(expected);

		expect(await tell(workflowId)).toMatchObject({ status: 'success', texts: [] });
		expect(await kept()).toEqual(expected);
		await api.unpublish(main.workflowId);
	});
});

describe('callback requests', () => {
	const asked = sampleData('call.completed', {
		summary: 'Ada asked to be called back at 5 <today>.',
	});
	const notAsked = sampleData('call.completed');

	const title = 'who asked to be called back becomes a task and a message, once';
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
		const deliver = async (data: object, id = 'evt_1') => {
			const event = { ...createEvent('call.completed', data), id };
			const { status } = await post(stack, endpoint?.url ?? '', event);
			return { status, requests: standIn.take() };
		};
		slackIsUp = false;
		expect(await deliver(asked)).toMatchObject({
			status: 500,
			requests: [{ host: 'api.todoist.com' }, { host: 'slack.com' }],
		});
		slackIsUp = true;
		const { status, requests } = await deliver(asked);
		expect(status).toBe(200);
		expect(requests.map(({ host }) => host)).toEqual(['slack.com']);
		expect(requests[0]?.body).toMatchObject({
			channel: 'C0123456789',
			text: expect.stringMatching(
				/^\*Ada Lovelace asked to be called back\*\n\+14155550123\nada@example.com\nappointment_booked: Ada asked to be called back at 5 &lt;today&gt;\.\nhttps:/,
			) as string,
		});
		expect(await deliver(asked)).toEqual({ status: 200, requests: [] });
		expect(await deliver(notAsked)).toEqual({ status: 200, requests: [] });

		const another = { ...asked, call_id: 'call_another', customer: null, from: 'anonymous' };
		const { requests: sent } = await deliver(another);
		expect(sent).toMatchObject([
			{
				method: 'POST',
				host: 'api.todoist.com',
				path: '/api/v1/tasks',
				headers: { authorization: 'Bearer todoist-stand-in' },
			},
			{ host: 'slack.com' },
		]);
		expect(sent[0]?.body).toEqual({
			content: 'Call back a withheld number',
			description: expect.stringContaining('Ada asked to be called back') as string,
			due_lang: 'en',
			due_string: 'today',
			priority: 1,
			project_id: '2203306141',
		});
		const rows = await tableNamed(api, workflowId).rows();
		expect(rows.map((row) => row.status)).toEqual(['done', 'done', 'done']);
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
