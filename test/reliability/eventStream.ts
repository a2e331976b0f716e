import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../sandbox/stack/until';
import { countExecutions } from './publishedTrigger';
import { table } from './report';
import type { Scheduled } from './schedule';
import { SentEvents } from './sentEvents';
import type { CrmWorkflow } from './workflow';

interface Stream {
	/** The least number of events. Further events are sent until the last disturbance is over. */
	events: number;
	/** The time between two events. */
	intervalMs: number;
	/** The limit of events that can still be delivered. At the limit, no further event is sent. */
	maxPending: number;
	/** In ascending order. */
	schedule: Array<Scheduled<Disturbance>>;
	/** Called again and again during each wait. */
	onWait?: () => Promise<void>;
}

/**
 * Restarts, crashes or publishes while events are sent.
 *
 * @param delivered resolves once no event that was sent before waits for a delivery
 */
export type Disturbance = (
	workflow: CrmWorkflow,
	delivered: () => Promise<void>,
) => Promise<unknown>;

/** Numbers of events, unless stated otherwise. The names are printed. */
type Outcome = Awaited<ReturnType<typeof sendEvents>>;

/** n8n detects late, or never, that the worker of an execution has ended. */
const UNCHANGED_MS = 30_000;

/** Sends events to a published workflow during the disturbances, counts the losses, and unpublishes it. */
export async function sendEvents(workflow: CrmWorkflow, stream: Stream) {
	const { sandbox } = workflow;
	const events = new SentEvents(sandbox);
	let isOver = false;
	const sendAll = async () => {
		while (!isOver) {
			events.emit();
			do await sleep(stream.intervalMs);
			while (!isOver && events.pending().length > stream.maxPending);
		}
	};
	const untilSent = (count: number) =>
		until(`event ${count}`, 1800, async () => {
			await stream.onWait?.();
			return events.count >= count;
		});
	const delivered = async () => {
		const before = events.pending();
		await until('the deliveries', 300, () => !events.pending().some((id) => before.includes(id)));
	};
	const sending = sendAll();
	try {
		for (const { after, disturb } of stream.schedule) {
			await untilSent(after);
			await disturb(workflow, delivered);
		}
		await untilSent(stream.events);
	} finally {
		isOver = true;
		await sending;
	}
	const counted = events.outcome(await settledWrites(workflow, events.count, stream.onWait));
	const endpoints = sandbox.endpoints().length;
	await workflow.unpublish();
	return {
		...counted,
		/** The number of endpoints at the end, while the workflow is published. */
		endpoints,
		/** The number of endpoints after the workflow is unpublished. */
		leftBehind: sandbox.endpoints().length,
	};
}

/**
 * Waits until all calls are in the CRM and no execution is running, or nothing has changed for 30 s.
 *
 * @param calls the number of calls
 * @param onWait called again and again meanwhile
 * @returns the number of writes of each call
 */
async function settledWrites(
	{ api, sandbox, workflowId, countWrites }: CrmWorkflow,
	calls: number,
	onWait?: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
	let isDelivered = false;
	void sandbox.settled().then(() => (isDelivered = true));
	let before = '';
	let deadline = Infinity;
	for (;;) {
		await onWait?.();
		const running = await countExecutions(api, { workflowId, status: ['new', 'running'] });
		const writes = await countWrites();
		const state = [running, ...writes.values()].join();
		if (state !== before) deadline = Date.now() + UNCHANGED_MS;
		before = state;
		const isComplete = writes.size >= calls && running === 0;
		if (isDelivered && (isComplete || Date.now() > deadline)) return writes;
		await sleep(500);
	}
}

/** Shows the outcomes of several streams as the rows of a table. */
export function outcomeTable(outcomes: Record<string, Outcome>): string[] {
	const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	const rows = Object.entries(outcomes).map(([title, outcome]) => ({ '': title, ...outcome }));
	const [first = {}] = rows;
	return table([Object.keys(first).map(inWords), ...rows.map((row) => Object.values(row))]);
}
