import { type Candidate, choose, choiceUnless } from '../../nodes/VoiceAgent/matcher/choose';
import { DEEPEST_FIELD, type Field, fieldsIn } from '../../nodes/VoiceAgent/matcher/bodyFields';
import { isNonEmpty, isId, isObject, parseJson } from '../../nodes/VoiceAgent/matcher/json';
import { SUREST, topicFinder } from '../../nodes/VoiceAgent/matcher/topicFinder';
import { splitCompounds, wordsOf, wordsOfText } from '../../nodes/VoiceAgent/matcher/words';

describe('the words of a name', () => {
	test.each<[string, string[]]>([
		['callIds', ['call', 'ids']],
		['call_id', ['call', 'id']],
		['Call-Id', ['call', 'id']],
		['call.id', ['call', 'id']],
		['CALL_ID', ['call', 'id']],
		['callID', ['call', 'id']],
		['URLOfCalls', ['url', 'of', 'call']],
		['phone22', ['phone', '22']],
		['parties', ['party']],
		['status', ['status']],
		['issues', ['issue']],
		['address', ['address']],
		['analysis', ['analysis']],
		['gas', ['gas']],
		['cars', ['car']],
		['', []],
		['numéro', []],
		['a\u007f', []],
		['a\u001f', []],
		['~a b', ['a', 'b']],
	])('of %j are %j', (name, words) => expect(wordsOf(name)).toEqual(words));

	test('are read from texts only', () => {
		expect([wordsOfText('web_call'), wordsOfText(22)]).toEqual([['web', 'call'], []]);
	});

	test('are read in the first 80 characters', () => {
		expect(wordsOf(`${'-'.repeat(79)}ab`)).toEqual(['a']);
	});
});

describe('words without separators', () => {
	const unglue = splitCompounds(new Set(['call', 'caller', 'id', 'r', 'number', 'at']));

	test.each<[string, string[]]>([
		['callid', ['call', 'id']],
		['callerid', ['caller', 'id']],
		['callernumberid', ['caller', 'number', 'id']],
		['caller', ['caller']],
		['callidx', ['callidx']],
		['xcallid', ['xcallid']],
		['callididid', ['callididid']],
		['numbernumbernumber', ['number', 'number', 'number']],
		['numbercallercallernumber', ['numbercallercallernumber']],
	])('%s -> %j', (word, parts) => expect(unglue(word)).toEqual(parts));

	test('are split up to 24 characters', () => {
		const [long, longer] = ['a'.repeat(12), 'b'.repeat(13)];
		const unglueLong = splitCompounds(new Set([long, longer]));
		expect(unglueLong(long + long)).toEqual([long, long]);
		expect(unglueLong(long + longer)).toEqual([long + longer]);
	});
});

describe('the choice of a candidate', () => {
	const candidate = (path: string, value: unknown, confidence: number): Candidate => ({
		path,
		value,
		confidence,
	});
	const read = ({ value }: Candidate) => (typeof value === 'string' ? value : null);

	test('is the readable candidate with the highest confidence', () => {
		const choice = choose(
			[candidate('a', 'x', 1), candidate('b', 5, 3), candidate('c', 'y', 2)],
			read,
		);
		expect(choice.value).toBe('y');
		expect(choice.why).toBe('c is the surest');
		expect(choice.candidates.map(({ path }) => path)).toEqual(['b', 'c', 'a']);
	});

	test('is null if candidates with the same confidence differ', () => {
		const choice = choose([candidate('a', 'x', 1), candidate('b', 'y', 1)], read);
		expect(choice).toMatchObject({ value: null, why: 'a and b contradict each other' });
	});

	test('is the common value of candidates with the same confidence', () => {
		const choice = choose([candidate('a', 'x', 1), candidate('b', 'x', 1)], read);
		expect(choice).toMatchObject({ value: 'x', why: 'a is the surest' });
	});

	test('is the longer of two equivalent values, in any order', () => {
		const isSame = (one: string, other: string) => one[0] === other[0];
		const pair = [candidate('a', 'x', 1), candidate('b', 'xy', 1)];
		for (const order of [pair, pair.toReversed()]) {
			expect(choose(order, read, isSame)).toMatchObject({ value: 'xy', why: 'b is the surest' });
		}
		const equal = [candidate('a', 'xy', 1), candidate('b', 'xz', 1)];
		expect(choose(equal, read, isSame)).toMatchObject({ value: 'xy', why: 'a is the surest' });
	});

	test('reads no candidate with less confidence than the winner', () => {
		const readAll = jest.fn(read);
		const candidates = [candidate('a', 'x', 2), candidate('b', 'y', 1)];
		expect(choose(candidates, readAll).value).toBe('x');
		expect(readAll).toHaveBeenCalledTimes(1);
	});

	test('is null with a reason without a readable candidate', () => {
		expect(choose([candidate('a', 1, 1)], read)).toMatchObject({
			value: null,
			why: 'no value fits it',
		});
		expect(choose([], read)).toEqual({ value: null, why: 'no field names it', candidates: [] });
	});

	test('is null if it is ruled out, and keeps its candidates', () => {
		const choice = choose([candidate('a', 'x', 1)], read);
		expect(choiceUnless(true, 'withheld', choice)).toEqual({
			...choice,
			value: null,
			why: 'withheld',
		});
		expect(choiceUnless(false, 'withheld', choice)).toBe(choice);
	});
});

