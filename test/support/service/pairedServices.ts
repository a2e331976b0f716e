import { criteria, make } from 'covertable';

import { axes } from '../../../sandbox/axes';
import type { Dialect } from '../../../sandbox/dialects';
import { seed } from '../jest/random';

/** The conditions that vary beside the dialect; the first value of each is the simplest. */
const commonConditions = {
	/** The spelling of `call.completed` and of the other names in the catalog. */
	separator: ['.', '_', ':', '-'],
	authHeader: ['authorization', 'x-api-key'],
	pageSize: [3, 2, 5],
	/** The number of records that the test did not create. */
	otherRecords: [0, 2, 3, 7],
	/** The delay after which the list of endpoints shows a change (ms). */
	lagMs: [0, 300, 2_500],
	/** The response to every fifth request: 429, or 503 for `busy`. */
	limit: ['none', 'seconds', 'date', 'no time', 'busy'],
} as const;

/** The same for a trigger. */
const conditions = {
	...commonConditions,
	/** The selected event types, at first and later. */
	events: ['completed', 'two', 'every', 'started'],
	laterEvents: ['started', 'every', 'completed', 'two'],
	/** A change while the trigger is published. */
	change: ['nothing', 'removed by hand', 'disabled', 'key rotated', 'static data lost'],
} as const;

type Drawn<Of extends Record<string, readonly unknown[]>> = {
	[Name in keyof Of]: Of[Name][number];
};

/** A service with the content of its workspace, and the choices of a user. */
export type PairedService = Dialect & Drawn<typeof conditions>;

const simplest = Object.fromEntries(
	Object.entries(conditions).map(([name, [simple]]) => [name, simple]),
) as Drawn<typeof conditions>;

/**
 * @returns services that cover every pair of values. Another seed pairs them differently. The library's
 *   default criterion finds a tenth fewer services, and takes longer than their tests.
 */
function pairs(choices: Record<string, readonly unknown[]>): PairedService[] {
	return make(choices as Record<string, unknown[]>, { seed, criterion: criteria.simple })
		.map((drawn) => ({ ...simplest, ...drawn }) as unknown as PairedService)
		.map(withoutConflicts);
}

/** Services that cover every pair of values of two axes or conditions. */
export const servicesOfTriggers = pairs({ ...axes, ...conditions });

/** The same for operations: they meet events only in the log, where an event with a list may mislead. */
export const servicesOfOperations = pairs({
	...{ ...axes, ...commonConditions },
	eventEnvelope: ['type', 'array'],
});

/** @returns a service of the dialect, whose trigger loses its static data */
export function serviceOf(dialect: Dialect): PairedService {
	return { ...dialect, ...simplest, laterEvents: 'every', change: 'static data lost' };
}

/** @returns the service with lists of many pages, as far as they can be read */
export function withManyPages(service: PairedService): PairedService {
	return { ...service, otherRecords: 7, pageSize: service.paging === 'silent' ? 5 : 2 };
}

/** Replaces combinations that no client of the service can handle. */
function withoutConflicts(drawn: PairedService): PairedService {
	const service = { ...drawn };
	// An event type on an unread page is an unknown event type, which starts the workflow, and an endpoint there
	// is not found.
	if (service.paging === 'silent') Object.assign(service, { pageSize: 5, otherRecords: 0 });
	// A lifecycle call of ten seconds has no time for a delayed list, many pages and refusals.
	if (service.limit !== 'none') Object.assign(service, { lagMs: 0, otherRecords: 0, pageSize: 5 });
	return service;
}
