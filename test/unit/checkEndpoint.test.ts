import { judgeEndpoint, type Known } from '../../nodes/VoiceAgent/operations/check/checkEndpoint';
import {
	readDeliveryDetails,
	type DeliveryDetails,
} from '../../nodes/VoiceAgent/deliveryLog/deliveryDetails';
import type { Endpoint } from '../../nodes/VoiceAgent/answers/records';
import { deliveryRecords } from '../support/deliveryRecords';
import { fc } from '../support/random';

const TRIGGER_URL = `https://n8n.example.com/webhook/6d1c/webhook?voice_agent_token=${'A'.repeat(43)}`;
const CRM_URL = 'https://crm.example.com/hooks';

const endpoint: Endpoint = {
	id: 'we_1',
	url: TRIGGER_URL,
	events: ['call.completed'],
	isDisabled: false,
	isRemoved: false,
	isUnverified: false,
};
const nothing = readDeliveryDetails({}, { id: 'we_1' });
/** A delivery at this minute, of which the log tells this. */
const at = (minute: number, told: Partial<DeliveryDetails> = {}): DeliveryDetails => ({
	...nothing,
	id: `d-${minute}`,
	time: new Date(Date.UTC(2026, 0, 31, 9, minute)).toISOString(),
	...told,
});
const arrived = { status: 200, succeeded: true };
const failed = (status: number) => ({ status, succeeded: false });
const withoutAnswer = (error: string | null) => ({ status: null, succeeded: false, error });
const starting = { ...arrived, response: 'n8n is starting up. Please wait' };

const whole = <T>(value: T) => ({ value, complete: true });
const judge = (log: DeliveryDetails[], more: Partial<Known> = {}) =>
	judgeEndpoint({
		endpoint: whole(endpoint),
		catalog: whole(['call.started', 'call.completed', 'chat.ended']),
		log: whole(log),
		...more,
	});
const withEndpoint = (more: Partial<Endpoint>) => ({ endpoint: whole({ ...endpoint, ...more }) });

