import type { IWebhookFunctions } from 'n8n-workflow';

import { readAttempt } from '../../nodes/VoiceAgent/log/attempts';
import {
	addSettled,
	forgetSettled,
	MOST_SETTLED,
	type TriggerState,
} from '../../nodes/VoiceAgent/state/triggerState';
import { storeToken } from '../../nodes/VoiceAgent/delivery/sender';
import { hashOf } from '../../nodes/VoiceAgent/auth/token';
import {
	memoryOf,
	noteState,
	rememberSettled,
	unreadPart,
	wasAccepted,
} from '../../nodes/VoiceAgent/state/triggerMemory';

const HOUR_MS = 60 * 60_000;
const URL_ = 'https://n8n.example.com/webhook/1';
const JANUARY = Date.UTC(2026, 0, 1);
const published = (): TriggerState => ({ endpoints: [{ id: 'wh_1', url: URL_ }] });

/** @returns n8n's context for the trigger of a workflow */
const contextOf = (workflow: string, mode = 'trigger', state: TriggerState = {}) =>
	({
		getWorkflow: () => ({ id: workflow }),
		getNode: () => ({ id: 'node' }),
		getMode: () => mode,
		getWorkflowStaticData: () => state,
	}) as unknown as IWebhookFunctions;

/** @returns events with a key each, one a second */
const events = (count: number, from = 0) =>
	Array.from({ length: count }, (_, at) => ({
		type: 'call.completed',
		ids: [`${from + at}`],
		time: (from + at) * 1000,
	}));

/** @returns what is known of a published trigger */
function remembered(workflow: string, state = published()) {
	const context = contextOf(workflow);
	noteState(context, URL_, state);
	return memoryOf(context);
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a trigger is forgotten an hour after its endpoint, at the next activation of any', () => {
	const [kept, removed] = ['kept', 'removed'].map((workflow) => remembered(workflow));
	noteState(contextOf('removed'), URL_, {});
	jest.advanceTimersByTime(HOUR_MS);
	remembered('another');
	expect(memoryOf(contextOf('removed'))).toBe(removed);
	jest.advanceTimersByTime(1);
	remembered('another');
	expect(memoryOf(contextOf('removed'))).not.toBe(removed);
	expect(memoryOf(contextOf('kept'))).toBe(kept);
});

test('the stored settled events are known once', () => {
	const stored = { ...published(), settled: events(2) };
	const memory = remembered('stored', stored);
	const { settled } = remembered('stored', stored);
	expect(settled).toBe(memory.settled);
	expect(settled.find(events(1)[0]!)).toEqual(events(1)[0]);
	// Twice as many are kept at most: 3,998 more make it forget none.
	for (const event of events(2 * MOST_SETTLED - 2, 2)) rememberSettled(memory, event);
	expect(memory.state.since).toBeUndefined();
});

test('nothing from before a forgotten event starts again', () => {
	const memory = remembered('busy', { ...published(), since: 5 });
	for (const event of events(2 * MOST_SETTLED)) rememberSettled(memory, event);
	expect(memory.state.since).toBe(5);
	rememberSettled(memory, events(1, 2 * MOST_SETTLED)[0]!);
	expect(memory.state.since).toBe(MOST_SETTLED * 1000 + 1);
});

test('a forgotten event is from before the log that is read, also without a time zone', () => {
	const memory = remembered('zoneless', { ...published(), since: JANUARY, publishedAt: JANUARY });
	const time = Date.UTC(2026, 0, 31, 9);
	forgetSettled(memory.state, [{ type: null, ids: ['1'], time }]);
	const { since, publishedAt } = unreadPart(memory, 'wh_1');
	const record = { id: '1', attempted_at: '2026-01-31 09:00:00', status: 'failed' };
	const { details } = readAttempt(record, { id: 'wh_1' }, publishedAt);
	expect(Date.parse(details.time!)).toBeLessThan(since);
});

test('the state keeps the last settled events, each once', () => {
	const state = { settled: events(2), since: 7 };
	addSettled(state, events(3));
	expect(state).toEqual({ settled: events(3), since: 7 });
	addSettled(state, events(MOST_SETTLED, 3));
	expect(state.settled).toEqual(events(MOST_SETTLED, 3));
	expect(state.since).toBe(2001);
	const empty: TriggerState = {};
	addSettled(empty, events(1));
	expect(empty).toEqual({ settled: events(1) });
});

test('an accepted event counts if n8n has answered it with success', () => {
	const memory = remembered('accepted');
	const [event] = events(1);
	const accepted = { ...event!, at: Date.now(), succeeded: true };
	memory.accepted.add(accepted);
	expect(wasAccepted(memory, event!)).toBe(true);
	expect(wasAccepted(memory, events(1, 1)[0]!)).toBe(false);
	accepted.succeeded = false;
	expect(wasAccepted(memory, event!)).toBe(false);
});

describe('the hash of an accepted token', () => {
	const stored = (state: TriggerState) => {
		storeToken(contextOf('token', undefined, state), 'token');
		return state.tokenHashes;
	};

	test('is stored beside the one before, also for the polls', () => {
		const memory = remembered('token');
		const hashes = [hashOf('token'), 'b'];
		expect(stored({ ...published(), tokenHashes: ['b', 'c'] })).toEqual(hashes);
		expect(memory.state.tokenHashes).toEqual(hashes);
		expect(stored(published())).toEqual([hashOf('token')]);
	});

	test('is not stored while n8n is about to store that of a publish', () => {
		expect(stored({})).toBeUndefined();
	});
});
