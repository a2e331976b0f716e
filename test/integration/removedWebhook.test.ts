/** What becomes of the events that a webhook has missed when it is removed. */
import { HookContext } from 'n8n-core';

import {
	ARRIVED,
	logAttempt,
	logMany,
	pass,
	pauseLog,
	publishOften,
	service,
	usePolling,
} from '../support/publishing/catchUpSetup';

usePolling();

describe('a removed webhook', () => {
	const events = ['call.completed', 'call.started'];

	// Promise: What a webhook had missed when it was removed is caught up by the next publish within an hour.
	test.each([
		['a changed publish', 0, ['a', 'b', 'c']],
		['an unpublish and a publish half an hour later', 30, ['a', 'b', 'c']],
		['an unpublish and a publish two hours later', 120, []],
	])('lets its missed events be started after %s', async (_when, minutes, started) => {
		const trigger = await publishOften();
		const { lifecycle } = trigger;
		const { published } = lifecycle;
		logAttempt('a');
		const later = { next_attempt_at: new Date(Date.now() + 60_000).toISOString() };
		logAttempt('b', later);
		logAttempt('c', { ...later, status: 'retrying', response_status: null });
		if (minutes > 0) {
			await lifecycle.unpublish();
			pass(minutes);
		}
		await lifecycle.publish({ ...published, events });
		expect(await trigger.pollFor(2)).toEqual(started);
	});

	test('lets the events be reported that its log does not hold, each once', async () => {
		const trigger = await publishOften();
		const { lifecycle } = trigger;
		logAttempt('reported', { payload: null });
		expect(await trigger.poll()).toHaveLength(1);
		logAttempt('a');
		const resent = { next_attempt_at: new Date(Date.now() + 60_000).toISOString() };
		logAttempt('b', { payload: null });
		logAttempt('c', { payload: null, ...resent });
		logAttempt('other', { payload: null, event_type: 'chat.completed' });
		service.script.refuse = () => ({ status: 402 });
		await expect(lifecycle.publish({ ...lifecycle.published, events })).rejects.toThrow();
		delete service.script.refuse;
		await lifecycle.publish({ ...lifecycle.published, events });
		const report = expect.stringContaining('does not hold: 2, ') as string;
		expect(await trigger.pollFor(3)).toEqual(['a', report]);
		expect(await trigger.pollFor(30)).toEqual([]);
	});

	test('whose log was read before lets all be started that it has missed since', async () => {
		const trigger = await publishOften();
		const { lifecycle } = trigger;
		logAttempt('arrived', ARRIVED);
		expect(await trigger.poll()).toEqual([]);
		// More than a page of 100.
		const ids = logMany(150, 0.01);
		await lifecycle.publish({ ...lifecycle.published, events });
		expect(await trigger.pollFor(5)).toEqual(ids);
	});

	test.each([1, 3])('lets its missed events be started after %d failed removals', async (times) => {
		const trigger = await publishOften();
		const { lifecycle } = trigger;
		logAttempt('a');
		let lists = 0;
		service.script.list = () => (++lists <= times ? { status: 403 } : undefined);
		await lifecycle.publish({ ...lifecycle.published, events });
		expect(await trigger.pollFor(2)).toEqual(['a']);
	});

	test('lets its missed events be started if it could not be deleted for a while', async () => {
		const trigger = await publishOften();
		const { lifecycle } = trigger;
		const { published } = lifecycle;
		logAttempt('a');
		service.script.remove = () => ({ status: 403 });
		await lifecycle.unpublish();
		expect(service.endpoints).toHaveLength(1);
		delete service.script.remove;
		pass(15);
		await lifecycle.publish({ ...published, events });
		expect(await trigger.pollFor(2)).toEqual(['a']);
	});

	test('lets its missed events be started while the log of the next one can not be read', async () => {
		const trigger = await publishOften();
		const { lifecycle } = trigger;
		logAttempt('a');
		await lifecycle.publish({ ...lifecycle.published, events });
		service.script.log = () => ({ status: 500 });
		expect(await trigger.pollFor(2)).toEqual(['a']);
	});

	test('in the middle of a catch-up lets the rest be started after the publish', async () => {
		const trigger = await publishOften();
		const { lifecycle } = trigger;
		const ids = logMany(120, 0.01);
		expect(await trigger.poll()).toEqual(ids.slice(0, 50));
		await lifecycle.publish({ ...lifecycle.published, events });
		expect(await trigger.pollFor(4)).toEqual(ids.slice(50));
	});
});

test.each<[string, () => unknown, RegExp]>([
	['whose log can not be read', () => (service.script.log = () => ({ status: 500 })), /had missed/],
	[
		'that has missed more than is kept',
		() => logMany(510, 0.01),
		/keeps 500 of 510 events .* by hand\.$/,
	],
])('a removed webhook %s is told in the log of n8n', async (_which, prepare, text) => {
	const trigger = await publishOften();
	prepare();
	const warn = jest.fn();
	jest.spyOn(HookContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
	await trigger.lifecycle.unpublish();
	expect(warn).toHaveBeenCalledWith(expect.stringMatching(text));
	expect(service.endpoints).toEqual([]);
});

test('the state of the present endpoint never returns to the one before a publish during the poll', async () => {
	const trigger = await publishOften();
	logAttempt('a');
	const resume = pauseLog();
	const slow = trigger.poll();
	const { lifecycle } = trigger;
	await lifecycle.publish({ ...lifecycle.published, events: ['call.completed', 'call.started'] });
	const { staticData } = lifecycle.receiver(false);
	resume();
	expect(await slow).toEqual([]);
	expect(lifecycle.receiver(false).staticData).toEqual(staticData);
	logAttempt('b');
	expect(await trigger.pollFor(2)).toEqual(['b']);
});
