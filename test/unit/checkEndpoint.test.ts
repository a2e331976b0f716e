import type { Endpoint } from '../../nodes/VoiceAgent/lists/records';
import type { DeliveryDetails } from '../../nodes/VoiceAgent/log/attempts';
import {
	arrived,
	at,
	attemptOf,
	complete,
	CRM_URL,
	failed,
	check,
	lost,
	starting,
	withEndpoint,
} from '../support/service/endpointFacts';

describe('the list of webhooks', () => {
	const working = [at(1, arrived)];

	test('report a disabled webhook and its failures', () => {
		const { ok, problems } = check([at(1, failed(500))], withEndpoint({ isDisabled: true }));
		expect(ok).toBe(false);
		expect(problems.map(({ what }) => what).join()).toMatch(/as disabled.*status 500/);
		expect(problems[0]?.toDo).toMatch(/unpublish the workflow and publish it again/);
	});

	test.each<[Partial<Endpoint>, ok: boolean | null, what: RegExp]>([
		[{ isRemoved: true }, false, /^The service lists this webhook as deleted/],
		[{ isUnverified: true }, null, /waits for the verification/],
	])('report the state %j', (state, ok, what) => {
		const found = check(working, withEndpoint(state));
		expect(found.ok).toBe(ok);
		expect([...found.problems, ...found.doubts]).toEqual([
			expect.objectContaining({ what: expect.stringMatching(what) as string }),
		]);
	});

	test('have a doubt about a webhook that they lack', () => {
		const { ok, events, summary } = check(working, { list: complete([]) });
		expect({ ok, events }).toEqual({ ok: null, events: null });
		expect(summary).toMatch(/^The list of webhooks does not contain/);
	});
});

test('the doubts of a test event are added to the others', () => {
	const doubt = { what: 'A test event was sent.', toDo: 'Look for it.' };
	const testEvent = { arrived: true, doubts: [doubt] };
	expect(check([at(1, arrived)], { testEvent })).toMatchObject({
		ok: null,
		doubts: [doubt],
		sampleArrived: true,
	});
});

