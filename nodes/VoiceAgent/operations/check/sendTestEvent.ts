import { sleep } from 'n8n-workflow';

import type { ReadList } from '../../lists/requestList';
import type { Deadline } from '../../service/retry';
import type { LoggedAttempt } from '../../log/attempts';
import type { Item } from '../operation';
import { testWebhook } from '../recordId';

/** How long the log is read (ms): longer than services wait for an answer. */
const TEST_EVENT_WAIT_MS = 20_000;
const INTERVAL_MS = 1_000;
/** The time for the last reading of the log (ms). */
const LAST_READ_MS = 4_000;

type DeliveryLog = ReadList<LoggedAttempt>;

/** Reads the log again, until a deadline. */
type ReadLog = (deadline: Deadline) => Promise<DeliveryLog>;

/**
 * Requests a test event, and reads the log until it shows the delivery.
 *
 * @param before the log before the test event
 * @returns whether the test event arrived (null if unknown), and the newest log
 */
export async function sendTestEvent(item: Item, before: DeliveryLog, readLog: ReadLog) {
	try {
		await testWebhook(item);
	} catch (error) {
		const what = `The service did not send a test event: ${(error as Error).message}`;
		return { arrived: null, log: before, doubts: [{ what, toDo: 'Then check again.' }] };
	}
	let log = before;
	const until = Date.now() + TEST_EVENT_WAIT_MS;
	while (!before.error && Date.now() + INTERVAL_MS < until) {
		await sleep(INTERVAL_MS);
		log = await readLog({ ...item.deadline, endsAt: until + LAST_READ_MS });
		const arrived = arrivedSince(before.value, log.value);
		if (arrived !== null) return { arrived, log, doubts: [] };
	}
	const what = 'A test event was sent, and the log does not show whether it arrived.';
	const toDo = 'Look at the executions of the workflow.';
	return { arrived: null, log, doubts: [{ what, toDo }] };
}

/** @returns whether the new deliveries arrived; null if there is none or their results differ */
function arrivedSince(before: LoggedAttempt[], now: LoggedAttempt[]): boolean | null {
	const nameOf = ({ details: { id, time } }: LoggedAttempt) => id ?? time;
	const known = new Set(before.map(nameOf));
	// A further attempt is a resend of an earlier event.
	const isNew = (one: LoggedAttempt) => !known.has(nameOf(one)) && (one.details.attempt ?? 1) <= 1;
	const results = new Set(now.filter(isNew).map(({ lastArrived }) => lastArrived));
	const [result = null] = results;
	return results.size === 1 ? result : null;
}