describe('what the log tells', () => {
	test('where the newest delivery arrived, all is well', () => {
		expect(judge([at(2, arrived), at(1, arrived)])).toEqual({
			ok: true,
			summary: 'The newest delivery arrived.',
			problems: [],
			doubts: [],
			lastDelivery: {
				id: 'd-2',
				eventType: null,
				time: '2026-01-31T09:02:00.000Z',
				status: 200,
				succeeded: true,
				response: null,
				error: null,
				attempt: null,
			},
			logged: 2,
			failed: 0,
		});
	});

	test('it fails since the first failure after the last success, wherever the log begins', () => {
		const log = [at(1, failed(500)), at(2, arrived), at(3, failed(502)), at(4, failed(404))];
		for (const order of [log, [...log].reverse(), [log[2]!, log[0]!, log[3]!, log[1]!]]) {
			const { ok, problems, failed: count } = judge(order);
			expect({ ok, count }).toEqual({ ok: false, count: 3 });
			expect(problems).toEqual([
				{
					what: 'Nothing is at this URL (status 404).',
					toDo: expect.stringContaining('unpublish it') as string,
					since: '2026-01-31T09:03:00.000Z',
				},
			]);
		}
	});

	test('failures from before the last success are no problem any more, but are told', () => {
		const { ok, problems, summary } = judge([at(1, failed(500)), at(2, arrived)]);
		expect({ ok, problems }).toEqual({ ok: true, problems: [] });
		expect(summary).toMatch(/arrived\. Of the 2 that are logged, 1 did not: Get Deliveries/);
	});

	test('an event that n8n answered while it was starting is lost, whatever came after it', () => {
		const { ok, problems, failed: count } = judge([at(1, starting), at(2, arrived)]);
		expect({ ok, count }).toEqual({ ok: false, count: 1 });
		expect(problems).toEqual([
			{
				what: expect.stringMatching(/^n8n answered a delivery with success while/) as string,
				toDo: expect.stringContaining('/healthz/readiness') as string,
				since: '2026-01-31T09:01:00.000Z',
			},
		]);
	});

	describe('an answer of success that is not one of a started workflow', () => {
		const page = { ...arrived, response: '<!DOCTYPE html><html><head><title>Parked</title>' };
		const webhookUrl = 'https://n8n.example.com/webhook/6d1c/webhook?***';

		test.each([webhookUrl, null])('a web page shows that n8n was never reached: %s', (url) => {
			const { ok, problems, failed: count } = judge([at(1, { ...page, webhookUrl: url })]);
			expect({ ok, count }).toEqual({ ok: false, count: 1 });
			expect(problems).toEqual([
				{
					what: expect.stringMatching(/^A web page answers at this URL, not n8n/) as string,
					toDo: expect.stringContaining('WEBHOOK_URL') as string,
					since: '2026-01-31T09:01:00.000Z',
				},
			]);
			expect(judge([at(1, { ...page, webhookUrl: url }), at(2, arrived)]).ok).toBe(true);
		});

		test('a web page of another receiver tells nothing', () =>
			expect(judge([at(1, { ...page, webhookUrl: CRM_URL })]).ok).toBeNull());

		const ignored = { ...arrived, response: '{"ignored":true}' };
		const filtered = { ...arrived, response: '{"ignored":"filter"}' };

		test('where n8n ignored all that arrived, no workflow has started', () => {
			const { ok, doubts } = judge([at(1, ignored), at(2, ignored)]);
			expect(ok).toBeNull();
			expect(doubts).toEqual([
				{
					what: expect.stringMatching(/^n8n ignored every delivery that arrived/) as string,
					toDo: expect.stringContaining('Choose the event types') as string,
				},
			]);
			expect(judge([at(1, { ...arrived, response: '{"ignored":"notSelected"}' })]).ok).toBeNull();
		});

		test.each<[string, DeliveryDetails[]]>([
			["the user's filter", [at(1, filtered), at(2, ignored)]],
			['some were not', [at(1, arrived), at(2, ignored)]],
			['a receiver says otherwise', [at(1, { ...arrived, response: '{"ignored":false}' })]],
		])('but all is well where it was %s', (_why, log) => expect(judge(log).ok).toBe(true));

		test('and what another receiver says so of itself is its own', () =>
			expect(judge([at(1, ignored)], withEndpoint({ url: CRM_URL })).ok).toBe(true));
	});

	test('what failed before n8n started is a problem of its own until something arrives', () => {
		const { problems } = judge([at(1, failed(502)), at(2, starting)]);
		expect(problems.map(({ what }) => what)).toEqual([
			expect.stringContaining('status 502'),
			expect.stringContaining('while it was starting'),
		]);
		expect(judge([at(1, failed(502)), at(2, starting), at(3, arrived)]).problems).toHaveLength(1);
	});

	test('of two at the same moment the later attempt is the newer, else the one that failed', () => {
		const both = [at(1, { ...failed(500), attempt: 1 }), at(1, { ...arrived, attempt: 2 })];
		expect(judge(both).ok).toBe(true);
		expect(judge([at(1, arrived), at(1, failed(500))]).ok).toBe(false);
	});

	test.each<[string, DeliveryDetails[], RegExp]>([
		['nothing is logged', [], /^No deliveries are logged/],
		[
			'it does not tell how any ended',
			[at(1), at(2)],
			/how 2 deliveries ended that may be the newest/,
		],
		['the newest may be under way', [at(1, arrived), at(2)], /how a delivery ended that may be/],
		[
			'some failed, and nobody knows which came last',
			[at(1, { ...failed(500), time: null }), at(2, arrived)],
			/does not tell which came last/,
		],
	])('null, and a doubt, where %s', (_name, log, what) => {
		const { ok, doubts, summary } = judge(log);
		expect(ok).toBeNull();
		expect(doubts.map((doubt) => doubt.what)).toEqual([expect.stringMatching(what)]);
		expect(summary).toBe(`${doubts[0]?.what} ${doubts[0]?.toDo}`);
	});

	test('without times it is still told that all failed, and not since when', () => {
		const log = [1, 2].map((minute) => at(minute, { ...failed(401), time: null }));
		const { ok, problems, lastDelivery } = judge(log);
		expect({ ok, lastDelivery }).toEqual({ ok: false, lastDelivery: null });
		expect(problems[0]?.since).toBeNull();
		const arrivedAll = [1, 2].map((minute) => at(minute, { ...arrived, time: null }));
		expect(judge(arrivedAll).ok).toBe(true);
	});

	test('a failure stays one while a later attempt is under way', () => {
		const { ok, problems, doubts } = judge([at(1, failed(404)), at(2)]);
		expect([ok, problems.length, doubts.length]).toEqual([false, 1, 1]);
	});

	test('a log that cannot be read, or not whole, is a doubt', () => {
		const unread = judge([], { log: { error: new Error('The log is lost.') } });
		expect(unread).toMatchObject({ ok: null, logged: null, failed: null, lastDelivery: null });
		expect(unread.summary).toMatch(/log of deliveries could not be read: The log is lost\./);
		const cut = judge([], { log: { value: [at(1, arrived)], complete: false } });
		expect(cut.ok).toBeNull();
		expect(cut.summary).toMatch(/could not be read whole/);
	});
});

