import { PollContext } from 'n8n-core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { until } from '../../sandbox/stack/until';
import { tokenOf } from '../support/service/callbackTokens';
import {
	ARRIVED,
	call,
	logAttempt,
	logMany,
	logOf,
	pass,
	pauseLog,
	publish,
	publishOften,
	service,
	usePolling,
} from '../support/publishing/catchUpSetup';
import { NodeInWorkflow } from '../support/n8n/core';
import { loadInProcess } from '../support/n8n/nodePackage';
import { receiveRequest } from '../support/n8n/request';

usePolling();

/** The warnings of the polls in n8n's log. */
function spyOnWarnings() {
	const warn = jest.fn();
	jest.spyOn(PollContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
	return warn;
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

	test('that is resent while the log is read is not started', async () => {
		const trigger = await publishOften();
		logAttempt('a', { next_attempt_at: new Date(Date.now() + 60_000).toISOString() });
		// The reading takes two minutes.
		Object.defineProperty(service, 'pause', { get: () => pass(2) });
		expect(await trigger.poll()).toEqual([]);
	});

	// Promise: An event that is not selected, filtered, delivered or to be resent is not caught up.
	test.each([
		['arrived at last', ARRIVED, []],
		['was answered while n8n was starting', { response_body: 'n8n is starting up' }, ['a']],
		['is not selected', { event_type: 'call.started', payload: null }, []],
		['does not match the filter', { payload: call('a', { direction: 'outbound' }) }, []],
		['will be resent', { next_attempt_at: new Date(Date.now() + 9e5).toISOString() }, []],
	])('that %s: %j → %j', async (_what, more, started) => {
		const filter = { direction: 'inbound' };
		const trigger = await publishOften({ options: { onlyCalls: { filter } } });
		logAttempt('a', { ...ARRIVED, ...more });
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
		jest.setSystemTime(Date.UTC(2026, 10, 26, 16));
		const trigger = await publishOften();
		for (const id of ['a', 'b']) {
			logAttempt(id, { payload: null });
			pass(1);
		}
		const [failed, ...others] = await trigger.poll();
		expect(failed).toContain(
			': 2, from 27 Nov 2026, 01:00 to 27 Nov 2026, 01:01 (Asia/Tokyo). Look',
		);
		expect(others).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
		// Only a digest of a long ID is stored.
		logAttempt('c', { payload: null, event_id: undefined, id: 'x'.repeat(1e6) });
		expect(await trigger.poll()).toHaveLength(1);
		expect(JSON.stringify(trigger.lifecycle.receiver(false).staticData).length).toBeLessThan(9_000);
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
		const others = [await readAt(), await readAt(), await readAt()];
		expect(new Set([first, ...others].map(([minute]) => minute)).size).toBeGreaterThan(1);
	});

	// Promise: A trigger sends at most 12 requests an hour, idle or with 2,000 deliveries a day.
	test.each([0, 2000])(
		'with at most 12 requests an hour: %i deliveries a day',
		async (daily) => {
			const trigger = await publish();
			service.logPage = 50;
			const started: string[] = [];
			const hours: number[] = [];
			for (let minute = 1, sent = 0; minute <= 24 * 60; minute++) {
				pass(1);
				for (; sent < (daily * minute) / (24 * 60); sent++) {
					const isMissed = sent === daily / 4 || sent === daily / 2;
					logAttempt(`${sent}`, isMissed ? {} : ARRIVED);
				}
				started.push(...(await trigger.poll()));
				if (minute % 60 === 0) hours.push(service.requests.splice(0).length);
			}
			expect(started).toEqual(daily === 0 ? [] : [`${daily / 4}`, `${daily / 2}`]);
			expect(Math.max(...hours.slice(1))).toBeLessThanOrEqual(12);
		},
		120_000,
	);

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

	test('further in the minute after what was read is started, if the time cuts a reading off', async () => {
		const trigger = await publish();
		service.logPage = 20;
		logMany(40, 1 / 60);
		pass(20);
		await trigger.poll();
		// Each page takes 50 seconds.
		Object.defineProperty(service, 'pause', { get: () => pass(5 / 6) });
		expect(await trigger.poll()).toEqual([]);
		expect(await trigger.poll()).toHaveLength(20);
		expect(await trigger.pollFor(2)).toHaveLength(20);
	});

	test('and reported if its later pages fail each time', async () => {
		const trigger = await publish();
		service.logPage = 20;
		logMany(40, 1 / 60);
		Object.defineProperty(service, 'pause', { get: () => pass(5 / 6) });
		service.script.log = (_id, page) => (page === 2 ? { status: 500 } : undefined);
		expect(await trigger.pollFor(80)).toContainEqual(expect.stringContaining('could not look for'));
	});

	test('also if new records move the pages of the log while they are read', async () => {
		const trigger = await publish();
		service.logPage = 10;
		const missed = logMany(10, 1);
		logMany(20, 1, ARRIVED, 'b');
		service.script.log = (_id, page) => {
			if (page === 2) logMany(10, 1, ARRIVED, 'd');
			if (page === 2) service.script.log = undefined;
			return undefined;
		};
		pass(20);
		expect(await trigger.pollFor(40)).toEqual(missed);
	});

	test('after its last attempt, in a log in the order of events', async () => {
		const trigger = await publish();
		service.logPage = 20;
		logAttempt('x', { status: 'retrying', response_status: null });
		const [record] = logOf();
		const started: string[] = [];
		for (let count = 0; count < 90; count++) {
			pass(1);
			logAttempt(`${count}`, { status: 'delivered', response_status: 200 });
			if (count === 40) {
				Object.assign(record!, { status: 'failed', attempted_at: new Date().toISOString() });
			}
			started.push(...(await trigger.poll()));
		}
		expect(started).toEqual(['x']);
	});

	test('never with Catch Up turned off, before a publish has ended, or after an unpublish', async () => {
		const off = await publishOften({ options: { catchUp: false } });
		await off.pollFor(3);
		await off.lifecycle.unpublish();
		expect(logRequests()).toBe(0);
		const trigger = await publishOften();
		await trigger.lifecycle.unpublish();
		logRequests();
		await trigger.pollFor(3);
		expect(logRequests()).toBe(0);
	});

	test('starts no event that waits when Catch Up is turned off', async () => {
		const trigger = await publishOften();
		logMany(60, 0);
		expect(await trigger.poll()).toHaveLength(50);
		await trigger.lifecycle.publish({
			...trigger.lifecycle.published,
			options: { catchUp: false },
		});
		expect(await trigger.pollFor(3)).toEqual([]);
	});

	test('nor one that n8n had not answered then', async () => {
		const trigger = await publishOften();
		const { published } = trigger.lifecycle;
		await deliver(trigger, 'a', {}, async () => {
			logAttempt('a', { response_status: null, error: 'timeout' });
			for (const catchUp of [true, false, true]) {
				await trigger.lifecycle.publish({ ...published, options: { catchUp } });
				expect(await trigger.pollFor(3)).toEqual([]);
			}
			expect(await trigger.pollFor(90)).toEqual([]);
		});
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
test.each([400, 404])(
	'a log that is answered with %i is a warning, and the fourth time a failed execution',
	async (status) => {
		const trigger = await publishOften();
		const warn = spyOnWarnings();
		service.script.log = () => ({ status });
		expect(await trigger.pollFor(3)).toEqual([]);
		expect(warn).toHaveBeenCalledTimes(3);
		const report = expect.stringContaining('could not look for missed events') as string;
		expect(await trigger.pollFor(5)).toEqual([report]);
		service.script.log = undefined;
		logAttempt('a');
		expect(await trigger.poll()).toEqual(['a']);
	},
);

/** Delivers an event to the published trigger. @returns the status of n8n's answer, and whether it started the workflow */
async function deliver(
	{ node, lifecycle }: Awaited<ReturnType<typeof publish>>,
	id: string,
	headers: IDataObject = {},
	meanwhile?: () => Promise<void>,
) {
	const sent = { token: tokenOf(service.endpoints.at(-1)!.url), text: JSON.stringify(call(id)) };
	const receiver = Object.assign(lifecycle.receiver(false), { types: node.types });
	const answer = await receiveRequest(receiver, { ...sent, headers, meanwhile });
	lifecycle.save(receiver);
	return answer;
}

describe('an event that the service sends again', () => {
	test("after it was caught up is a duplicate, also if another node's data were stored over the trigger's", async () => {
		const trigger = await publishOften();
		const { node, lifecycle } = trigger;
		logAttempt('a');
		expect(await trigger.poll()).toEqual(['a']);
		lifecycle.load();
		node.staticData = { ...node.staticData, settled: undefined };
		lifecycle.save();
		expect(await deliver(trigger, 'a')).toMatchObject({ status: 200, isStarted: false });
	});

	test('after a delivery with an id of its own was accepted is not started', async () => {
		const trigger = await publishOften();
		await deliver(trigger, 'a', { 'x-webhook-delivery': 'dlv_1' });
		logAttempt('a', { id: 'dlv_1', event_id: 'evt_of_the_log', error: 'timeout of 5000ms' });
		expect(await trigger.pollFor(2)).toEqual([]);
	});

	test('after n8n could not start it runs, and else a later poll starts it', async () => {
		const trigger = await publishOften();
		for (const id of ['a', 'b']) logAttempt(id);
		trigger.lifecycle.refusal = new Error('SQLITE_FULL: database or disk is full');
		expect(await trigger.poll()).toEqual([]);
		expect(await deliver(trigger, 'a')).toMatchObject({ isStarted: true });
		trigger.lifecycle.refusal = undefined;
		expect(await trigger.pollFor(2)).toEqual(['b']);
	});

	test('and that n8n has refused late waits for a later poll, also if the log has lost it', async () => {
		const trigger = await publishOften();
		logAttempt('a');
		trigger.lifecycle.refusal = new Promise((resolve) => {
			setTimeout(() => resolve(new Error('The database does not answer')), 100);
		});
		expect(await trigger.poll()).toEqual([]);
		logOf().length = 0;
		trigger.lifecycle.refusal = undefined;
		expect(await trigger.pollFor(2)).toEqual(['a']);
	});

	test('after its execution was made, and had failed before n8n looked for it, is a duplicate', async () => {
		class ExecutionNotFoundError extends Error {}
		const trigger = await publishOften();
		logAttempt('a');
		trigger.lifecycle.refusal = new ExecutionNotFoundError();
		expect(await trigger.poll()).toEqual([]);
		trigger.lifecycle.refusal = undefined;
		expect(await trigger.pollFor(2)).toEqual([]);
		expect(await deliver(trigger, 'a')).toMatchObject({ isStarted: false });
	});

	test('while it is caught up gets 503, for a minute at most', async () => {
		const trigger = await publishOften();
		logAttempt('a');
		let end = () => {};
		trigger.lifecycle.onStart = async () => await new Promise((resolve) => (end = resolve));
		const poll = trigger.poll();
		await until('the execution', 10, () => end.length === 1 || end.name !== 'end');
		expect(await deliver(trigger, 'a')).toMatchObject({ status: 503 });
		pass(2);
		expect(await deliver(trigger, 'a')).toMatchObject({ status: 200, isStarted: false });
		end();
		await poll;
	});
});

describe('what was caught up is recorded through the own webhook', () => {
	// Promise: A start of n8n starts no event again that was caught up.
	test('beside what others have stored, so that no start repeats it', async () => {
		const trigger = await publishOften();
		const { node, lifecycle } = trigger;
		lifecycle.onStart = () => {
			// Another node stores its data while the event is processed.
			lifecycle.load();
			node.globalData = { count: Number(node.globalData.count ?? 0) + 1 };
			lifecycle.save();
		};
		const ids = logMany(100, 0.1);
		expect(await trigger.pollFor(3)).toEqual(ids);
		expect(lifecycle.receiver(false).globalData).toEqual({ count: 100 });
		for (let start = 4; start < 7; start++) {
			node.types = await loadInProcess(start);
			await lifecycle.start();
			expect(await trigger.pollFor(3)).toEqual([]);
		}
	});

	test('also after n8n has lost what it had stored', async () => {
		const trigger = await publishOften();
		const { node, lifecycle } = trigger;
		lifecycle.loseStaticData('nothing');
		logAttempt('a');
		expect(await trigger.pollFor(3)).toEqual(['a']);
		node.types = await loadInProcess(8);
		node.credential = { ...node.credential, apiKey: 'svc_live_rotated' };
		expect(await deliver(trigger, 'b')).toMatchObject({ status: 200 });
		await lifecycle.start();
		expect(await trigger.pollFor(3)).toEqual([]);
	});

	test.each(['delivery', 'poll'])('after n8n could not reach it, by the next %s', async (next) => {
		const trigger = await publish({ minAgeMinutes: 0 });
		const { node, lifecycle } = trigger;
		lifecycle.isUnreachable = true;
		const warn = spyOnWarnings();
		logAttempt('a');
		expect(await trigger.pollFor(3)).toEqual(['a']);
		const text = expect.stringContaining('could not reach its own webhook URL https://') as string;
		expect(warn.mock.calls).toEqual([[text]]);
		const check = await NodeInWorkflow.create('voiceAgent', {
			parameters: { resource: 'webhook', operation: 'check', allWebhooks: true },
			credential: node.credential,
		});
		const summary = async () => ((await check.execute()) as [INodeExecutionData])[0].json.summary;
		expect(await summary()).toContain('could not reach the URL of this webhook itself');
		lifecycle.isUnreachable = next === 'delivery';
		await (next === 'poll' ? trigger.poll() : deliver(trigger, 'd'));
		if (next === 'delivery') await deliver(trigger, 'e');
		lifecycle.isUnreachable = false;
		await trigger.pollFor(16);
		expect(await summary()).not.toContain('could not reach');
		node.types = await loadInProcess(7);
		await lifecycle.start();
		expect(await trigger.pollFor(3)).toEqual([]);
	});
});

// Promise: An event that n8n has accepted is not caught up, also if the service has given up before.
test('an event that n8n accepted after the service had given up is not started', async () => {
	const trigger = await publishOften();
	for (const id of ['a', 'b', 'e'])
		expect(await deliver(trigger, id)).toMatchObject({ isStarted: true });
	const late = { response_status: null, error: 'timeout' };
	for (const id of ['a', 'b', 'c']) logAttempt(id, late);
	logAttempt('e', { ...late, payload: undefined });
	expect(await trigger.poll()).toEqual(['c']);
	for (let day = 0; day < 3; day += 0.5) {
		pass(12 * 60);
		expect(await trigger.poll()).toEqual([]);
	}
	// The next delivery stores it, and a person may let the service send it again.
	await deliver(trigger, 'd');
	expect(await deliver(trigger, 'a')).toMatchObject({ isStarted: true });
	trigger.node.types = await loadInProcess(6);
	await trigger.lifecycle.start();
	expect(await trigger.pollFor(3)).toEqual([]);
});

test('an event that n8n has not answered is started after an hour, unless it has arrived at the next webhook', async () => {
	const trigger = await publishOften();
	const { lifecycle } = trigger;
	const runBoth = async () => {
		for (const id of ['a', 'b']) logAttempt(id, { response_status: null, error: 'timeout' });
		expect(await trigger.pollFor(30)).toEqual([]);
		const events = ['call.completed', 'call.started'];
		await lifecycle.publish({ ...lifecycle.published, events });
		expect(await trigger.pollFor(3)).toEqual([]);
		logAttempt('b', ARRIVED);
		expect(await trigger.pollFor(40)).toEqual(['a']);
	};
	await deliver(trigger, 'a', {}, async () => void (await deliver(trigger, 'b', {}, runBoth)));
});

// Promise: An execution of a missed event that was killed is started again.
test('after a kill, the events whose executions had not ended are started again', async () => {
	const trigger = await publishOften();
	const { node, lifecycle } = trigger;
	const ids = logMany(60, 0.1);
	let runs = 0;
	const kill = new Promise<void>((resolve) => {
		lifecycle.onStart = async () => {
			if (++runs < 30) return;
			resolve();
			await new Promise(() => {});
		};
	});
	void trigger.poll();
	await kill;
	Object.assign(lifecycle, { onStart: undefined });
	node.types = await loadInProcess(2);
	await lifecycle.start();
	const again = await trigger.pollFor(3);
	expect(again).toEqual(ids.slice(29));
});

describe('a log of many failures', () => {
	// Promise: At most 500 executions a day are started for missed events.
	test('is read once, and started up to 500 executions in a day', async () => {
		const trigger = await publishOften();
		// More than a day.
		const ids = logMany(520, 5);
		logRequests();
		const started = await trigger.pollFor(11);
		expect(started.slice(0, 500)).toEqual(ids.slice(0, 500));
		expect(started.slice(500)).toEqual([
			expect.stringMatching(
				/^20 missed events (on|from) .* continues on \d+ \w+ 20\d\d, [\d:]+ \(Asia/,
			),
		]);
		// Six pages of 100 records, and again for what was beyond the most that are remembered.
		expect(logRequests()).toBe(2 * 6);
		pass(24 * 60);
		expect(await trigger.pollFor(5)).toEqual(ids.slice(500));
	}, 120_000);

	test('of before the publish starts nothing', async () => {
		const trigger = await publishOften();
		logAttempt('a', { attempted_at: '2001-05-01T10:00:00Z' });
		logAttempt('b', { attempted_at: new Date(Date.now() - 5 * 60_000).toISOString() });
		expect(await trigger.poll()).toEqual([]);
	});

	test('of the same second starts its events in the order in which they happened', async () => {
		const trigger = await publishOften();
		const ids = logMany(4, 0);
		expect(await trigger.poll()).toEqual(ids);
	});
});

describe('a log that shows too little', () => {
	const bare = { event_id: undefined, payload: undefined, response_status: undefined };
	const fill = (statuses: string[]) => {
		for (const [index, status] of statuses.entries()) {
			pass(1);
			logAttempt(`${index}`, { ...bare, status });
		}
	};

	// Promise: What the log can't tell is reported.
	test.each([
		[['failed', 'failed', 'failed']],
		[[...'sfssfssfs'].map((letter) => (letter === 'f' ? 'failed' : 'delivered'))],
	])('to tell failures apart is reported with their number, once: %j', async (statuses) => {
		const trigger = await publishOften();
		fill(statuses);
		const [report, ...others] = await trigger.pollFor(3);
		expect(report).toMatch(
			/does not show whether their events arrived later: 3, from \d.* to \d.* \(Asia\/Tokyo\)\./,
		);
		expect(others).toEqual([]);
	});

	test('because it begins in an outage is a warning after a start', async () => {
		const trigger = await publishOften();
		logMany(50, 60, ARRIVED);
		await trigger.pollFor(2);
		const calls = logMany(25, 30);
		logOf().splice(20);
		trigger.node.types = await loadInProcess(2);
		await trigger.lifecycle.start();
		const warn = spyOnWarnings();
		expect(await trigger.pollFor(40)).toEqual(calls.slice(5));
		expect(warn).toHaveBeenCalledWith(expect.stringContaining('could read only 20 of the newest'));
	});

	test('because it begins after the last reading is a warning, once a day', async () => {
		const trigger = await publishOften();
		const warn = spyOnWarnings();
		const log = (count: number) => {
			logMany(count, 0.1, ARRIVED);
			logOf().splice(20);
		};
		log(20);
		// The log may have had no other attempt.
		expect(await trigger.pollFor(2)).toEqual([]);
		expect(warn).not.toHaveBeenCalled();
		log(25);
		expect(await trigger.pollFor(3)).toEqual([]);
		expect(warn.mock.calls).toEqual([
			[expect.stringContaining('could read only 20 of the newest')],
		]);
	});
});
