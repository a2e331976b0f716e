import { axes } from './axes';

type Axes = typeof axes;

/** A dialect: one value for each axis. */
export type Dialect = { [Axis in keyof Axes]: Axes[Axis][number] };

/** The assumptions: the first value of each axis. */
export const defaultDialect = Object.fromEntries(
	Object.entries(axes).map(([axis, values]) => [axis, values[0]]),
) as Dialect;

const eager = { ...defaultDialect, retrySchedule: 'eager' } as const;

/** Six whole services; the last three have unusual names. */
export const namedDialects = {
	/** All assumptions. */
	assumed: defaultDialect,
	/** Everything in envelopes, and signed by the Standard Webhooks specification. */
	wrapped: {
		...eager,
		listEnvelope: 'nested',
		recordEnvelope: 'nested',
		catalogEntry: 'slug',
		paging: 'page',
		errorBody: 'errors',
		successCode: 'ok',
		eventEnvelope: 'event.type',
		sampleType: 'ping',
		listedEvents: 'catalog',
		listedUrl: 'masked',
		signature: 'standard-webhooks',
	},
	/** Short bodies: bare arrays, and headers for the rest. */
	terse: {
		...eager,
		listEnvelope: 'array',
		emptyList: 'no content',
		recordEnvelope: 'resource',
		catalogEntry: 'id',
		paging: 'link',
		errorBody: 'title',
		successCode: 'accepted',
		eventEnvelope: 'header',
		sampleType: 'untyped',
		listedEvents: 'star',
		listedUrl: 'normalised',
		signature: 'hmac-hex',
	},
	/** Odd envelopes with noise in all of them; the event type in a vendor's header, URLs masked by `x`. */
	odd: {
		...eager,
		listEnvelope: 'odd',
		recordEnvelope: 'request',
		catalogEntry: 'groups',
		paging: 'last',
		errorBody: 'detail',
		successCode: 'ok',
		eventEnvelope: 'vendor header',
		payload: 'camel',
		sampleType: 'untyped',
		listedUrl: 'x-masked',
		signature: 'timestamped',
		sameUrl: '409 with query',
	},
	/** Fields below ids, as JSON:API has them, and everything in capitals. */
	formal: {
		...eager,
		listEnvelope: 'data',
		emptyList: 'null',
		recordEnvelope: 'split',
		recordShape: 'attributes',
		catalogEntry: 'map',
		paging: 'last id',
		errorBody: 'title',
		eventEnvelope: 'event.name',
		eventSpelling: 'upper',
		payload: 'from-to',
		listedEvents: 'upper',
		signature: 'svix',
	},
	/** CloudEvents in binary mode, to a URL that answers a challenge and can be registered once. */
	cloud: {
		...eager,
		listEnvelope: 'edges',
		recordEnvelope: 'odd',
		recordShape: 'related',
		catalogEntry: 'wildcards',
		paging: 'content-range',
		errorBody: 'message',
		successCode: 'accepted',
		eventEnvelope: 'ce-type',
		eventSpelling: 'urn',
		payload: 'form',
		listedEvents: 'hidden',
		challenge: 'post',
		sameUrl: '409',
	},
} as const satisfies Record<string, Dialect>;

/** The pagings that leave the body as it is. */
const pagingsOutside: ReadonlyArray<Dialect['paging']> = [
	'none',
	'link',
	'content-range',
	'total-count',
];

/**
 * The paging that a dialect can express: a bare array has no place for paging fields, so the `Link`
 * header replaces them.
 */
export function effectivePaging({ listEnvelope, paging }: Dialect): Dialect['paging'] {
	return listEnvelope === 'array' && !pagingsOutside.includes(paging) ? 'link' : paging;
}

/**
 * Reads a dialect as written on the command line: words between commas, each a named dialect
 * (`wrapped`) or an axis with its value (`listEnvelope=array`); later words override earlier ones.
 *
 * @throws an Error with the unknown word and the possible ones
 */
export function parseDialect(text: string): Dialect {
	const words = text
		.split(',')
		.map((word) => word.trim())
		.filter(Boolean);
	return Object.assign({}, defaultDialect, ...words.map(parseWord)) as Dialect;
}

function parseWord(word: string): Partial<Dialect> {
	const [name = '', value] = word.split('=');
	if (value === undefined) return oneOf(namedDialects, name, 'dialect');
	const values: readonly string[] = oneOf(axes, name, 'axis of dialects');
	if (!values.includes(value)) {
		throw new Error(`'${name}' can't be '${value}'; it can be ${values.join(', ')}`);
	}
	return { [name]: value };
}

function oneOf<Value>(table: Record<string, Value>, name: string, kind: string): Value {
	const found = Object.entries(table).find(([key]) => key === name);
	if (!found) {
		throw new Error(`There is no ${kind} '${name}'; there is ${Object.keys(table).join(', ')}`);
	}
	return found[1];
}
