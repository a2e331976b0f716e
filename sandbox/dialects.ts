import { axes } from './axes';

type Axes = typeof axes;

/** A dialect: one value for each axis. */
export type Dialect = { [Axis in keyof Axes]: Axes[Axis][number] };

/** The assumptions: the first value of each axis. */
export const defaultDialect = Object.fromEntries(
	Object.entries(axes).map(([axis, values]) => [axis, values[0]]),
) as Dialect;

const eager = { ...defaultDialect, retrySchedule: 'eager' } as const;

/** Four whole services. */
export const namedDialects = {
	/** All assumptions. */
	assumed: defaultDialect,
	/** Everything in envelopes, and signed by the Standard Webhooks specification. */
	wrapped: {
		...eager,
		listEnvelope: 'nested',
		recordEnvelope: 'data',
		catalogEntry: 'slug',
		paging: 'page',
		successCode: 'ok',
		eventEnvelope: 'event.type',
		payload: 'camel',
		sampleType: 'ping',
		listedEvents: 'catalog',
		listedUrl: 'dropped',
		signature: 'standard-webhooks',
	},
	/** Short bodies: bare arrays, and headers for the rest. */
	terse: {
		...eager,
		listEnvelope: 'array',
		recordEnvelope: 'resource',
		catalogEntry: 'string',
		paging: 'link',
		successCode: 'accepted',
		eventEnvelope: 'header',
		sampleType: 'untyped',
		listedEvents: 'star',
		listedUrl: 'normalised',
		signature: 'hmac-hex',
	},
	/** Fields below ids, as JSON:API has them, CloudEvents, and a URL that answers a challenge and is registered once. */
	cloud: {
		...eager,
		recordEnvelope: 'split',
		recordShape: 'attributes',
		catalogEntry: 'map',
		paging: 'last id',
		eventEnvelope: 'cloudevents',
		eventSpelling: 'upper',
		payload: 'form',
		listedEvents: 'empty',
		challenge: 'post',
		sameUrl: '409',
		signature: 'timestamped',
	},
} as const satisfies Record<string, Dialect>;

/** The pagings that leave the body as it is. */
const pagingsOutside: ReadonlyArray<Dialect['paging']> = ['none', 'link'];

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
