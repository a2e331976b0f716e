/** Missed events: a killed n8n, deliveries while n8n starts, and failing executions. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { Attempt } from '../../sandbox/service';
import { importMainExample } from '../../sandbox/stack/example';
import { startStack, type Stack } from '../../sandbox/stack/stack';
import { isFulfilled, until } from '../../sandbox/stack/until';
import {
	changeTrigger,
	LOGGING_DIALECT,
	OFTEN,
	send,
	type Stream,
} from '../support/publishing/caughtUpEvents';
import { tableNamed } from '../support/n8n/dataTables';
import { repeatMigration } from '../support/n8n/database';
import { startService } from './harness';

const MINUTE_MS = 60_000;
/** The time until all events are recorded: some polls of ten seconds, and a reserve for a slow machine. */
const RECORDED_S = 240;
const EVENTS_AT_ONCE = 2;
/** n8n is starting for some milliseconds only, which a test on a busy machine may miss. */
const MOST_CRASHES = 5;
/** n8n aborts a migration after a second. */
const LONGEST_LOCK_MS = 700;

/**
 * The steps by which an example is set up. A change is saved; the next publish, if any, publishes it. All orders
 * of steps are tried on n8n's core; each example here costs an execution for each event. No title is a part of
 * another: n8n's Data Table node finds tables by a part of their name.
 */
const ORDERS = ['(publish, publish)', '(publish, unpublish, change, publish, change)'];
const SIGNED = 'signed (publish)';

/** The example with a table of customers. Each call is of another customer. */
interface Example {
	title: string;
	workflowId: string;
	tableId: string;
	stream: Stream;
	/** The endpoints that it had when events were sent. */
	endpointIds: string[];
}

let stack: Stack;
/** The service resends an event for five seconds. */
let resent: Stream;
/** The service sends an event once. The executions fail. */
let failing: Stream;
const examples: Example[] = [];
const examplesOf = (stream: Stream) => examples.filter((example) => example.stream === stream);

beforeAll(async () => {
	stack = await startStack({ gate: false });
	const start = async (retrySchedule: 'eager' | 'once'): Promise<Stream> => {
		const { sandbox, credentials } = await startService(stack, {
			...LOGGING_DIALECT,
			retrySchedule,
		});
		return { sandbox, credentialId: credentials.voiceAgentApi.id, sent: [] };
	};
	[resent, failing] = [await start('eager'), await start('once')];
}, 15 * MINUTE_MS);
afterAll(async () => {
	for (const stream of [resent, failing]) await stream?.sandbox.stop();
	await stack?.stop();
}, MINUTE_MS);

/** Imports the example, and sets it up by the steps in its title. `more` are parameters of the trigger. */
async function setUp(stream: Stream, title: string, more: INodeParameters = {}): Promise<void> {
	const { api } = stack.n8n;
	const ids = await importMainExample(api, stream.credentialId, title);
	await changeTrigger(api, ids.workflowId, { ...OFTEN, ...more });
	const example: Example = { title, ...ids, stream, endpointIds: [] };
	examples.push(example);
	await perform(example, /\((.+)\)/.exec(title)?.[1] ?? '');
}

/** Publishes, unpublishes and changes an example. A change selects one more event type, or one less. */
async function perform({ workflowId, stream, endpointIds }: Example, steps: string) {
	const { api } = stack.n8n;
	for (const step of steps.split(', ')) {
		if (step === 'publish') await api.publish(workflowId);
		if (step === 'unpublish') await api.unpublish(workflowId);
		if (step === 'change') {
			const { nodes } = await api.workflow(workflowId);
			const isChanged = JSON.stringify(nodes).includes('call.failed');
			const events = ['call.completed', ...(isChanged ? [] : ['call.failed'])];
			await changeTrigger(api, workflowId, { events });
		}
	}
	const known = examples.flatMap((example) => example.endpointIds);
	const ids = stream.sandbox.endpoints().map(({ id }) => id);
	endpointIds.push(...ids.filter((id) => !known.includes(id)));
}

/** Waits until the log of each endpoint has been read twice. */
async function pollTwice(): Promise<void> {
	const countPolls = examples.map(({ stream, endpointIds }) => () => {
		const path = `${endpointIds.at(-1)}/deliveries`;
		return stream.sandbox.requests.filter((request) => request.path.includes(path)).length;
	});
	const before = countPolls.map((count) => count());
	await until('two polls', RECORDED_S, () =>
		countPolls.every((count, index) => count() >= before[index]! + 2),
	);
}

const recorded = async ({ tableId }: Example) =>
	(await stack.n8n.api.dataTableRows(tableId)).map((row) => row.last_call_id as string);

const isOfStart = ({ response_body }: Attempt) => /starting up/.test(response_body ?? '');

