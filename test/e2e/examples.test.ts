import type { IDataObject } from 'n8n-workflow';
import { readCallDetails } from '../../nodes/VoiceAgent/trigger/callDetails';
import { defaultDialect } from '../../sandbox/dialects';
import { createEvent, type DomainEvent, envelope, sampleData } from '../../sandbox/service/events';
import { type Choices, importExample, importMainExample } from '../../sandbox/stack/example';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { readDatabase } from '../support/database';
import { tableNamed } from '../support/dataTables';
import { type StandIn, startStandIn } from '../support/standIn';
import { type Credential, post, type Service, startService } from './harness';

const minute = 60_000;
jest.setTimeout(2 * minute);

/** Whether Slack takes messages. */
let slackIsUp: boolean;
/** The records that Get Deliveries gives. */
let deliveryLog: () => object[];
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
		'api.todoist.com': {
			'POST /api/v1/tasks': ({ body }) => ({ id: '6X7rM8997g3RQmvh', ...(body as object) }),
		},
		'log.example.com': { 'GET /deliveries': () => deliveryLog() },
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

/** What Get Deliveries says of each attempt; null for what the log does not tell. */
interface DeliveryDetails {
	id: string | null;
	endpointId: string | null;
	endpointUrl: string | null;
	eventType: string | null;
	time: string | null;
	status: string | null;
	succeeded: boolean | null;
	response: string | null;
	attempt: number | null;
	event: IDataObject | null;
}

const untold: DeliveryDetails = {
	id: null,
	endpointId: null,
	endpointUrl: null,
	eventType: null,
	time: null,
	status: null,
	succeeded: null,
	response: null,
	attempt: null,
	event: null,
};

/** The workflow with {@link deliveryLog} in the place of what the service's log holds. */
function readingTheLog({ nodes, ...rest }: WorkflowJson): WorkflowJson {
	return {
		...rest,
		nodes: nodes.map((node) =>
			node.parameters.operation === 'getDeliveries'
				? {
						...node,
						type: 'n8n-nodes-base.httpRequest',
						typeVersion: 4.2,
						parameters: { url: 'https://log.example.com/deliveries' },
					}
				: node,
		),
	};
}

async function slackChoices(): Promise<Choices> {
	const slackApi = await credential('slackApi', { accessToken: 'xoxb-stand-in' });
	const channelId = { __rl: true, mode: 'id', value: 'C0123456789' };
	return { 'n8n-nodes-base.slack': { parameters: { channelId }, credentials: { slackApi } } };
}

