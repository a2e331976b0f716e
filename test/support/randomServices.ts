import { axes } from '../../sandbox/axes';
import type { Dialect } from '../../sandbox/dialects';
import { fc } from './random';

/** The conditions that vary beside the dialect; the first value of each is the simplest. */
const conditions = {
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
	/** An endpoint at the trigger's URL with an unknown token, from an earlier publish. */
	leftBehind: ['nothing', 'with token', 'without query', 'filling the quota'],
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
export type RandomService = Dialect & Drawn<typeof conditions>;

const arbitraryOf = <Value>([simple, ...others]: readonly Value[]): fc.Arbitrary<Value> =>
	fc.oneof(
		{ withCrossShrink: true },
		{ weight: Math.max(1, others.length >> 1), arbitrary: fc.constant(simple as Value) },
		...others.map((value) => ({ weight: 1, arbitrary: fc.constant(value) })),
	);

/** Services that keep the contract. A failing service is shrunk towards the assumed dialect. */
export const randomServices = fc
	.record(
		Object.fromEntries(
			Object.entries({ ...axes, ...conditions }).map(([name, values]) => [
				name,
				arbitraryOf<unknown>(values),
			]),
		),
	)
	.map((drawn) => withoutConflicts(drawn as RandomService));

/** @returns a service of the dialect with short pages, whose trigger loses its static data */
export function serviceOf(
	dialect: Dialect,
	otherRecords: RandomService['otherRecords'],
): RandomService {
	const simplest = Object.fromEntries(
		Object.entries(conditions).map(([name, [simple]]) => [name, simple]),
	) as Drawn<typeof conditions>;
	const choices = { laterEvents: 'every', change: 'static data lost' } as const;
	return withoutConflicts({ ...dialect, ...simplest, ...choices, pageSize: 2, otherRecords });
}

/** Replaces combinations that no client of the service can handle. */
function withoutConflicts(drawn: RandomService): RandomService {
	const service = { ...drawn };
	// An existing record with an unknown token can't be recognised as the endpoint for the same URL.
	if (service.sameUrl === 'old record') service.leftBehind = 'nothing';
	// An event type on an unread page is an unknown event type, which starts the workflow.
	if (service.paging === 'silent') service.pageSize = 5;
	// A catalog that can't be read to its end refuses no event type, and an empty error names none.
	if (service.paging === 'silent' && service.catalogEntry === 'wildcards') {
		if (service.errorBody === 'empty') service.errorBody = 'error';
	}
	// A lifecycle call of ten seconds has no time for a delayed list, many pages and refusals.
	if (service.limit !== 'none') Object.assign(service, { lagMs: 0, otherRecords: 0, pageSize: 5 });
	return service;
}
