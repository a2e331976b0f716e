import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Payload } from './callPayloads';

/*
 * Moves a payload about without changing what it says: other names of envelopes, deeper, in another
 * case, in another order, beside noise, of other people with other numbers, written otherwise.
 */

/** How to move a payload. */
export interface Move {
	/** Names around the whole event, from the outside in. */
	envelopes: string[];
	/** A name in place of each plain envelope inside of it. */
	inner: string;
	style: keyof typeof STYLES;
	person: { first: string; last: string; email: string; number: string };
	agent: { name: string; number: string };
	/** A way to write numbers, for each number in turn. */
	writings: Array<keyof typeof WRITINGS>;
	withheld: string;
	noise: Array<[string, unknown]>;
	isReversed: boolean;
}

const STYLES = {
	camel: (words: string[]) => words.map((word, at) => (at === 0 ? word : capital(word))).join(''),
	Pascal: (words: string[]) => words.map(capital).join(''),
	snake: (words: string[]) => words.join('_'),
	kebab: (words: string[]) => words.join('-'),
	Header: (words: string[]) => words.map(capital).join('-'),
	SCREAMING: (words: string[]) => words.join('_').toUpperCase(),
	blanks: (words: string[]) => words.join(' '),
	sent: undefined,
};

/** Writings of a number; the first digits of it are those of the country. */
const WRITINGS = {
	e164: (country: string, rest: string) => `+${country}${rest}`,
	blanks: (country: string, rest: string) => `+${country} ${rest.slice(0, 2)} ${rest.slice(2)}`,
	brackets: (country: string, rest: string) =>
		`+${country} (${rest.slice(0, 3)}) ${rest.slice(3, 6)}-${rest.slice(6)}`,
	zero: (country: string, rest: string) => `+${country} (0)${rest.slice(0, 2)}/${rest.slice(2)}`,
	double: (country: string, rest: string) => `00${country}${rest}`,
	tel: (country: string, rest: string) => `tel:+${country}-${rest}`,
	sip: (country: string, rest: string) => `sip:+${country}${rest}@sip.example.com;user=phone`,
	national: (_: string, rest: string) => `0${rest.slice(0, 3)} ${rest.slice(3)}`,
};

const ENVELOPES = [
	'data',
	'payload',
	'body',
	'message',
	'detail',
	'event',
	'event_data',
	'resource',
	'record',
	'object',
	'result',
	'content',
	'call',
	'conversation',
	'notification',
	'blorp',
	'xQ7',
	'wrapper',
];
/** Envelopes that say nothing, in the payloads. */
const PLAIN = new Set([
	'data',
	'payload',
	'params',
	'detail',
	'message',
	'resource',
	'object',
	'body',
	'call',
	'call_data',
	'callingTerminate',
	'telephony_data',
]);

const NOISE: Array<[string, unknown]> = [
	['trace_id', '4bf92f3577b34da6'],
	['retry_count', 2],
	['api_version', '2027-01-01'],
	['region', 'eu-central-1'],
	['workspace_id', 'ws_981'],
	['organization_id', 77120],
	['tags', [{ id: 4, label: 'vip' }]],
	['price', { amount: 0.31, currency: 'EUR' }],
	['sequence_number', 9],
	['checksum', 'a94a8fe5ccb19ba61c4c0873d391e987'],
	['is_test', false],
	['score', 0.93],
	['language', 'en'],
	['attempt', { count: 1, max: 5 }],
	['labels', ['red', 'green']],
	['nothing', null],
	[
		'account',
		{ id: 'acc_1', name: 'Studio', email: 'billing@studio.example', phone: '+4930999999' },
	],
	['created_by', { id: 'u_1', name: 'Boss', email: 'boss@studio.example' }],
	['delivery', { id: 'dlv_1', status: 'success', attempt: 1, started_at: '2026-01-01T00:00:00Z' }],
	['request_id', 'req_77'],
	['event_id', 'e_77'],
	['workspace', { id: 'ws_981', name: 'Studio' }],
	['billing', { duration: 240, minutes: 4, status: 'paid' }],
	['webhook', { id: 'wh_1', url: 'https://hooks.example/1', status: 'active' }],
	['support_email', 'help@studio.example'],
	['_links', { self: { href: 'https://api.example/1' } }],
	['costs', [{ type: 'llm', duration: 3, name: 'Model' }]],
	['latency', { start: 12, end: 40, duration: 28 }],
	['hostname', 'api-1'],
	['user_agent', 'hooks/1.0'],
	['sent_at', '2026-11-18T16:00:00Z'],
	['published_at', 1795019999],
];

const name = fc.constantFrom('Grace', 'Zoë', 'Łukasz', 'Ada', 'Ngozi', 'Jean-Luc', "Siân O'Dea");
const last = fc.constantFrom('Hopper', 'Müller', 'de la Cruz', 'Kowalska', 'Ito', 'Nnamdi');
const digits = (count: number) =>
	fc
		.array(fc.integer({ min: 1, max: 9 }), { minLength: count, maxLength: count })
		.map((all) => all.join(''));
