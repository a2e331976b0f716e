import { randomUUID } from 'node:crypto';
import { createEvent, sampleData } from '../../../sandbox/service/events';
import { type Choices, importExample } from '../../../sandbox/stack/example';
import type { WorkflowJson } from '../../../sandbox/stack/n8n-api';
import { until } from '../../../sandbox/stack/until';
import { testNeeding } from '../../compat/needs';
import { LOGGING_DIALECT, OFTEN } from '../../support/caughtUpEvents';
import { addStandIns, nodeTypes, request, service, stack, standIn, useService } from '../harness';

/** Whether Slack accepts messages; otherwise it responds with 503. */
let slackIsUp: boolean;

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
});
useService(LOGGING_DIALECT, true);
beforeEach(() => void (slackIsUp = true));

const receiver = 'https://hooks.example.com/';

/** @returns a failed attempt in the form of a delivery log */
const failed = (deliveryId: string, more: object = {}) => ({
	...{ id: `${deliveryId}.1`, delivery_id: deliveryId, event_type: 'call.completed', attempt: 1 },
	...{ status: 'failed', response_status: 507, response_body: 'No <!channel> & no room' },
	attempted_at: new Date(Date.now() - 60_000).toISOString(),
	...more,
});

async function slackChoices(): Promise<Choices> {
	const credentials = await stack.n8n.api.newCredentials('slackApi', { accessToken: 'stand-in' });
	const channelId = { __rl: true, mode: 'id', value: 'C0123456789' };
	return { 'n8n-nodes-base.slack': { parameters: { channelId }, credentials } };
}

const testAlert = testNeeding('Tables made by the Data Table node');
testAlert('one message lists the failed deliveries, each delivery once', async () => {
	const attempts: object[] = [];
	service.sandbox.addEndpoint({ url: `${receiver}?voice_agent_token=${'s'.repeat(43)}` });
	service.sandbox.fault = ({ path }) =>
		path.endsWith('/deliveries') ? { kind: 'answer', body: attempts } : undefined;
	const workflowId = await importExample(
		stack.n8n.api,
		'alert-on-failing-deliveries',
		service.credentials.voiceAgentApi.id,
		await slackChoices(),
	);
	/** Runs the workflow. @returns its status, and the texts that Slack received */
	const execute = async () => {
		const { status } = await stack.n8n.api.runToEnd(workflowId, 'Every hour');
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
	const { status, texts } = await execute();
	expect([status, texts.length]).toEqual(['success', 1]);
	const [title, ...lines] = (texts[0] ?? '').split('\n');
	expect(title).toBe('*Failed deliveries*');
	const time = /^• \d{1,2} \w{3} \d\d:\d\d \S+, /;
	for (const line of lines) expect(line).toMatch(time);
	const rest = `${receiver}?*** call.completed, 507 `;
	expect(lines.map((line) => line.replace(time, '').replace(/ +/g, ' '))).toEqual([
		`${rest}No !channel no room`,
		`${rest}None`,
	]);
	expect(await execute()).toEqual({ status: 'success', texts: [] });

	// More than Slack accepts in a message would be cut, and yet count as reported.
	const long = Array.from({ length: 60 }, (_, index) =>
		failed(`dlv_long_${index}`, { response_body: 'x'.repeat(5_000), error: 'y'.repeat(5_000) }),
	);
	attempts.splice(0, attempts.length, ...long);
	const { texts: longTexts } = await execute();
	expect(longTexts.map((text) => text.split('\n').length)).toEqual([51]);
	expect(longTexts[0]?.length).toBeLessThan(40_000);
	expect(await execute()).toEqual({ status: 'success', texts: [] });
});

describe('callback requests', () => {
	const asked = sampleData('call.completed', {
		summary: 'Ada asked to be Called Back at 5 <today>.',
	});
	const notAsked = sampleData('call.completed');

	/** Adds a word to look for, as a person does: one more row like the others. */
	const withWord = (word: string) => (workflow: WorkflowJson) => {
		const { parameters } = workflow.nodes.find(({ type }) => type.endsWith('.switch')) ?? {};
		const { values } = parameters?.rules as unknown as {
			values: Array<{ outputKey: string; conditions: { conditions: object[] } }>;
		};
		const rows = values.find(({ outputKey }) => outputKey === 'Yes')?.conditions.conditions ?? [];
		rows.push({ ...rows[0], id: randomUUID(), rightValue: word });
		return workflow;
	};

	const testTasks = testNeeding('Todoist node for the present Todoist API');
	testTasks('a request becomes one task and one message', async () => {
		const { api } = stack.n8n;
		const credentials = await api.newCredentials('todoistApi', { apiKey: 'stand-in' });
		const project = { __rl: true, mode: 'id', value: '2203306141' };
		const workflowId = await importExample(
			api,
			'callback-requests',
			service.credentials.voiceAgentApi.id,
			{
				...(await slackChoices()),
				'n8n-nodes-base.todoist': { parameters: { project }, credentials },
				[nodeTypes.trigger]: { parameters: OFTEN },
			},
			withWord('Rückruf'),
		);
		await api.publish(workflowId);
		const [endpoint] = service.sandbox.endpoints();
		const deliver = async (data: object) => {
			const event = createEvent('call.completed', data);
			const { status } = await request(stack, endpoint?.url ?? '', event);
			return { status, requests: standIn.take().map(({ host, body }) => ({ host, body })) };
		};
		const { status, requests } = await deliver(asked);
		expect(status).toBe(200);
		expect(requests).toMatchObject([
			{
				host: 'api.todoist.com',
				body: {
					content: 'Call back Ada Lovelace +14155550123',
					description: 'Ada asked to be Called Back at 5 <today>.',
					due_string: 'today',
					project_id: '2203306141',
				},
			},
			{
				host: 'slack.com',
				body: {
					channel: 'C0123456789',
					text: '*Call back +14155550123*\nAda asked to be Called Back at 5  today .',
				},
			},
		]);
		expect(await deliver(asked)).toEqual({ status: 200, requests: [] });
		expect(await deliver(notAsked)).toEqual({ status: 200, requests: [] });
		const feedback = { ...asked, call_id: 'call_feedback', summary: 'Good feedback, at the back.' };
		expect(await deliver(feedback)).toEqual({ status: 200, requests: [] });

		const inGerman = { ...asked, call_id: 'call_german', summary: 'Bitte um Rückruf.' };
		expect((await deliver(inGerman)).requests).toHaveLength(2);

		slackIsUp = false;
		const another = { ...asked, call_id: 'call_another' };
		const hosts = [{ host: 'api.todoist.com' }, { host: 'slack.com' }];
		expect(await deliver(another)).toMatchObject({ status: 500, requests: hosts });
		expect(await deliver(another)).toEqual({ status: 200, requests: [] });

		slackIsUp = true;
		await stack.proxy.close();
		service.sandbox.emit('call.completed', { ...asked, call_id: 'call_found_by_a_poll' });
		await service.sandbox.settled();
		stack.proxy.open();
		await until('the execution of a poll', 90, async () =>
			(await api.executions(workflowId)).some(
				({ mode, status }) => mode === 'trigger' && status === 'success',
			),
		);
		expect(standIn.take()).toMatchObject(hosts);
		await api.unpublish(workflowId);
	});
});
