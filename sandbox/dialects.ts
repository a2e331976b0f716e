import { axes } from './axes';

type Axes = typeof axes;

/** One value for each axis: all that a client of the service can't know from its contract. */
export type Dialect = { [Axis in keyof Axes]: Axes[Axis][number] };

/** The assumptions: the first value of each axis. */
export const defaultDialect = Object.fromEntries(
	Object.entries(axes).map(([axis, values]) => [axis, values[0]]),
) as Dialect;

/** Eight whole services; the last five are like nothing that a list of usual names would hold. */
export const namedDialects = {
	/** All assumptions. */
	assumed: defaultDialect,
	/** Everything in envelopes, told in full, and signed by the Standard Webhooks specification. */
	wrapped: {
		...defaultDialect,
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
		retrySchedule: 'eager',
	},
	/** As little in bodies as can be: bare arrays, and headers for the rest. */
	terse: {
		...defaultDialect,
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
		retrySchedule: 'eager',
	},
	/** Odd envelopes with noise in all of them; a vendor's header tells the type, and `x` hide URLs. */
	odd: {
		...defaultDialect,
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
		retrySchedule: 'eager',
	},
	/** Fields below ids, as JSON:API has them, and everything in capitals. */
	formal: {
		...defaultDialect,
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
		retrySchedule: 'eager',
	},
	/** CloudEvents in binary mode, to a URL that has met a challenge and is taken only once. */
	cloud: {
		...defaultDialect,
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
		retrySchedule: 'eager',
	},
	/** Events in batches, of versioned types; an address that is known gets its old record. */
	batched: {
		...defaultDialect,
		listEnvelope: 'odd',
		emptyList: 'no content',
		recordEnvelope: 'odd',
		recordShape: 'attributes',
		catalogEntry: 'event',
		paging: 'marker',
		errorBody: 'error',
		eventEnvelope: 'events',
		eventSpelling: 'version last',
		payload: 'camel',
		sampleType: 'ping',
		listedEvents: 'empty',
		signature: 'hmac-base64',
		sameUrl: 'old record',
		retrySchedule: 'eager',
	},
	/** Lists whose headers alone tell their length, and events inside of events. */
	layered: {
		...defaultDialect,
		listEnvelope: 'edges',
		recordEnvelope: 'request',
		recordShape: 'related',
		catalogEntry: 'groups',
		paging: 'total-count',
		errorBody: 'html',
		successCode: 'ok',
		eventEnvelope: 'data.type',
		eventSpelling: 'versioned',
		payload: 'from-to',
		sampleType: 'untyped',
		listedEvents: 'hidden',
		listedUrl: 'dropped',
		challenge: 'post',
		sameUrl: '422',
		retrySchedule: 'eager',
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
 * The paging that a dialect can express: a bare array has no place for paging data, so what would
 * stand in the body is told by the `Link` header there.
 */
export function effectivePaging({ listEnvelope, paging }: Dialect): Dialect['paging'] {
	return listEnvelope === 'array' && !pagingsOutside.includes(paging) ? 'link' : paging;
}

/**
 * Reads a dialect as written on the command line: words between commas, each a named dialect
 * (`wrapped`) or an axis with its value (`listEnvelope=array`); later words override earlier ones.
 *
 * @throws an Error that names the unknown word and what could stand in its place
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