const number = fc.oneof(
	digits(7).map((rest) => `1:212${rest}`),
	digits(8).map((rest) => `49:30${rest}`),
	digits(9).map((rest) => `33:${rest}`),
	digits(10).map((rest) => `44:${rest}`),
	digits(10).map((rest) => `91:${rest}`),
);

/** All the ways to move a payload. */
export const moves: fc.Arbitrary<Move> = fc.record({
	envelopes: fc.array(fc.constantFrom(...ENVELOPES), { maxLength: 4 }),
	inner: fc.constantFrom(...ENVELOPES),
	style: fc.constantFrom(...(Object.keys(STYLES) as Array<keyof typeof STYLES>)),
	person: fc.record({ first: name, last, email: fc.emailAddress(), number }),
	agent: fc.record({ name: fc.constantFrom('Robo Reception', 'Iris', 'Max Weber'), number }),
	writings: fc.array(fc.constantFrom(...(Object.keys(WRITINGS) as Array<keyof typeof WRITINGS>)), {
		minLength: 1,
		maxLength: 5,
	}),
	withheld: fc.constantFrom(
		'anonymous',
		'Restricted',
		'PRIVATE',
		'+266696687',
		'blocked',
		'Unknown Caller',
		'sip:anonymous@anonymous.invalid',
	),
	noise: fc.subarray(NOISE),
	isReversed: fc.boolean(),
});

/** A moved payload: the event, and what a text of the payload has become. */
export interface Moved {
	body: IDataObject;
	renamed: (text: string) => string;
}

/** Moves a payload about. */
export function move({ body, expected }: Payload, how: Move): Moved {
	const person = text(expected.customerName);
	const [first = '', family = ''] = splitName(person);
	const numbers = [
		[text(expected.customerPhone), how.person.number],
		[text(expected.agentPhone), how.agent.number],
	].filter(([old]) => old !== '') as Array<[string, string]>;
	const names: Array<[string, string]> = [
		[text(expected.customerEmail), how.person.email],
		[person, `${how.person.first} ${how.person.last}`],
		[text(expected.agentName), how.agent.name],
		[first, how.person.first],
		[family, how.person.last],
	].filter(([old]) => old !== '') as Array<[string, string]>;
	let written = 0;

	const event = walk(body) as IDataObject;
	return { body: wrap(event), renamed };

	function renamed(old: string): string {
		const known = numbers.find(([from]) => isNumber(old, from));
		if (known !== undefined) return WRITINGS.e164(...split(known[1]));
		return names.reduce((changed, [from, to]) => (changed === from ? to : changed), old);
	}

	function walk(value: unknown): unknown {
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value === 'string') return rewrite(value);
		if (typeof value !== 'object' || value === null) return value;
		const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
			styled(PLAIN.has(key) && isObject(inner) && !(how.inner in value) ? how.inner : key),
			walk(inner),
		]);
		return Object.fromEntries(how.isReversed ? entries.reverse() : entries);
	}

	function rewrite(old: string): string {
		if (WITHHELD.test(old)) return how.withheld;
		const known = numbers.find(([from]) => isNumber(old, from));
		if (known !== undefined) {
			const writing = how.writings[written++ % how.writings.length] ?? 'e164';
			return WRITINGS[writing](...split(known[1]));
		}
		return renamed(old);
	}

	function styled(key: string): string {
		const style = STYLES[how.style];
		return style === undefined
			? key
			: style(
					key.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.map((word) => word.toLowerCase()) ?? [
						key,
					],
				);
	}

	function wrap(inner: IDataObject): IDataObject {
		let event: IDataObject = { ...inner, ...free(inner) };
		for (const envelope of [...how.envelopes].reverse()) {
			event = { [styled(envelope)]: event };
			event = { ...event, ...free(event) };
		}
		return event;
	}

	function free(beside: IDataObject): IDataObject {
		return Object.fromEntries(
			how.noise
				.map(([key, value]): [string, unknown] => [styled(key), value])
				.filter(([key]) => !(key in beside)),
		) as IDataObject;
	}
}

/** Tells whether two numbers are writings of one. */
export function isNumber(a: string, b: string): boolean {
	const [x, y] = [a, b].map((one) =>
		one
			.replace(/^(tel|sip):/, '')
			.replace(/[@;].*$/, '')
			.replace('(0)', '')
			.replace(/\D/g, '')
			.replace(/^0+/, ''),
	) as [string, string];
	if (
		x.length < 7 ||
		y.length < 7 ||
		/[a-z]{3}/i.test(a.replace(/^(tel|sip):/, '').replace(/[@;].*$/, ''))
	)
		return false;
	return x.endsWith(y) || y.endsWith(x);
}

const WITHHELD = /^(anonymous|blocked|\+266696687)$/i;

function split(number: string): [string, string] {
	const [country = '', rest = ''] = number.split(':');
	return [country, rest];
}

function splitName(name: string): string[] {
	return name.includes(' ')
		? [name.slice(0, name.indexOf(' ')), name.slice(name.indexOf(' ') + 1)]
		: [];
}

function text(expected: unknown): string {
	const [first] = isObject(expected)
		? ((expected as { anyOf?: unknown[] }).anyOf ?? [])
		: [expected];
	return typeof first === 'string' && first !== '?' ? first : '';
}

function isObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function capital(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}