describe('the log', () => {
	test('is ok if the newest delivery arrived, also after failures', () => {
		expect(check([at(2, arrived), at(1, failed(500))])).toMatchObject({
			ok: true,
			problems: [],
			summary: 'The newest delivery arrived.',
			lastDelivery: { id: 'd-2', time: '2026-01-31T09:02:00.000Z', status: 200 },
			logged: 2,
			failed: 1,
		});
	});

	test('fails since the first failure after the last success, in any order of the log', () => {
		const log = [at(1, failed(500)), at(2, arrived), at(3, failed(502)), at(4, failed(404))];
		for (const order of [log, [...log].reverse(), [log[2]!, log[0]!, log[3]!, log[1]!]]) {
			const { ok, problems, failed: count } = check(order);
			expect({ ok, count }).toEqual({ ok: false, count: 3 });
			const what = 'Nothing is at this URL (status 404).';
			expect(problems).toMatchObject([{ what, since: '2026-01-31T09:03:00.000Z' }]);
		}
	});

	test('reports an event that n8n lost while it was starting, also after a success', () => {
		const { ok, problems, failed: count } = check([at(1, starting), at(2, arrived)]);
		expect({ ok, count }).toEqual({ ok: false, count: 1 });
		expect(problems).toMatchObject([{ since: '2026-01-31T09:01:00.000Z' }]);
		expect(problems[0]?.what).toMatch(/^n8n lost an event that it confirmed while/);
		const event = { id: 'evt_1' };
		expect(check([at(1, { ...starting, event }), at(2, { ...arrived, event })]).ok).toBe(true);
	});

	describe('with a response that is not from a started workflow', () => {
		const page = { ...arrived, response: '<!DOCTYPE html><html><head><title>Parked</title>' };
		const webhookUrl = 'https://n8n.example.com/webhook/6d1c/webhook?***';

		test.each([webhookUrl, null])('reports a web page at the URL %s as a failure', (url) => {
			const { ok, problems, failed: count } = check([at(1, { ...page, webhookUrl: url })]);
			expect({ ok, count }).toEqual({ ok: false, count: 1 });
			expect(problems).toMatchObject([{ since: '2026-01-31T09:01:00.000Z' }]);
			expect(problems[0]?.what).toMatch(/^Another server than n8n answers at this URL/);
			expect(check([at(1, { ...page, webhookUrl: url }), at(2, arrived)]).ok).toBe(true);
		});

		const ignored = { ...arrived, response: '{"ignored":true}' };
		const filtered = { ...arrived, response: '{"ignored":"filter"}' };

		test('has a doubt if n8n ignored all deliveries', () => {
			const { ok, doubts } = check([at(1, ignored), at(2, ignored)]);
			expect(ok).toBeNull();
			expect(doubts).toHaveLength(1);
			expect(doubts[0]?.what).toMatch(/^n8n ignored every delivery that arrived/);
		});

		test.each<[string, DeliveryDetails[]]>([
			["the user's filter ignored one", [at(1, filtered), at(2, ignored)]],
			['one was a repetition', [at(1, { ...arrived, response: '{"ignored":"duplicate"}' })]],
		])('is ok if %s', (_name, log) => expect(check(log).ok).toBe(true));

		test('is ok if another receiver ignores deliveries', () =>
			expect(check([at(1, ignored)], withEndpoint({ url: CRM_URL })).ok).toBe(true));
	});

	test('reports failures before the start of n8n until a delivery arrives', () => {
		const { problems } = check([at(1, failed(502)), at(2, starting)]);
		expect(problems.map(({ what }) => what).join()).toMatch(/status 502.*while it was starting/);
		expect(check([at(1, failed(502)), at(2, starting), at(3, arrived)]).problems).toHaveLength(1);
	});

	test('of two deliveries at the same time, the higher attempt is the newer, else the failed one', () => {
		const both = [at(1, { ...failed(500), attempt: 1 }), at(1, { ...arrived, attempt: 2 })];
		expect(check(both).ok).toBe(true);
		expect(check([at(1, arrived), at(1, failed(500))]).ok).toBe(false);
	});

	test.each<[string, DeliveryDetails[], RegExp]>([
		['it is empty', [], /^No deliveries are logged/],
		['the newest may be under way', [at(1, arrived), at(2)], /whether the newest/],
		[
			'times are missing',
			[at(1, { ...failed(500), time: null }), at(2, arrived)],
			/whether the newest/,
		],
	])('has a doubt and no result if %s', (_name, log, what) => {
		const { ok, doubts, summary } = check(log);
		expect(ok).toBeNull();
		expect(doubts.map((doubt) => doubt.what)).toEqual([expect.stringMatching(what)]);
		expect(summary).toBe(`${doubts[0]?.what} ${doubts[0]?.toDo}`);
	});

	test('fails without `since` if all deliveries without times failed', () => {
		const log = [1, 2].map((minute) => at(minute, { ...failed(401), time: null }));
		const { ok, problems, lastDelivery } = check(log);
		expect({ ok, lastDelivery }).toEqual({ ok: false, lastDelivery: null });
		expect(problems[0]?.since).toBeNull();
		const arrivedAll = [1, 2].map((minute) => at(minute, { ...arrived, time: null }));
		expect(check(arrivedAll).ok).toBe(true);
	});

	test('has a doubt if it cannot be read, or not completely', () => {
		const unread = check([], { log: lost('The log is lost.') });
		expect(unread).toMatchObject({ ok: null, logged: null, failed: null, lastDelivery: null });
		expect(unread.summary).toMatch(/log of deliveries could not be read: The log is lost\./);
		const cut = check([], { log: { ...complete([attemptOf(at(1, arrived))]), complete: false } });
		expect(cut.ok).toBeNull();
		expect(cut.summary).toMatch(/could not be read completely/);
	});
});