describe('what the record and the catalog tell', () => {
	const well = [at(1, arrived)];

	test('a disabled webhook is a problem, and so is what made it fail', () => {
		const { ok, problems } = judge([at(1, failed(500))], withEndpoint({ isDisabled: true }));
		expect(ok).toBe(false);
		expect(problems.map(({ what }) => what)).toEqual([
			expect.stringContaining('has disabled this webhook'),
			expect.stringContaining('status 500'),
		]);
		expect(problems[0]?.toDo).toMatch(/publish it again, which registers it anew/);
	});

	test('a webhook that is listed as removed is a problem', () => {
		expect(judge(well, withEndpoint({ isRemoved: true })).summary).toMatch(/lists this .* removed/);
	});

	test('a webhook that waits for verification is a doubt', () => {
		const { ok, doubts } = judge(well, withEndpoint({ isUnverified: true }));
		expect(ok).toBeNull();
		expect(doubts).toHaveLength(1);
		expect(doubts[0]?.what).toMatch(/waits for the verification/);
	});

	describe('two webhooks at one address', () => {
		const twin = { ...endpoint, id: 'we_2', url: TRIGGER_URL.replace(/\?.*/, '?***') };

		test('are a problem of a trigger', () => {
			const { ok, problems } = judge(well, { all: [endpoint, twin] });
			expect(ok).toBe(false);
			expect(problems).toMatchObject([
				{ what: expect.stringMatching(/^This trigger has 2 webhooks.*: we_1, we_2\.$/) as string },
			]);
		});

		test.each<[string, Endpoint[]]>([
			['elsewhere', [endpoint, { ...twin, url: TRIGGER_URL.replace('6d1c', '7e2d') }]],
			['removed', [endpoint, { ...twin, isRemoved: true }]],
			['disabled', [endpoint, { ...twin, isDisabled: true }]],
			['without an address', [endpoint, { ...twin, url: '' }]],
		])('are none where one is %s', (_where, all) => expect(judge(well, { all }).ok).toBe(true));

		test('are none of another receiver', () => {
			const crm = { ...endpoint, url: CRM_URL };
			const all = [crm, { ...crm, id: 'we_2' }];
			expect(judge(well, { endpoint: whole(crm), all }).ok).toBe(true);
		});
	});

	test.each<[string[], string[], string]>([
		[['call.completed', 'call.vanished'], ['call.vanished'], TRIGGER_URL],
		[['sms.*', 'call.*'], ['sms.*'], CRM_URL],
		[['call.vanished', 'sms.sent'], ['call.vanished', 'sms.sent'], TRIGGER_URL],
	])('of %j the catalog no longer has %j', (events, missing, url) => {
		const { ok, problems } = judge(well, withEndpoint({ events, url }));
		expect(ok).toBe(false);
		expect(problems[0]?.what).toMatch(
			new RegExp(`: ${missing.join(', ').replace('*', '\\*')}\\.$`),
		);
		expect(problems[0]?.toDo).toMatch(url === CRM_URL ? /Create the webhook anew/ : /publish/);
	});

	test.each([
		[['CALL_COMPLETED']],
		[['call.*']],
		[['*']],
		[['call.vanished', '*']],
		[[]],
		[undefined],
	])('the events %j are all there', (events) => {
		expect(judge(well, withEndpoint({ events })).ok).toBe(true);
	});

	test.each<[string, Known['catalog']]>([
		['cannot be read', { error: new Error('The catalog is lost.') }],
		['cannot be read whole', { value: ['call.started'], complete: false }],
		['shows none but wildcards', whole(['call.*', '*'])],
		['is empty', whole([])],
	])('a catalog that %s is a doubt, where it matters', (_name, catalog) => {
		const { ok, doubts } = judge(well, { catalog });
		expect({ ok, count: doubts.length }).toEqual({ ok: null, count: 1 });
		expect(judge(well, { catalog, ...withEndpoint({ events: [] }) }).ok).toBe(true);
	});

	test('a list that cannot be read, or does not have it, is a doubt', () => {
		const unread = judge(well, { endpoint: { error: new Error('The list is lost.') } });
		expect(unread.ok).toBeNull();
		expect(unread.summary).toMatch(/^The list of webhooks could not be read: The list is lost\./);
		const missing = { value: undefined, complete: true };
		expect(judge(well, { endpoint: missing }).summary).toMatch(
			/^The list of webhooks does not have/,
		);
		const cut = { value: undefined, complete: false };
		expect(judge(well, { endpoint: cut }).summary).toMatch(/^What could be read of the list/);
	});

	test('doubts that there were before stand beside the others', () => {
		const doubt = { what: 'A sample was sent.', toDo: 'Look for it.' };
		const known = { endpoint: whole(endpoint), catalog: whole(['call.completed']) };
		expect(judgeEndpoint({ ...known, log: whole(well) }, [doubt])).toMatchObject({
			ok: null,
			doubts: [doubt],
		});
	});
});

