import { type Candidate, choose, SUREST, topicFinder } from '../../nodes/VoiceAgent/text/topics';
import {
	DEEPEST_FIELD,
	type Field,
	fieldsIn,
	isNonEmpty,
	isId,
	isObject,
	parseExactly,
	pathTo,
} from '../../nodes/VoiceAgent/text/json';
import { phraseMatcher, splitCompounds, wordsOf } from '../../nodes/VoiceAgent/text/words';

test.each<[string, string[]]>([
	['callID', ['call', 'id']],
	['URLOfCalls', ['url', 'of', 'call']],
	['phone22', ['phone', '22']],
	['parties', ['party']],
	['status', ['status']],
	['address', ['address']],
	['analysis', ['analysis']],
	['gas', ['gas']],
	['cars', ['car']],
	['callIDs', ['call', 'ids']],
	['numéroPhone', ['numero', 'phone']],
	['電話_2', ['電話', '2']],
	['~a b', ['a', 'b']],
	// The first 80 characters are read.
	[`${'-'.repeat(79)}ab`, ['a']],
])('the words of a name of %j are %j', (name, words) => expect(wordsOf(name)).toEqual(words));

const isUnknown = phraseMatcher(['unknown', 'no name', '不明'], ['caller', '番号']);

test.each<[string, boolean]>([
	['UNKNOWN CALLER', true],
	['NoName', true],
	['不明番号', true],
	['番号', false],
	['Unknown Smith', false],
])('%j is one of the phrases: %j', (text, expected) => expect(isUnknown(text)).toBe(expected));

const unglue = splitCompounds(new Set(['call', 'caller', 'id', 'r', 'number', 'at']));

test.each<[string, string[]]>([
	['callid', ['call', 'id']],
	['caller', ['caller']],
	['callidx', ['callidx']],
	['callididid', ['callididid']],
	['numbercallercallernumber', ['numbercallercallernumber']],
])('words without separators %s -> %j', (word, parts) => expect(unglue(word)).toEqual(parts));

test('words without separators are split up to 24 characters', () => {
	const [long, longer] = ['a'.repeat(12), 'b'.repeat(13)];
	const unglueLong = splitCompounds(new Set([long, longer]));
	expect(unglueLong(long + long)).toEqual([long, long]);
	expect(unglueLong(long + longer)).toEqual([long + longer]);
});

describe('the choice of a candidate', () => {
	const candidate = (path: string, value: unknown, confidence: number): Candidate => ({
		path,
		value,
		confidence,
	});
	const pair = (one: unknown, other: unknown) => [candidate('a', one, 1), candidate('b', other, 1)];
	const read = ({ value }: Candidate) => (typeof value === 'string' ? value : null);

	test.each<[string, Candidate[], string | null]>([
		[
			'the readable one with the highest confidence',
			[candidate('a', 'x', 1), candidate('b', 5, 3), candidate('c', 'y', 2)],
			'y',
		],
		['null, if two of the same confidence differ', pair('x', 'y'), null],
		['the common value of two', pair('x', 'x'), 'x'],
	])('is %s', (_which, candidates, value) => {
		expect(choose(candidates, read)).toBe(value);
	});

	test('is the longer of two equivalent values, in any order', () => {
		const isSame = (one: string, other: string) => one[0] === other[0];
		const differing = pair('x', 'xy');
		for (const order of [differing, differing.toReversed()]) {
			expect(choose(order, read, isSame)).toBe('xy');
		}
		expect(choose(pair('xy', 'xz'), read, isSame)).toBe('xy');
	});
});

describe('the fields of an answer', () => {
	const ofObjects = ({ value }: Field) => isObject(value);
	const names = (body: unknown, isEntered: (field: Field) => boolean = ofObjects) =>
		fieldsIn(body, isEntered).map(({ name }) => name);

	test('come from the outermost object inwards, those of an array only if arrays are entered', () => {
		expect(names({ a: { b: { c: 1 } }, d: null })).toEqual(['a', 'd', 'b', 'c']);
		expect(names({ a: [{ b: 1 }] })).toEqual(['a']);
		expect(names({ a: [{ b: 1 }] }, () => true)).toEqual(['a', '0', 'b']);
		const inB = names({ a: { c: 1 }, b: { d: 1 } }, ({ name }) => name === 'b');
		expect(inB).toEqual(['a', 'b', 'd']);
	});

	test('end at the deepest envelope', () => {
		let body: object = { last: 1 };
		for (let depth = 1; depth < DEEPEST_FIELD; depth++) body = { inner: body };
		expect(names(body)).toContain('last');
		expect(names({ inner: body })).not.toContain('last');
	});
});

test.each<[value: unknown, isObject: boolean, isId: boolean, isNonEmpty: boolean]>([
	['a', false, true, false],
	['.', false, false, false],
	['..', false, false, false],
	['...', false, true, false],
	['', false, false, false],
	[0, false, true, false],
	[null, false, false, false],
	[{}, true, false, false],
	[{ a: 1 }, true, false, true],
	[[], false, false, false],
])('%j: an object %j, an ID %j, filled %j', (value, ...expected) =>
	expect([isObject(value), isId(value), isNonEmpty(value)]).toEqual(expected),
);

test.each<[path: string, key: string, expected: string]>([
	['', 'call', 'call'],
	['call', 'größe_2', 'call.größe_2'],
	['call', 'caller number', "call['caller number']"],
	['call', "it's", "call['it\\'s']"],
	['', '10', '[10]'],
	['legs', '0', 'legs[0]'],
])('at %j, the field %j has the path %j', (path, key, expected) =>
	expect(pathTo(path, key)).toBe(expected),
);

const { topicsOf } = topicFinder({
	start: { sure: 'started', beside: 'at' },
	end: { sure: 'ended', lessSure: 'stopped, ended', ranked: 'last, final' },
	time: { ranked: 'started', lessSure: 'at' },
	phone: { sure: 'mobile', beside: 'mobile, number' },
});
const topics = (...words: string[]) => Object.fromEntries(topicsOf(words));

test.each<[string[], Record<string, number>]>([
	[['started'], { start: SUREST, time: SUREST - 2 }],
	[['started', 'at'], { start: SUREST }],
	[['at'], { time: SUREST - 1 }],
	[['ended'], { end: SUREST }],
	[['stopped'], { end: SUREST - 1 }],
	[['last'], { end: SUREST - 2 }],
	[['ended', 'x'], {}],
	[['mobile', 'number'], { phone: SUREST }],
])('the topics of a name %j are %j', (words, found) => expect(topics(...words)).toEqual(found));

test.each([
	['{"id": 9007199254740993}', { id: '9007199254740993' }],
	[
		'{"next_cursor":-9007199254740993,"data":[{"id":1,"webhook_id" : 9007199254740993 }]}',
		{ next_cursor: '-9007199254740993', data: [{ id: 1, webhook_id: '9007199254740993' }] },
	],
	['{"id":1234567890123456,"n":9007199254740993}', { id: 1234567890123456, n: '9007199254740993' }],
	['{"a":"{\\"id\\":9007199254740993}"}', { a: '{"id":9007199254740993}' }],
	['{"id":9007199254740993', undefined],
])('long numbers keep their digits: %s', (text, value) => {
	expect(parseExactly(text)).toEqual(value);
});