describe('the fields of an answer', () => {
	const names = (body: unknown, isEntered?: (field: Field) => boolean) =>
		fieldsIn(body, isEntered).map(({ name }) => name);

	test('come from the outermost object inwards', () => {
		expect(names({ a: { b: { c: 1 } }, d: null })).toEqual(['a', 'd', 'b', 'c']);
	});

	test('have their holders, the outermost first', () => {
		const body = { a: { b: 1 } };
		expect(fieldsIn(body)).toEqual([
			{ name: 'a', value: body.a, holders: [body] },
			{ name: 'b', value: 1, holders: [body, body.a] },
		]);
	});

	test('of an array are read only if arrays are entered', () => {
		expect(names({ a: [{ b: 1 }] })).toEqual(['a']);
		expect(names({ a: [{ b: 1 }] }, () => true)).toEqual(['a', '0', 'b']);
		expect(names({ a: { c: 1 }, b: { d: 1 } }, ({ name }) => name === 'b')).toEqual([
			'a',
			'b',
			'd',
		]);
	});

	test.each([['text'], [1], [null], [undefined]])('%j has no fields', (body) => {
		expect(fieldsIn(body)).toEqual([]);
	});

	test('end at the deepest envelope', () => {
		let body: object = { last: 1 };
		for (let depth = 1; depth < DEEPEST_FIELD; depth++) body = { inner: body };
		expect(names(body)).toContain('last');
		expect(names({ inner: body })).not.toContain('last');
	});
});

test.each([
	[{}, true],
	[[], false],
	[null, false],
	['text', false],
	[undefined, false],
])('%j is a JSON object: %s', (value, is) => expect(isObject(value)).toBe(is));

test.each<[value: unknown, isId: boolean, isNonEmpty: boolean]>([
	['a', true, false],
	['', false, false],
	[0, true, false],
	[true, false, false],
	[null, false, false],
	[undefined, false, false],
	[{}, false, false],
	[{ a: 1 }, false, true],
	[[], false, false],
	[[0], false, true],
])('%j: an ID %j, filled %j', (value, ...expected) =>
	expect([isId(value), isNonEmpty(value)]).toEqual(expected),
);

test('a text that is no JSON gives undefined', () => {
	expect(parseJson('{"a":1}')).toEqual({ a: 1 });
	expect(parseJson('{')).toBeUndefined();
});

describe('the topics of a name', () => {
	const { topicsOf, vocabulary } = topicFinder({
		start: { sure: ['started', 'call start'], beside: ['at'] },
		end: { sure: ['ended'], lessSure: ['stopped', 'ended'], ranked: ['last', 'final'] },
		time: { ranked: ['started'], lessSure: ['at'] },
	});
	const topics = (...words: string[]) => Object.fromEntries(topicsOf(words));

	test.each<[string[], Record<string, number>]>([
		[['started'], { start: SUREST, time: SUREST - 2 }],
		[['started', 'at'], { start: SUREST }],
		[['call', 'start'], { start: SUREST }],
		[['call', 'at', 'start'], { start: SUREST }],
		[['at'], { time: SUREST - 1 }],
		[['ended'], { end: SUREST }],
		[['stopped'], { end: SUREST - 1 }],
		[['last'], { end: SUREST - 2 }],
		[['final'], { end: SUREST - 3 }],
		[['ended', 'x'], {}],
		[['start'], {}],
		[[], {}],
	])('%j are %j', (words, found) => expect(topics(...words)).toEqual(found));

	test('come from tables whose words are the vocabulary', () => {
		expect(new Set(vocabulary)).toEqual(
			new Set(['started', 'call', 'start', 'at', 'ended', 'stopped', 'last', 'final']),
		);
	});

	test('are found by names that are split like the fields', () => {
		const split = (name: string) => name.split('+');
		expect(topicFinder({ id: { sure: ['a+b'] } }, split).topicsOf(['a', 'b'])).toEqual(
			new Map([['id', SUREST]]),
		);
	});
});