const anyTold = fc.constantFrom<Partial<DeliveryDetails>>(
	arrived,
	failed(404),
	failed(500),
	withoutAnswer('timeout'),
	starting,
	{},
);

test('whatever order a log is in, the verdict is the same, and ok says what was found', () => {
	const anyLog = fc
		.uniqueArray(fc.nat(59), { maxLength: 8 })
		.chain((minutes) =>
			fc.tuple(...minutes.map((minute) => anyTold.map((told) => at(minute, told)))),
		);
	fc.assert(
		fc.property(anyLog, fc.infiniteStream(fc.nat()), (log, ranks) => {
			const verdict = judge(log);
			const rank = new Map(log.map((one) => [one, ranks.next().value as number]));
			const shuffled = [...log].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
			expect(judge(shuffled)).toEqual(verdict);
			const { ok, problems, doubts } = verdict;
			expect(ok).toBe(problems.length > 0 ? false : doubts.length > 0 ? null : true);
			const newest = log.find(({ time }) => log.every((other) => other.time! <= time!));
			if (ok) expect(newest).toMatchObject(arrived);
			if (newest?.succeeded === false) expect(ok).toBe(false);
		}),
	);
});

test('each documented form of a failed delivery is explained, and none that arrived is a problem', () => {
	for (const { form, record, told } of deliveryRecords) {
		const { ok, problems } = judge([readDeliveryDetails(record, { id: 'we_1' })]);
		const expected = told.succeeded === undefined ? null : told.succeeded;
		expect({ form, ok }).toEqual({ form, ok: expected });
		if (ok === false) expect(problems[0]?.what).toMatch(/\(.+\)\.$/);
	}
});
