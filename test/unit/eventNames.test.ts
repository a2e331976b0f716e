import {
	expand,
	isCovered,
	isSameSelection,
	nameFinder,
	spelledWords,
} from '../../nodes/VoiceAgent/events/names';
import { anyCatalog, spellingsOf } from '../support/events/eventTypes';
import { fc, runs } from '../support/jest/random';

const findName = (text: string, names: string[]) => nameFinder(names)(text);

describe('the name for a text', () => {
	const TWO = ['call.started', 'call.completed'];
	const SUB = ['call.completed', 'sub.call.completed'];
	const VERSIONS = ['call.completed.v1', 'call.completed.v2'];
	test.each<[text: string, names: string[], found: string | undefined]>([
		['Call Completed', TWO, 'call.completed'],
		['https://example.com/events/call.completed', TWO, 'call.completed'],
		['call.completed.v1beta2', TWO, 'call.completed'],
		['com.example.v1.call_completed', TWO, 'call.completed'],
		['call.completed', ['other.thing', 'com.example.call.completed'], 'com.example.call.completed'],
		['call.completed', ['other.thing', 'call.completed.v1'], 'call.completed.v1'],
		['v1.ended', ['other.thing', 'ended'], 'ended'],
		// The closest one of several names.
		['Call_Completed_V2', VERSIONS, 'call.completed.v2'],
		['v1.sub.call.completed', SUB, 'sub.call.completed'],
		['CALL_COMPLETED', ['call.completed', 'call_completed'], 'call_completed'],
		['recall.completed', ['call.completed'], undefined],
		['call.completed.late', ['call.completed'], undefined],
		['payment.failed', ['failed'], undefined],
		['call.completed', ['sub.call.completed'], undefined],
		['call.step.2', ['call.step.1'], undefined],
		[`${'a.'.repeat(18)}call.completed`, ['call.completed'], 'call.completed'],
		// No name has more than 20 words.
		[`${'a.'.repeat(19)}call.completed`, ['call.completed'], undefined],
	])('%j in %j is %s', (text, names, found) => expect(findName(text, names)).toBe(found));

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
});

test.each([
	['*', 'call.completed', true],
	['call.*', 'call.recording.ready', true],
	['call:*', 'call.completed', true],
	['call.*', 'call', false],
	['call.*', 'chat.call.started', false],
	['*.completed', 'call.completed.v2', true],
	['*.completed', 'call.started', false],
])('a wildcard %s covers %s: %s', (wildcard, name, covers) =>
	expect(isCovered(name, [wildcard])).toBe(covers),
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

test.each<[listed: string[], chosen: string[], names: string[] | undefined, areSame: boolean]>([
	[['a.b', 'a.c'], ['a.c', 'a.b'], undefined, true],
	[['A_B'], ['a.b'], undefined, true],
	[['com.example.a.b'], ['a.b'], undefined, true],
	[['*'], [], undefined, true],
	[['call.*'], ['call.completed', 'call.started'], catalog, true],
	[catalog, [], catalog, true],
	[['a', 'a'], ['a', 'b'], undefined, false],
	[['*'], ['call.completed'], undefined, false],
	[['call.*'], [], catalog, false],
	[['call_completed'], ['call.completed'], ['call_completed', 'call.completed'], false],
])('two selections %j and %j, with the catalog %j, are the same: %s', (...selections) => {
	const [listed, chosen, names, areSame] = selections;
	expect(isSameSelection(listed, chosen, names)).toBe(areSame);
	expect(isSameSelection(chosen, listed, names)).toBe(areSame);
});
