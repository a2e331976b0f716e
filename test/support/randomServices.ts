import { axes } from '../../sandbox/axes';
import type { Dialect } from '../../sandbox/dialects';
import { fc } from './random';

/** What a random test varies beside the dialect; the first value of each is the plainest. */
const circumstances = {
	/** The spelling of `call.completed` and of the other names in the catalog. */
	separator: ['.', '_', ':', '-'],
	authHeader: ['authorization', 'x-api-key'],
	pageSize: [3, 2, 5],
	/** The records of others, beside those of the test. */
	crowd: [0, 2, 3, 7],
	/** How far the list of endpoints is behind (ms). */
	lagMs: [0, 300, 2_500],
	/** Every fifth request is refused in this way. */
	limit: ['none', 'seconds', 'date', 'no time', 'busy'],
	/** An endpoint of an earlier life of the trigger, with an unknown token. */
	leftBehind: ['nothing', 'with token', 'without query', 'filling the quota'],
	/** The selected event types, at first and later. */
	events: ['completed', 'two', 'every', 'started'],
	laterEvents: ['started', 'every', 'completed', 'two'],
	/** An event of the published trigger's life. */
	meanwhile: ['nothing', 'removed by hand', 'disabled', 'key rotated', 'static data lost'],
} as const;

type Drawn<Of extends Record<string, readonly unknown[]>> = {
	[Name in keyof Of]: Of[Name][number];
};

/** A service, what a workspace of it holds, and what a user does. */
export type RandomService = Dialect & Drawn<typeof circumstances>;

/** All that is drawn, by name. */
export const drawnAxes = { ...axes, ...circumstances };

const arbitraryOf = <Value>([plain, ...others]: readonly Value[]): fc.Arbitrary<Value> =>
	fc.oneof(
		{ withCrossShrink: true },
		{ weight: Math.max(1, others.length >> 1), arbitrary: fc.constant(plain as Value) },
		...others.map((value) => ({ weight: 1, arbitrary: fc.constant(value) })),
	);

/** Services that keep the contract. A failing service is shrunken towards the assumed dialect. */
export const randomServices = fc
	.record(
		Object.fromEntries(
			Object.entries(drawnAxes).map(([name, values]) => [name, arbitraryOf<unknown>(values)]),
		),
	)
	.map((drawn) => settled(drawn as RandomService));

/**
 * The service of a dialect, with short pages. Its trigger loses its static data.
 *
 * @param crowd the records of others
 */
export function serviceOf(dialect: Dialect, crowd: RandomService['crowd']): RandomService {
	const plainest = Object.fromEntries(
		Object.entries(circumstances).map(([name, [plain]]) => [name, plain]),
	) as Drawn<typeof circumstances>;
	const life = { laterEvents: 'every', meanwhile: 'static data lost' } as const;
	return settled({ ...dialect, ...plainest, ...life, pageSize: 2, crowd });
}

/** Replaces circumstances that no reader of the service could cope with. */
function settled(drawn: RandomService): RandomService {
	const service = { ...drawn };
	// Only the token proves which endpoint a service gives back in place of a new one.
	if (service.sameUrl === 'old record') service.leftBehind = 'nothing';
	// An event type on a page that can't be read is an unknown event type, which runs.
	if (service.paging === 'silent') service.pageSize = 5;
	// Ten seconds are too short for a lifecycle call with a slow list and many pages or refusals.
	if (service.limit !== 'none') Object.assign(service, { lagMs: 0, crowd: 0, pageSize: 5 });
	return service;
}

/** Whether lists show the callback tokens in URLs. */
export function showsTokens({ listedUrl }: Dialect): boolean {
	return ['asSent', 'normalised', 'extended'].includes(listedUrl);
}

/** The differences of a drawn service from the plainest one. */
export function differencesOf(drawn: RandomService): string {
	const lines = Object.entries(drawnAxes).flatMap(([name, [plain]]) => {
		const value = drawn[name as keyof RandomService];
		return value === plain ? [] : [`  ${name}: ${value}`];
	});
	return lines.join('\n') || '  (none)';
}
