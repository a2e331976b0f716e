import type { IWebhookFunctions } from 'n8n-workflow';

import type { Endpoint } from '../../nodes/VoiceAgent/lists/records';
import {
	addCaughtUp,
	MOST_CAUGHT_UP,
	type EndpointState,
} from '../../nodes/VoiceAgent/state/endpointState';
import { storeToken } from '../../nodes/VoiceAgent/webhook/judgeToken';
import { hashOf } from '../../nodes/VoiceAgent/auth/token';
import {
	listedForTest,
	memoryOf,
	noteListed,
	noteState,
	rememberCaughtUp,
	wasAccepted,
} from '../../nodes/VoiceAgent/state/triggerMemory';

const HOUR_MS = 60 * 60_000;
const URL_ = 'https://n8n.example.com/webhook/1';
const published = (): EndpointState => ({ endpoints: [{ id: 'wh_1', url: URL_ }] });

/** @returns n8n's context for the trigger of a workflow */
const contextOf = (workflow: string, mode = 'trigger', state: EndpointState = {}) =>
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
		keys: [`id ${from + at}`],
		time: (from + at) * 1000,
	}));

/** @returns what is known of a published trigger */
function remembered(workflow: string, state = published()) {
	const context = contextOf(workflow);
	noteState(context, URL_, state);
	return memoryOf(context)!;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('an activation is noted with a copy of its state, a test listener is not', () => {
	const state = published();
	const memory = remembered('noted', state);
	state.events = ['call.failed'];
	expect(memory).toMatchObject({ webhookUrl: URL_, state: published(), isPolled: false });
	expect(memory.state.events).toBeUndefined();
	noteState(contextOf('test', 'manual'), URL_, published());
	expect(memoryOf(contextOf('test'))).toBeUndefined();
});

test('a trigger is forgotten an hour after its endpoint, at the next activation of any', () => {
	for (const workflow of ['kept', 'removed']) remembered(workflow);
	noteState(contextOf('removed'), URL_, {});
	jest.advanceTimersByTime(HOUR_MS);
	remembered('another');
	expect(memoryOf(contextOf('removed'))).toBeDefined();
	jest.advanceTimersByTime(1);
	remembered('another');
	expect(memoryOf(contextOf('removed'))).toBeUndefined();
	expect(memoryOf(contextOf('kept'))).toBeDefined();
});

test('the stored events that were caught up are known once', () => {
	const stored = { ...published(), caughtUp: events(2) };
	const memory = remembered('stored', stored);
	const { caughtUp } = remembered('stored', stored);
	expect(caughtUp).toBe(memory.caughtUp);
	expect(caughtUp.find(events(1)[0]!)).toEqual(events(1)[0]);
	// Twice as many are kept at most: 3,998 more make it forget none.
	for (const event of events(2 * MOST_CAUGHT_UP - 2, 2)) rememberCaughtUp(memory, event);
	expect(memory.state.since).toBe(0);
});

test('nothing from before a forgotten event starts again', () => {
	const memory = remembered('busy', { ...published(), since: 5 });
	for (const event of events(2 * MOST_CAUGHT_UP)) rememberCaughtUp(memory, event);
	expect(memory.state.since).toBe(5);
	rememberCaughtUp(memory, events(1, 2 * MOST_CAUGHT_UP)[0]!);
	expect(memory.state.since).toBe(MOST_CAUGHT_UP * 1000 + 1);
});

test('the state keeps the last events that were caught up, each once', () => {
	const state = { caughtUp: events(2), since: 7 };
	addCaughtUp(state, events(3));
	expect(state).toEqual({ caughtUp: events(3), since: 7 });
	addCaughtUp(state, events(MOST_CAUGHT_UP, 3));
	expect(state.caughtUp).toEqual(events(MOST_CAUGHT_UP, 3));
	expect(state.since).toBe(2001);
	const empty: EndpointState = {};
	addCaughtUp(empty, events(1));
	expect(empty).toEqual({ caughtUp: events(1) });
});

test('an accepted event counts if n8n has answered it with success', () => {
	const memory = remembered('accepted');
	const [event] = events(1);
	const answered = { success: true };
	memory.accepted.add({ ...event!, hasSucceeded: () => answered.success });
	expect(wasAccepted(memory, event!)).toBe(true);
	expect(wasAccepted(memory, events(1, 1)[0]!)).toBe(false);
	answered.success = false;
	expect(wasAccepted(memory, event!)).toBe(false);
});

test('the endpoints that a test listener has listed are known to its node only', () => {
	const listed = [{ id: 'wh_1' }] as Endpoint[];
	expect(listedForTest(contextOf('a'))).toEqual([]);
	noteListed(contextOf('a', 'manual'), listed);
	noteListed(contextOf('b', 'trigger'), []);
	expect(listedForTest(contextOf('a'))).toBe(listed);
	expect(listedForTest(contextOf('b'))).toEqual([]);
});

describe('the hash of an accepted token', () => {
	const stored = (verdict: 'stored' | 'proved' | 'listed', state: EndpointState, mode?: string) => {
		storeToken(contextOf('token', mode, state), 'token', verdict);
		return state.tokenHashes;
	};

	test('is stored beside the one before, also for the polls', () => {
		const memory = remembered('token');
		const hashes = [hashOf('token'), 'b'];
		expect(stored('listed', { tokenHashes: ['b', 'c'] })).toEqual(hashes);
		expect(memory.state.tokenHashes).toEqual(hashes);
		expect(stored('proved', published())).toEqual([hashOf('token')]);
	});

	test('is not stored twice, in a test, or while n8n is about to store that of a publish', () => {
		expect(stored('stored', published())).toBeUndefined();
		expect(stored('proved', published(), 'manual')).toBeUndefined();
		expect(stored('proved', {})).toBeUndefined();
		expect(stored('listed', {})).toEqual([hashOf('token')]);
	});
});
