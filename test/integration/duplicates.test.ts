/** Each event once: deliveries that equal an earlier one. */
import { identityOf } from '../../nodes/VoiceAgent/events/identity';
import { until } from '../../sandbox/stack/until';
import { skipTime } from '../support/time/clock';
import {
	CALL,
	post,
	publish,
	receiver,
	registeredUrl,
	sandbox,
	send,
	trigger,
	useReceiver,
} from '../support/n8n/receiveSetup';

useReceiver();

const DUPLICATE = { status: 200, answer: { ignored: 'duplicate' } };
const RUN = { status: 200, items: [CALL] };

/** A run of the workflow that the test ends, with the status of n8n's answer. */
interface Run {
	end: (status: number) => void;
	hasHungUp: () => boolean;
}

let runs: Run[];

beforeEach(() => {
	runs = [];
	receiver.run = undefined;
});

// After a failed test, requests would stay unanswered.
afterEach(() => runs.forEach(({ end }) => end(200)));

/** From now on, each run of the workflow lasts until the test ends it. */
function holdRuns(): void {
	receiver.run = async (response) =>
		await new Promise((end) => runs.push({ end, hasHungUp: () => response.closed }));
}

const untilRuns = async (count: number) =>
	await until(`run ${count}`, 10, () => runs.length === count && runs[count - 1]);

test.each([
	['200', false, 200],
	['500', false, 500],
	['200 after the service has hung up', true, 200],
	['500 after the service has hung up', true, 500],
])(
	'a delivery that equals one under way gets 503 until that is answered: %s',
	async (_, hangsUp, status) => {
		await publish();
		holdRuns();
		const service = new AbortController();
		const headers = { 'content-type': 'application/json' };
		const request = { method: 'POST', url: registeredUrl(), headers, data: JSON.stringify(CALL) };
		const first = send({ ...request, signal: service.signal }).catch(() => undefined);
		const { end, hasHungUp } = await untilRuns(1);
		if (hangsUp) {
			service.abort();
			await until('n8n to notice', 10, hasHungUp);
		}
		skipTime(90_000);
		expect(await send(request)).toMatchObject({ status: 503 });
		end(status);
		await first;
		const again = send(request);
		if (status === 500) (await untilRuns(2)).end(200);
		expect(await again).toMatchObject(status === 500 ? { status: 200, answer: '' } : DUPLICATE);
		expect(runs).toHaveLength(status === 500 ? 2 : 1);
	},
);

type Content = [body: object, headers: Record<string, string>];

test.each<[name: string, first: Content, second: Content, isDuplicate: boolean]>([
	['the same', [CALL, {}], [CALL, {}], true],
	['an id in a header only', [{}, { 'ce-id': '1' }], [{}, { 'ce-id': '1' }], true],
	['another client', [CALL, { 'user-agent': 'A' }], [CALL, { 'user-agent': 'B' }], true],
	['another id', [CALL, { 'x-event-id': '1' }], [CALL, { 'x-event-id': '2' }], false],
	['another body', [CALL, {}], [{ ...CALL, data: {} }, {}], false],
	['the ID of the call', [{ call_id: 'c1' }, {}], [{ call_id: 'c1' }, {}], true],
	['no id', [{ data: 1 }, {}], [{ data: 1 }, {}], false],
	['a batch of ids', [[CALL, { ...CALL, id: '2' }], {}], [[CALL, { ...CALL, id: '2' }], {}], true],
	['a batch with one id', [[CALL, { data: 1 }], {}], [[CALL, { data: 1 }], {}], false],
])('content that may differ: %s', async (_name, first, second, isDuplicate) => {
	await publish();
	expect(await post(registeredUrl(), ...first)).toMatchObject({
		status: 200,
		items: [first[0]].flat(),
	});
	const again = isDuplicate ? DUPLICATE : { status: 200, items: [second[0]].flat() };
	expect(await post(registeredUrl(), ...second)).toMatchObject(again);
});

test.each([
	[55, DUPLICATE],
	[65, RUN],
])('an equal delivery %s seconds later', async (seconds, expected) => {
	await publish();
	await post(registeredUrl());
	skipTime(seconds * 1000);
	expect(await post(registeredUrl())).toMatchObject(expected);
});

test('each workflow runs with the same event', async () => {
	await publish();
	const twin = trigger.twin(trigger.staticData);
	expect(await post(registeredUrl())).toMatchObject(RUN);
	receiver.open(Object.assign(twin, { workflowId: 'another' }));
	expect(await post(registeredUrl())).toMatchObject(RUN);
});

test('the test listener runs with each delivery, also with one that a workflow has processed', async () => {
	await publish({ testEvent: 'real' });
	expect(await post(registeredUrl())).toMatchObject(RUN);
	trigger.staticData = {};
	await trigger.call('create', true);
	receiver.open(trigger, 'manual');
	const { url } = sandbox.endpoints().find((endpoint) => endpoint.url.includes('webhook-test'))!;
	for (let time = 0; time < 2; time++) expect(await post(url)).toMatchObject(RUN);
});

test.each([
	[{ type: 'call.completed' }, true],
	[{ type: 'call.completed', id: 'C1' }, false],
])('%j starts the workflow after an equal event was caught up: %s', async (body, isStarted) => {
	await publish();
	trigger.staticData.settled = [{ time: Date.now(), ...identityOf(body.type, [], body) }];
	const { items } = await post(registeredUrl(), body);
	expect(items).toEqual(isStarted ? [body] : []);
});
