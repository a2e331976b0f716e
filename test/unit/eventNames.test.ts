import { expand, isCovered, isSameSelection } from '../../nodes/VoiceAgent/eventTypes/selection';
import { nameFinder, spelledWords } from '../../nodes/VoiceAgent/eventTypes/spelling';
import { anyCatalog, spellingsOf } from '../support/eventTypes';
import { fc, runs } from '../support/random';

const findName = (text: string, names: string[]) => nameFinder(names)(text);

describe('the name for a text', () => {
	test.each([
		...['Call Completed', 'v2/call/completed', 'https://example.com/events/call.completed'],
		...['call.completed.v1beta2', 'com.example.v1.call_completed', 'acme.call.completed'],
	])('%s is call.completed', (text) =>
		expect(findName(text, ['call.started', 'call.completed'])).toBe('call.completed'),
	);

	test.each([
		['call.completed', 'com.example.call.completed'],
		['ended', 'Ended'],
		['call_ended', 'CallEnded'],
		['callended', 'CallEnded'],
		['call.completed', 'call.completed.v1'],
		['v1.ended', 'ended'],
	])('%s is found as %s', (text, name) => expect(findName(text, ['other.thing', name])).toBe(name));

	test.each([
		['', ['call.completed']],
		['completed', ['call.completed']],
		['recall.completed', ['call.completed']],
		['call.completed.late', ['call.completed']],
		['payment.failed', ['failed']],
		['call.completed', ['sub.call.completed']],
		['...', ['v1']],
		['call.step.2', ['call.step.1']],
		['x'.repeat(100_000), ['call.completed']],
		['__proto__', ['call.completed']],
	])('%j is not found in %j', (text, names) => expect(findName(text, names)).toBeUndefined());

	test.each([
		['call.completed', ['call_completed', 'call.completed']],
		['sub.call.completed', ['call.completed', 'sub.call.completed']],
		['call.completed.v2', ['call.completed.v1', 'call.completed.v2', 'call.completed']],
	])('%s is found unchanged in %j', (text, names) => expect(findName(text, names)).toBe(text));

	test.each([
		['v1.sub.call.completed', ['call.completed', 'sub.call.completed'], 'sub.call.completed'],
		['SUB_CALL_COMPLETED', ['call.completed', 'sub.call.completed'], 'sub.call.completed'],
		['CALL_COMPLETED', ['call.completed', 'call_completed'], 'call_completed'],
		['Call_Completed_V2', ['call.completed.v1', 'call.completed.v2'], 'call.completed.v2'],
		['com.x.call.completed.v2', ['call.completed.v1', 'call.completed.v2'], 'call.completed.v2'],
	])('for %s, the closest name of %j is found', (text, names, name) =>
		expect(findName(text, names)).toBe(name),
	);

	test('a name is found in every equivalent spelling', () => {
		fc.assert(
			fc.property(
				anyCatalog.chain((catalog) => fc.tuple(fc.constant(catalog), fc.constantFrom(...catalog))),
				fc.nat(),
				([catalog, name], choice) => {
					for (const text of spellingsOf(name, choice)) {
						const found = findName(text, catalog);
						// If two names are equivalent spellings, either may be found.
						const isSame = spelledWords(found ?? '').join('') === spelledWords(name).join('');
						expect([text, isSame]).toEqual([text, true]);
					}
				},
			),
			{ numRuns: runs(500) },
		);
	});

	test('long texts and a catalog of 1,000 names take less than two seconds', () => {
		const names = Array.from({ length: 1_000 }, (_, n) => `family${n % 100}.event${n}`);
		const started = performance.now();
		for (const text of ['a.'.repeat(100), 'aA'.repeat(100), '*'.repeat(200), '-'.repeat(200)]) {
			expect(findName(text, names)).toBeUndefined();
			expect(isCovered(text, ['a*b*c*d*e*'])).toBe(false);
		}
		expect(performance.now() - started).toBeLessThan(2_000);
	});
});

test.each([
	['*', 'call.completed'],
	['call.*', 'call.recording.ready'],
	['call:*', 'call.completed'],
	['CALL.*', 'callCompleted'],
	['*.completed', 'call.completed'],
	['a*b*c', 'a.b.b.c'],
])('a wildcard %s covers %s', (wildcard, name) => expect(isCovered(name, [wildcard])).toBe(true));

test.each([
	['call.*', 'call'],
	['call.*', 'chat.call.started'],
	['*.completed', 'call.completed.late'],
	['a*b*c', 'a.c.b'],
	['ab*ba', 'aba'],
])('a wildcard %s does not cover %s', (wildcard, name) =>
	expect(isCovered(name, [wildcard])).toBe(false),
);

test('wildcards of a selection are replaced by the names of the catalog', () => {
	const catalog = ['*', 'call.*', 'call.started', 'call.completed', 'chat.started'];
	const expanded = (...selection: string[]) => [...expand(selection, catalog)];
	expect(expanded('call:*')).toEqual(['call.started', 'call.completed']);
	expect(expanded('*')).toEqual(['call.started', 'call.completed', 'chat.started']);
	expect(expanded('CALL_STARTED', 'call.started')).toEqual(['call.started']);
	expect(expanded('agent.moved', 'agent.*')).toEqual(['agent.moved', 'agent.*']);
	expect(expanded()).toEqual([]);
});

const catalog = ['call.started', 'call.completed', 'chat.started'];

test.each([
	[['a.b', 'a.c'], ['a.c', 'a.b'], undefined],
	[['A_B'], ['a.b'], undefined],
	[['com.example.a.b'], ['a.b'], undefined],
	[['call.*'], ['call:*'], undefined],
	[['*'], [], undefined],
	[['call.*'], ['call.completed', 'call.started'], catalog],
	[catalog, [], catalog],
	[[...catalog, 'call.*', '*'], [], [...catalog, 'call.*', '*']],
])('two selections %j and %j are the same', (listed, chosen, names) => {
	expect(isSameSelection(listed, chosen, names)).toBe(true);
	expect(isSameSelection(chosen, listed, names)).toBe(true);
});

test.each([
	[['a', 'a'], ['a', 'b'], undefined],
	[['a.b'], ['a.b', 'a.c'], undefined],
	[['*'], ['call.completed'], undefined],
	[['call.*'], ['call.completed'], catalog],
	[['call.*'], [], catalog],
	[['call_completed'], ['call.completed'], ['call_completed', 'call.completed']],
])('two selections %j and %j are not the same', (listed, chosen, names) => {
	expect(isSameSelection(listed, chosen, names)).toBe(false);
	expect(isSameSelection(chosen, listed, names)).toBe(false);
});