/** Expects that each event is recorded once, and that a poll started each missed event once. */
async function expectEachOnce(): Promise<void> {
	const { sandbox, sent } = resent;
	for (const example of examplesOf(resent)) {
		const { title, workflowId, endpointIds } = example;
		await until(`the calls of ${title}`, RECORDED_S, async () => {
			const calls = await recorded(example);
			return sent.every((call) => calls.includes(call));
		});
		// A call is recorded before the delivery is answered.
		await sandbox.settled();
		const attempts = endpointIds.flatMap((id) => sandbox.deliveriesOf(id));
		const arrived = attempts.filter((one) => one.status === 'delivered' && !isOfStart(one));
		const countEvents = (some: Attempt[]) => new Set(some.map(({ event_id }) => event_id)).size;
		const executions = await stack.n8n.api.executions(workflowId);
		expect({
			title,
			calls: (await recorded(example)).sort(),
			logged: countEvents(attempts),
			startedByPolls: executions.filter(({ mode }) => mode === 'trigger').length,
		}).toEqual({
			title,
			calls: sent.toSorted(),
			logged: sent.length,
			startedByPolls: sent.length - countEvents(arrived),
		});
	}
}

/** Waits until n8n listens, which is before n8n is ready. */
async function untilListening(url: string): Promise<void> {
	const { hostname, port } = new URL(url);
	for (let isListening = false; !isListening; await sleep(1)) {
		const socket = connect(Number(port), hostname);
		isListening = await isFulfilled(once(socket, 'connect'));
		socket.destroy();
	}
}

/** @returns whether the log has such an attempt */
const isLogged = (isExpected: (attempt: Attempt) => boolean) =>
	examplesOf(resent).some(({ endpointIds }) =>
		endpointIds.some((id) => resent.sandbox.deliveriesOf(id).some(isExpected)),
	);

/** Kills n8n under load, and starts it. Events are sent before, while n8n is down, and while it starts. */
async function crash(): Promise<void> {
	const { n8n } = stack;
	const { sandbox } = resent;
	const begin = new Date().toISOString();
	send(resent, EVENTS_AT_ONCE);
	await until('the first answer', RECORDED_S, () =>
		isLogged(({ attempted_at, status }) => attempted_at >= begin && status === 'delivered'),
	);
	await n8n.kill();
	send(resent, EVENTS_AT_ONCE);
	await sandbox.settled();
	const database = repeatMigration(n8n);
	const restarted = n8n.restart();
	await untilListening(n8n.url);
	database.exec('BEGIN IMMEDIATE');
	send(resent, EVENTS_AT_ONCE);
	await Promise.race([sandbox.settled(), sleep(LONGEST_LOCK_MS)]);
	database.close();
	await restarted;
}

describe('missed events', () => {
	jest.setTimeout(15 * MINUTE_MS);

	test('no poll starts a workflow while nothing is missed', async () => {
		for (const title of ORDERS) await setUp(resent, title);
		await setUp(resent, SIGNED, { options: { acknowledge: 'finished', verifySignature: true } });
		send(resent, 1);
		await expectEachOnce();
		await pollTwice();
		await expectEachOnce();
	});

	// Promise: In a real n8n that is killed under load, each event is recorded once.
	test('each event is recorded once after a crash under load, and a start of n8n', async () => {
		for (let crashes = 0; crashes < MOST_CRASHES && !isLogged(isOfStart); crashes++) {
			await crash();
			await expectEachOnce();
		}
		expect(isLogged(isOfStart)).toBe(true);
	});

	test('a failed execution is started once more, if the service learns of it', async () => {
		const { api } = stack.n8n;
		const titles = [
			'When Last Node Finishes (publish)',
			'Immediately (publish)',
			'Without a cure (publish)',
		];
		await setUp(failing, titles[0]!);
		await setUp(failing, titles[1]!, { options: {} });
		await setUp(failing, titles[2]!);
		// The example fails without a column.
		const [mend] = await Promise.all(
			titles.map((title) => tableNamed(api, `customers ${title}`).removeColumn('last_summary')),
		);
		const { sandbox, sent } = failing;
		// No poll reads the log until one of the faults is mended.
		sandbox.fault = ({ path }) =>
			path.endsWith('/deliveries') ? { kind: 'status', status: 503 } : undefined;
		send(failing, 1);
		const endings = () =>
			Promise.all(
				examplesOf(failing).map(async ({ workflowId }) => {
					const executions = await api.executions(workflowId);
					return executions.map(({ mode, status }) => `${mode} ${status}`).sort();
				}),
			);
		await until('the failed executions', RECORDED_S, async () =>
			(await endings()).every((each) => each.join() === 'webhook error'),
		);
		await mend?.();
		sandbox.fault = undefined;
		await until('the executions of a poll', RECORDED_S, async () =>
			(await endings())[0]?.includes('trigger success'),
		);
		await pollTwice();
		expect(await endings()).toEqual([
			['trigger success', 'webhook error'],
			['webhook error'],
			['trigger error', 'webhook error'],
		]);
		expect(await Promise.all(examplesOf(failing).map(recorded))).toEqual([[...sent], [], []]);
	});
});