describe('alert on failing deliveries', () => {
	/** The attempts that the log shows. */
	let log: Array<Partial<DeliveryDetails>>;
	beforeEach(() => {
		log = [];
		deliveryLog = () => log.map((attempt) => ({ deliveryDetails: { ...untold, ...attempt } }));
	});

	const importAlert = async (change = (workflow: WorkflowJson) => workflow) =>
		await imported('alert-on-failing-deliveries', await slackChoices(), (workflow) =>
			change(readingTheLog(workflow)),
		);
	const alertOf = async (workflowId: string) => {
		const { status } = await run(workflowId, 'Every hour');
		const requests = standIn.take().filter(({ host }) => host === 'slack.com');
		return { status, texts: requests.map(({ body }) => (body as { text: string }).text), requests };
	};
	const failed = (id: string | null, attempt = 1): Partial<DeliveryDetails> => ({
		id,
		attempt,
		endpointUrl: 'https://hooks.example.com/?voice_agent_token=***',
		eventType: 'call.completed',
		time: new Date(Date.now() - 60_000 + attempt * 1000).toISOString(),
		status: 'failed',
		succeeded: false,
		response: '507 No <!channel> & no room',
	});
	const line =
		'• https://hooks.example.com/?voice_agent_token=***, call.completed: 507 No &lt;!channel&gt; &amp; no room';

	test('one message tells of the failed deliveries, each once', async () => {
		const workflowId = await importAlert();
		expect(await alertOf(workflowId)).toMatchObject({ status: 'success', texts: [] });

		const later = { ...failed('dlv_2', 2), status: 'delivered', succeeded: true, response: '200' };
		log = [failed('dlv_2', 1), later];
		expect(await alertOf(workflowId)).toMatchObject({ status: 'success', texts: [] });

		log = [...log, failed('dlv_1', 1), failed('dlv_1', 2), failed('dlv_3')];
		slackIsUp = false;
		expect(await alertOf(workflowId)).toMatchObject({ status: 'error', texts: [{}] });
		slackIsUp = true;
		const { status, requests } = await alertOf(workflowId);
		expect(status).toBe('success');
		expect(requests).toMatchObject([
			{
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
		expect(await alertOf(workflowId)).toMatchObject({ status: 'success', texts: [] });
	});

	test('what the log does not tell counts as failed, each delivery by itself', async () => {
		log = [{ response: 'one' }, { response: 'two' }];
		const { texts } = await alertOf(await importAlert());
		expect(texts).toEqual([
			expect.stringMatching(/^\*Failed deliveries: 2\*\n• unknown webhook, unknown event: /),
		]);
	});

	test('a delivery of more than a day ago is not told of', async () => {
		log = [{ ...failed('dlv_1'), time: new Date(Date.now() - 25 * 3_600_000).toISOString() }];
		expect(await alertOf(await importAlert())).toMatchObject({ status: 'success', texts: [] });
	});
});

describe('catch up', () => {
	test('what failed is done by the workflow that would have got it, each call once', async () => {
		const { api } = stack.n8n;
		const voiceAgent = service.credentials.authorization.id;
		const main = await importMainExample(api, voiceAgent, 'Customers to catch up with');
		await api.publish(main.workflowId);
		const customers = tableNamed(api, 'Customers to catch up with');
		const calls = tableNamed(api, main.workflowId);

		const told = (phone: string) =>
			createEvent(
				'call.completed',
				sampleData('call.completed', { customer: { phone, email: `${phone}@example.com` } }),
			);
		const [done, missed, nobody] = [
			told('+14155550123'),
			told('+14155550144'),
			{
				...createEvent('call.completed', { call_id: 'call_of_nobody', duration_seconds: 5 }),
			},
		];
		service.sandbox.emit('call.completed', done.data);
		await until('the call to be kept', 30, async () => (await calls.rows()).length === 1);

		const time = new Date(Date.now() - 60_000).toISOString();
		const held = (id: string, event: DomainEvent, attempt = 1) => {
			const { body } = envelope(event, defaultDialect);
			const json = body as IDataObject;
			const eventType = 'call.completed';
			return {
				callDetails: readCallDetails(json),
				deliveryDetails: { ...untold, id, attempt, time, eventType, succeeded: false, event: json },
			};
		};
		deliveryLog = () => [
			held('dlv_1', done),
			held('dlv_2', nobody),
			held('dlv_3', missed),
			held('dlv_3', missed, 2),
			{ deliveryDetails: { ...untold, id: 'dlv_4', time, eventType: 'call.completed' } },
			{ deliveryDetails: { ...untold, id: 'dlv_5', time, eventType: 'call.started' } },
		];
		const choices = {
			...(await slackChoices()),
			'n8n-nodes-base.executeWorkflow': {
				parameters: { workflowId: { __rl: true, mode: 'id', value: main.workflowId } },
			},
		};
		const workflowId = await imported('catch-up', choices, readingTheLog);
		const catchUp = async () => {
			const { status, data } = await run(workflowId, 'Every hour');
			const requests = standIn.take().filter(({ host }) => host === 'slack.com');
			const texts = requests.map(({ body }) => (body as { text: string }).text);
			return { status, message: data.resultData.error?.message, texts };
		};
		const first = await catchUp();
		expect(first.status).toBe('error');
		expect(first.message).toMatch(/^1 of the calls .* Who was on the line can't be told/);
		expect(first.texts).toEqual([
			expect.stringMatching(/^\*Failed deliveries whose events the log does not hold: 1\*\n• /),
		]);
		expect((await customers.rows()).map(({ phone }) => phone)).toEqual([
			'+14155550123',
			'+14155550144',
		]);
		expect((await calls.rows()).map(({ status }) => status)).toEqual([
			'logged',
			'no person',
			'logged',
		]);

		expect(await catchUp()).toEqual({ status: 'success', message: undefined, texts: [] });
		expect(await customers.rows()).toHaveLength(2);
		expect(await calls.rows()).toHaveLength(3);
		await api.unpublish(main.workflowId);
	});
});

describe('callback requests', () => {
	const asked = sampleData('call.completed', {
		summary: 'Ada asked to be called back at 5 <today>.',
	});
	const notAsked = sampleData('call.completed');

	test('who asked to be called back becomes a task and a message, once', async () => {
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
