import { PollContext } from 'n8n-core';

import {
	call,
	logAttempt,
	logOf,
	pass,
	publish,
	publishOften,
	service,
	usePolling,
} from '../support/catchUpSetup';

usePolling();
afterEach(() => jest.restoreAllMocks());

/** The warnings of the polls in n8n's log. */
function spyOnWarnings() {
	const warn = jest.fn();
	jest.spyOn(PollContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
	return warn;
}

/** Lets the answers of the log wait. @returns ends the pause */
function pauseLog() {
	let resume = () => {};
	service.pause = new Promise((resolve) => (resume = resolve));
	return () => resume();
}

/** The requests for the log since the last call. */
function logRequests(): number {
	return service.requests.splice(0).filter((request) => request.includes('/deliveries')).length;
}

describe('a missed event', () => {
	// Promise: A missed event starts the workflow once, as a delivery does.
	test.each(['both', 'details', 'event'])('starts the workflow once: %s', async (output) => {
		const options = { deliveryDetails: true };
		const trigger = await publishOften({ minAgeMinutes: 15, output, options });
		logAttempt('a');
		pass(14);
		expect(await trigger.poll()).toEqual([]);
		logAttempt('a', { response_status: 500 });
		const lastAttemptAt = new Date().toISOString();
		pass(15);
		const callDetails = expect.objectContaining({ id: 'a', person: 'found' }) as object;
		const missed = { reason: 'failed', attempts: 2, lastAttemptAt };
		const event = { id: 'evt_a', eventType: 'call.completed', receivedAt: null };
		const json = {
			...(output !== 'details' && call('a')),
			...(output !== 'event' && { callDetails }),
			delivery: { ...event, headers: {}, missed },
		};
		expect(await trigger.lifecycle.poll()).toEqual([[[{ json }]]]);
		expect(await trigger.poll()).toEqual([]);
		logOf()[0]!.payload = null;
		expect(await trigger.poll()).toEqual([]);
	});

	test('starts an execution of its own, the oldest first, and 50 in one poll', async () => {
		const trigger = await publishOften();
		const ids = Array.from({ length: 60 }, (_, count) => `${count}`);
		for (const id of ids) {
			pass(0.1);
			logAttempt(id);
		}
		expect(await trigger.poll()).toEqual(ids.slice(0, 50));
		expect(await trigger.poll()).toEqual(ids.slice(50));
		expect(await trigger.poll()).toEqual([]);
	});

	test('that is resent while the log is read is not started', async () => {
		const trigger = await publishOften();
		logAttempt('a', { next_attempt_at: new Date(Date.now() + 60_000).toISOString() });
		// The reading takes two minutes.
		Object.defineProperty(service, 'pause', { get: () => pass(2) });
		expect(await trigger.poll()).toEqual([]);
	});

	// Promise: An event that is not selected, filtered, delivered or to be resent is not caught up.
	test.each([
		['arrived at last', { status: 'delivered', response_status: 200 }, []],
		['was answered while n8n was starting', { response_body: 'n8n is starting up' }, ['a']],
		['is not selected', { event_type: 'call.started', payload: null }, []],
		['does not match the filter', { payload: call('a', { direction: 'outbound' }) }, []],
		['will be resent', { next_attempt_at: new Date(Date.now() + 9e5).toISOString() }, []],
	])('that %s: %j → %j', async (_what, more, started) => {
		const filter = { direction: 'inbound' };
		const trigger = await publishOften({ options: { onlyCalls: { filter } } });
		logAttempt('a', { status: 'delivered', response_status: 200, ...more });
		logAttempt('a', { ...more, attempted_at: new Date(Date.now() - 60_000).toISOString() });
		expect(await trigger.poll()).toEqual(started);
	});

	test('brings no secret into an execution', async () => {
		const trigger = await publishOften();
		const { url } = service.endpoints[0]!;
		logAttempt('b', { payload: call('b', { callback: url, sentWith: 'svc_live_0123456789' }) });
		const text = JSON.stringify(await trigger.lifecycle.poll());
		expect(text).toContain('sentWith');
		expect(text).not.toMatch(/svc_live_0123|voice_agent_token=\w/);
	});

	// Promise: An event that the log does not hold is reported.
	test('that the log does not hold fails one execution together with others, once', async () => {
		const trigger = await publishOften();
		for (const id of ['a', 'b']) logAttempt(id, { payload: null });
		const [failed, ...others] = await trigger.poll();
		expect(failed).toMatch(/the service's log does not hold: 2 \(2\S+Z to 2\S+Z\)/);
		expect(others).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
	});

	test('is caught up once, also if more are missed than are remembered', async () => {
		const trigger = await publishOften();
		for (let count = 0; count < 2_500; count++) {
			pass(1 / 60);
			logAttempt(`${count}`, { payload: null });
		}
		expect(await trigger.poll()).toHaveLength(1);
		logAttempt('new');
		expect(await trigger.poll()).toEqual(['new']);
	});
});

describe('the log is read', () => {
	// Promise: The log is read every 15 minutes.
	test('in each quarter of an hour, at a time that differs between triggers', async () => {
		const readAt = async () => {
			const trigger = await publish();
			await trigger.pollFor(2);
			logRequests();
			const minutes: number[] = [];
			for (let minute = 0; minute < 60; minute++) {
				pass(1);
				await trigger.poll();
				if (logRequests() > 0) minutes.push(minute);
			}
			return minutes;
		};
		jest.setSystemTime(Date.UTC(2026, 0, 1));
		const first = await readAt();
		expect(first).toEqual([0, 15, 30, 45].map((minute) => minute + first[0]!));
		const others = await Promise.all(Array.from({ length: 5 }, readAt));
		expect(new Set([first, ...others].map(([minute]) => minute)).size).toBeGreaterThan(1);
	});

	// Promise: The log is read after each start of n8n.
	test('two minutes after a start at the latest, and not while n8n waits for the activation', async () => {
		const trigger = await publish();
		expect(logRequests()).toBe(0);
		logAttempt('a');
		pass(30);
		await trigger.lifecycle.start();
		expect(logRequests()).toBe(0);
		expect(await trigger.pollFor(2)).toEqual(['a']);
	});

	test('never with Catch Up turned off, before a publish has ended, or after an unpublish', async () => {
		const off = await publishOften({ options: { catchUp: false } });
		await off.pollFor(3);
		const trigger = await publishOften();
		await trigger.lifecycle.unpublish();
		await trigger.pollFor(3);
		expect(logRequests()).toBe(0);
	});

	test('by one poll at a time', async () => {
		const trigger = await publishOften();
		logAttempt('a');
		const resume = pauseLog();
		const first = trigger.poll();
		expect(await trigger.poll()).toEqual([]);
		resume();
		expect(await first).toEqual(['a']);
	});
});

// Promise: A log that can not be read is reported.
test('a log that can not be read is a warning, and the fourth time a failed execution', async () => {
	const trigger = await publishOften();
	const warn = spyOnWarnings();
	service.status = 400;
	expect(await trigger.pollFor(3)).toEqual([]);
	expect(warn).toHaveBeenCalledTimes(3);
	expect(await trigger.pollFor(5)).toEqual([
		expect.stringContaining('could not look for missed events'),
	]);
	service.status = undefined;
	logAttempt('a');
	expect(await trigger.poll()).toEqual(['a']);
});

describe('a record that lists its attempts', () => {
	const now = () => new Date().toISOString();
	const accepted = { status_code: 200, response_body: '{"message":"Workflow was started"}' };
	const logAttempts = (attempts: object[], more = {}) =>
		logOf().unshift({
			...{ id: 'd_a', event_id: 'evt_a', event_type: 'call.completed', payload: call('a') },
			...{ attempts, ...more },
		});

	test.each(['n8n is starting up. Please wait', '<!DOCTYPE html><title>Parked</title>'])(
		'a delivery after the answer %s is no missed event',
		async (response_body) => {
			const trigger = await publishOften({ minAgeMinutes: 15 });
			const first = { status_code: 200, response_body, attempted_at: now() };
			pass(1);
			logAttempts([first, { ...accepted, attempted_at: now() }]);
			pass(20);
			expect(await trigger.poll()).toEqual([]);
		},
	);

	test('the age of an event is that of its newest attempt', async () => {
		const trigger = await publishOften({ minAgeMinutes: 15 });
		const sentAt = now();
		pass(16);
		const attempts = [sentAt, now()].map((timestamp) => ({ status_code: 503, timestamp }));
		pass(1);
		logAttempts(attempts, { sent_at: sentAt });
		expect(await trigger.poll()).toEqual([]);
		pass(15);
		expect(await trigger.poll()).toEqual(['a']);
	});
});

test('a time that can not be read is a warning with an example', async () => {
	const trigger = await publishOften();
	const warn = spyOnWarnings();
	logAttempt('a', { attempted_at: '23.11.2026 20:10' });
	expect(await trigger.poll()).toEqual([]);
	expect(warn).toHaveBeenCalledWith(expect.stringContaining('23.11.2026 20:10'));
});

describe('the state', () => {
	// Promise: A start of n8n starts no event again that was caught up.
	test('survives a start', async () => {
		const trigger = await publishOften();
		logAttempt('a');
		expect(await trigger.poll()).toEqual(['a']);
		await trigger.lifecycle.start();
		expect(await trigger.pollFor(2)).toEqual([]);
	});

	test('of the present endpoint never returns to the one before a publish during the poll', async () => {
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
});
