import { NodeOperationError } from 'n8n-workflow';

import { requestPages, type ReadList } from '../lists/requestList';
import type { Context } from '../service/request';
import type { Deadline } from '../service/retry';
import { isObject } from '../text/json';
import { readDeliveryDetails, type LoggedAttempt, type LoggedEndpoint } from './deliveryDetails';

/** The log of an endpoint, as far as it was read. */
export type Log = ReadList<LoggedAttempt>;

/**
 * Requests the delivery log of an endpoint.
 *
 * @param since a log with the newest records first is read up to the first page that is older (ms since
 *   the epoch)
 * @returns the log, which is complete with all attempts of the time that was asked for
 * @throws NodeApiError if the first page can't be read
 */
export async function requestLog(
	context: Context,
	endpoint: LoggedEndpoint,
	deadline: Deadline,
	since = -Infinity,
): Promise<Log> {
	const value: LoggedAttempt[] = [];
	const pages = requestPages(context, 'deliveries', deadline, endpoint.id);
	let page = await pages.next();
	try {
		for (; !page.done; page = await pages.next()) {
			const records = page.value.filter(isObject);
			const read = records.map((record) => ({
				record,
				details: readDeliveryDetails(record, endpoint),
			}));
			// A page may hold more records than a call takes arguments.
			for (const attempt of read) value.push(attempt);
			const times = timesOf(read);
			const isOlder = times.length > 0 && times.every((time) => time < since);
			if (isOlder && isNewestFirst(value)) return { value, complete: true };
		}
		return { value, complete: page.value };
	} catch (error) {
		return { value, complete: false, error: error as Error };
	}
}

/** Requests the newest attempts of a log: one page, if it begins with the newest. Else it is {@link requestLog}. */
export async function requestNewest(
	context: Context,
	endpoint: LoggedEndpoint,
	deadline: Deadline,
) {
	return await requestLog(context, endpoint, deadline, Date.now());
}

/** @throws the failure of a page, or NodeOperationError, if an attempt that was not read may settle a failure */
export function assertDecisive(context: Context, { value, complete, error }: Log): void {
	if (complete || isNewestFirst(value)) return;
	if (error) throw error;
	const message = 'The log of deliveries is incomplete, and begins with the oldest ones.';
	throw new NodeOperationError(context.getNode(), message);
}

/** @returns the attempts in the order in which they happened: most logs begin with the newest record */
export function inOrder(attempts: LoggedAttempt[]): LoggedAttempt[] {
	const { falls, rises } = stepsOf(timesOf(attempts));
	return rises > 2 * falls ? attempts : attempts.toReversed();
}

/** @returns the times of attempts that state one, in milliseconds since the epoch */
function timesOf(attempts: LoggedAttempt[]): number[] {
	return attempts.flatMap(({ details: { time } }) => (time === null ? [] : Date.parse(time)));
}

/**
 * Detects the order of a log, of which the first pages then hold the newest attempts. In a log of events, the last
 * attempt of an older event may be later: 10:30, 10:20, 10:25, 10:10, 10:00 → true; 10:30, 10:00, 10:10 → false;
 * 10:30, 10:30 → false
 */
export function isNewestFirst(attempts: LoggedAttempt[]): boolean {
	const { falls, rises } = stepsOf(timesOf(attempts));
	return falls > 2 * rises;
}

/** Counts how often the next time is earlier, and how often it is later. */
function stepsOf(times: number[]) {
	const steps = times.slice(1).map((time, index) => Math.sign(time - times[index]!));
	const count = (sign: number) => steps.filter((step) => step === sign).length;
	return { falls: count(-1), rises: count(1) };
}
