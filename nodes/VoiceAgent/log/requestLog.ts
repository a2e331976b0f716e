import { NodeOperationError } from 'n8n-workflow';

import { requestPages, type ReadList } from '../lists/requestList';
import type { Context } from '../service/request';
import type { Deadline } from '../service/retry';
import { isObject } from '../text/json';
import { readAttempt, type LoggedAttempt, type LoggedEndpoint } from './attempts';

/** The log of an endpoint, as far as it was read: the newest attempt first, as far as the order shows. */
export interface Log extends ReadList<LoggedAttempt> {
	/** Whether the service lists the newest attempts first, so that they were read. */
	beginsWithNewest: boolean;
	/** Whether the deadline has cut off the reading, which a later call can continue. */
	isCutOff?: boolean;
}

/** What is read of a log. */
export interface LogPart {
	/** A log with the newest records first is read back to this time (ms since the epoch). */
	since?: number;
	/** So many attempts are enough, unless the log begins with the oldest. */
	most?: number;
	/** See {@link readAttempt}. */
	publishedAt?: number;
}

/** A reading of a log that can go on after its deadline: see {@link continueReading}. */
export type LogReading = ReturnType<typeof beginReading>;

/** A page is not begun with less time left than the slowest page took, and at least this (ms). */
const LEAST_TIME_MS = 1_000;

/** Prepares the reading of a log. It requests nothing. */
export function beginReading(context: Context, endpoint: LoggedEndpoint, part: LogPart) {
	const deadline: Deadline = { timeout: 0 };
	return {
		endpoint,
		part,
		/** The attempts so far. */
		attempts: [] as LoggedAttempt[],
		/** The present deadline, which {@link continueReading} sets. */
		deadline,
		pages: requestPages(context, 'deliveries', deadline, endpoint.id),
	};
}

/**
 * Reads page after page, until the log holds the part that was asked for, see {@link LogPart}.
 *
 * @param mayGoOn whether the reading may be continued later: then no page is begun that the deadline would cut off
 * @returns what was read so far, the newest attempt first. It is complete with all of that part
 * @throws NodeApiError if the first page can't be read
 */
export async function continueReading(
	reading: LogReading,
	deadline: Deadline,
	mayGoOn = false,
): Promise<Log> {
	const { attempts } = reading;
	Object.assign(reading.deadline, deadline);
	const end = await readPages(reading, mayGoOn).catch((error: Error) => {
		if (attempts.length === 0) throw error;
		return { complete: false, error };
	});
	const value = isOldestFirst(attempts) ? attempts.toReversed() : attempts;
	return { value, beginsWithNewest: isNewestFirst(attempts), ...end };
}

/** @returns how the reading ended */
async function readPages(
	reading: LogReading,
	mayGoOn: boolean,
): Promise<Pick<Log, 'complete' | 'isCutOff'>> {
	const { endpoint, part, attempts: value, deadline, pages } = reading;
	let slowest = LEAST_TIME_MS;
	for (let begin = Date.now(); ; begin = Date.now()) {
		const left = (deadline.endsAt ?? Infinity) - begin;
		if (mayGoOn && left < slowest) return { complete: false, isCutOff: true };
		const page = await pages.next();
		if (page.done) return { complete: page.value };
		slowest = Math.max(slowest, Date.now() - begin);
		const records = page.value.filter(isObject);
		const attempts = records.map((record) => readAttempt(record, endpoint, part.publishedAt));
		// A page may hold more records than a call takes arguments.
		for (const attempt of attempts) value.push(attempt);
		if (holdsPart(value, part, attempts)) return { complete: true };
	}
}

/** Whether enough of a log was read. @param page the last one that was read */
function holdsPart(
	value: LoggedAttempt[],
	{ since = -Infinity, most = Infinity }: LogPart,
	page: LoggedAttempt[],
): boolean {
	const last = timesOf(page).at(-1) ?? Infinity;
	const lastTwoPages = value.slice(-2 * page.length);
	const isEnough = value.length >= most && !isOldestFirst(value);
	return isEnough || (last < since && isNewestFirst(lastTwoPages));
}

/**
 * Requests the delivery log of an endpoint at once.
 *
 * @returns the log, see {@link continueReading}
 * @throws NodeApiError if the first page can't be read
 */
export async function requestLog(
	context: Context,
	endpoint: LoggedEndpoint,
	deadline: Deadline,
	part: LogPart = {},
): Promise<Log> {
	return await continueReading(beginReading(context, endpoint, part), deadline);
}

/** Requests the newest attempts of a log: one page, if it begins with the newest. Else it is {@link requestLog}. */
export async function requestNewest(
	context: Context,
	endpoint: LoggedEndpoint,
	deadline: Deadline,
): Promise<Log> {
	return await requestLog(context, endpoint, deadline, { since: Infinity });
}

/** @throws the failure of a page, or NodeOperationError, if the newest attempts of an incomplete log were not read */
export function assertNewestRead(context: Context, log: Log): void {
	const { value, complete, error, beginsWithNewest } = log;
	const [time, ...others] = new Set(value.map(({ details }) => details.time));
	// Of one time, the first ones count as the newest, as in most logs.
	const isOfOneTime = time !== null && others.length === 0;
	if (complete || beginsWithNewest || isOfOneTime) return;
	if (error) throw error;
	const message =
		'The log of deliveries is incomplete, and does not begin with the newest ones. Look at the rest in the dashboard of the service.';
	throw new NodeOperationError(context.getNode(), message);
}

/** Whether a log begins with the oldest record. Where the attempts of each event stand together, its ends show that. */
function isOldestFirst(attempts: LoggedAttempt[]): boolean {
	const times = timesOf(attempts);
	const { falls, rises } = stepsOf(times);
	if (falls > 2 * rises || rises > 2 * falls) return rises > falls;
	return (times.at(-1) ?? 0) > (times[0] ?? 0);
}

/** @returns the times of attempts that state one (ms since the epoch) */
export function timesOf(attempts: LoggedAttempt[]): number[] {
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
