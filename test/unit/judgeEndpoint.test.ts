import {
	judgeEndpoint,
	type EndpointFacts,
} from '../../nodes/VoiceAgent/operations/check/judgeEndpoint';
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
/** @returns a delivery at a minute, with these details */
const at = (minute: number, details: Partial<DeliveryDetails> = {}): DeliveryDetails => ({
	...nothing,
	id: `d-${minute}`,
	time: new Date(Date.UTC(2026, 0, 31, 9, minute)).toISOString(),
	...details,
});
const arrived = { status: 200, succeeded: true };
const failed = (status: number) => ({ status, succeeded: false });
const withoutAnswer = (error: string | null) => ({ status: null, succeeded: false, error });
const starting = { ...arrived, response: 'n8n is starting up. Please wait' };

const complete = <T>(value: T[]) => ({ value, complete: true });
const lost = (message: string) => ({ value: [], complete: false, error: new Error(message) });
const judge = (log: DeliveryDetails[], more: Partial<EndpointFacts> = {}) =>
	judgeEndpoint({
		id: 'we_1',
		list: complete([endpoint]),
		catalog: complete(['call.started', 'call.completed', 'chat.ended']),
		log: complete(log),
		...more,
	});
const withEndpoint = (more: Partial<Endpoint>) => ({ list: complete([{ ...endpoint, ...more }]) });

describe('the log', () => {
	test('is ok if the newest delivery arrived', () => {
		expect(judge([at(2, arrived), at(1, arrived)])).toEqual({
			id: 'we_1',
			url: 'https://n8n.example.com/webhook/6d1c/webhook?***',
			events: ['call.completed'],
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
			sampleArrived: null,
		});
	});

	test('fails since the first failure after the last success, in any order of the log', () => {
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

	test('counts failures before the last success, which are no problem', () => {
		const { ok, problems, failed: count } = judge([at(1, failed(500)), at(2, arrived)]);
		expect({ ok, problems, count }).toEqual({ ok: true, problems: [], count: 1 });
	});

	test('reports an event that n8n lost while it was starting, also after a success', () => {
		const { ok, problems, failed: count } = judge([at(1, starting), at(2, arrived)]);
		expect({ ok, count }).toEqual({ ok: false, count: 1 });
		expect(problems).toEqual([
			{
				what: expect.stringMatching(/^n8n lost an event that it confirmed while/) as string,
				toDo: expect.stringContaining('/healthz/readiness') as string,
				since: '2026-01-31T09:01:00.000Z',
			},
		]);
	});

	describe('with a response that is not from a started workflow', () => {
		const page = { ...arrived, response: '<!DOCTYPE html><html><head><title>Parked</title>' };
		const webhookUrl = 'https://n8n.example.com/webhook/6d1c/webhook?***';

		test.each([webhookUrl, null])('reports a web page at the URL %s as a failure', (url) => {
			const { ok, problems, failed: count } = judge([at(1, { ...page, webhookUrl: url })]);
			expect({ ok, count }).toEqual({ ok: false, count: 1 });
			expect(problems).toEqual([
				{
					what: expect.stringMatching(/^Another server than n8n answers at this URL/) as string,
					toDo: expect.stringContaining('WEBHOOK_URL') as string,
					since: '2026-01-31T09:01:00.000Z',
				},
			]);
			expect(judge([at(1, { ...page, webhookUrl: url }), at(2, arrived)]).ok).toBe(true);
		});

		test('has a doubt about a web page of another receiver', () =>
			expect(judge([at(1, { ...page, webhookUrl: CRM_URL })]).ok).toBeNull());

		const ignored = { ...arrived, response: '{"ignored":true}' };
		const filtered = { ...arrived, response: '{"ignored":"filter"}' };

		test('has a doubt if n8n ignored all deliveries', () => {
			const { ok, doubts } = judge([at(1, ignored), at(2, ignored)]);
			expect(ok).toBeNull();
			expect(doubts).toEqual([
				{
					what: expect.stringMatching(/^n8n ignored every delivery that arrived/) as string,
					toDo: expect.stringContaining('choose them in the Voice Agent Trigger') as string,
				},
			]);
			expect(judge([at(1, { ...arrived, response: '{"ignored":"notSelected"}' })]).ok).toBeNull();
		});

		test.each<[string, DeliveryDetails[]]>([
			["the user's filter ignored one", [at(1, filtered), at(2, ignored)]],
			['n8n ignored some', [at(1, arrived), at(2, ignored)]],
			['the response is another', [at(1, { ...arrived, response: '{"ignored":false}' })]],
		])('is ok if %s', (_name, log) => expect(judge(log).ok).toBe(true));

		test('is ok if another receiver ignores deliveries', () =>
			expect(judge([at(1, ignored)], withEndpoint({ url: CRM_URL })).ok).toBe(true));
	});

	test('reports failures before the start of n8n until a delivery arrives', () => {
		const { problems } = judge([at(1, failed(502)), at(2, starting)]);
		expect(problems.map(({ what }) => what)).toEqual([
			expect.stringContaining('status 502'),
			expect.stringContaining('while it was starting'),
		]);
		expect(judge([at(1, failed(502)), at(2, starting), at(3, arrived)]).problems).toHaveLength(1);
	});

	test('of two deliveries at the same time, the higher attempt is the newer, else the failed one', () => {
		const both = [at(1, { ...failed(500), attempt: 1 }), at(1, { ...arrived, attempt: 2 })];
		expect(judge(both).ok).toBe(true);
		expect(judge([at(1, arrived), at(1, failed(500))]).ok).toBe(false);
	});

	test.each<[string, DeliveryDetails[], RegExp]>([
		['it is empty', [], /^No deliveries are logged/],
		['it shows no results', [at(1), at(2)], /whether the newest delivery arrived/],
		['the newest may be under way', [at(1, arrived), at(2)], /whether the newest/],
		[
			'times are missing',
			[at(1, { ...failed(500), time: null }), at(2, arrived)],
			/whether the newest/,
		],
	])('has a doubt and no result if %s', (_name, log, what) => {
		const { ok, doubts, summary } = judge(log);
		expect(ok).toBeNull();
		expect(doubts.map((doubt) => doubt.what)).toEqual([expect.stringMatching(what)]);
		expect(summary).toBe(`${doubts[0]?.what} ${doubts[0]?.toDo}`);
	});

	test('fails without `since` if all deliveries without times failed', () => {
		const log = [1, 2].map((minute) => at(minute, { ...failed(401), time: null }));
		const { ok, problems, lastDelivery } = judge(log);
		expect({ ok, lastDelivery }).toEqual({ ok: false, lastDelivery: null });
		expect(problems[0]?.since).toBeNull();
		const arrivedAll = [1, 2].map((minute) => at(minute, { ...arrived, time: null }));
		expect(judge(arrivedAll).ok).toBe(true);
	});

	test('fails while a later attempt is under way', () => {
		const { ok, problems, doubts } = judge([at(1, failed(404)), at(2)]);
		expect([ok, problems.length, doubts.length]).toEqual([false, 1, 1]);
	});

	test('has a doubt if it cannot be read, or not completely', () => {
		const unread = judge([], { log: lost('The log is lost.') });
		expect(unread).toMatchObject({ ok: null, logged: null, failed: null, lastDelivery: null });
		expect(unread.summary).toMatch(/log of deliveries could not be read: The log is lost\./);
		const cut = judge([], { log: { ...complete([at(1, arrived)]), complete: false } });
		expect(cut.ok).toBeNull();
		expect(cut.summary).toMatch(/could not be read completely/);
	});
});

describe('the lists of webhooks and events', () => {
	const working = [at(1, arrived)];

	test('report a disabled webhook and its failures', () => {
		const { ok, problems } = judge([at(1, failed(500))], withEndpoint({ isDisabled: true }));
		expect(ok).toBe(false);
		expect(problems.map(({ what }) => what)).toEqual([
			expect.stringContaining('lists this webhook as disabled'),
			expect.stringContaining('status 500'),
		]);
		expect(problems[0]?.toDo).toMatch(/unpublish the workflow and publish it again/);
	});

	test('report a webhook that is listed as deleted', () => {
		expect(judge(working, withEndpoint({ isRemoved: true })).summary).toMatch(
			/lists this webhook as deleted/,
		);
	});

	test('have a doubt about a webhook that waits for verification', () => {
		const { ok, doubts } = judge(working, withEndpoint({ isUnverified: true }));
		expect(ok).toBeNull();
		expect(doubts).toHaveLength(1);
		expect(doubts[0]?.what).toMatch(/waits for the verification/);
	});

	describe('two webhooks with one URL', () => {
		const twin = { ...endpoint, id: 'we_2', url: TRIGGER_URL.replace(/\?.*/, '?***') };

		test('are a problem of a trigger', () => {
			const { ok, problems } = judge(working, { list: complete([endpoint, twin]) });
			expect(ok).toBe(false);
			expect(problems).toMatchObject([
				{ what: expect.stringMatching(/^This trigger has 2 webhooks.*: we_1, we_2\.$/) as string },
			]);
		});

		test.each<[string, Endpoint[]]>([
			['elsewhere', [endpoint, { ...twin, url: TRIGGER_URL.replace('6d1c', '7e2d') }]],
			['deleted', [endpoint, { ...twin, isRemoved: true }]],
			['disabled', [endpoint, { ...twin, isDisabled: true }]],
			['without a URL', [endpoint, { ...twin, url: '' }]],
		])('are no problem if one is %s', (_name, all) =>
			expect(judge(working, { list: complete(all) }).ok).toBe(true),
		);

		test('are no problem of another receiver', () => {
			const crm = { ...endpoint, url: CRM_URL };
			const list = complete([crm, { ...crm, id: 'we_2' }]);
			expect(judge(working, { list }).ok).toBe(true);
		});
	});

	test.each<[string[], string[], string]>([
		[['call.completed', 'call.vanished'], ['call.vanished'], TRIGGER_URL],
		[['sms.*', 'call.*'], ['sms.*'], CRM_URL],
		[['call.vanished', 'sms.sent'], ['call.vanished', 'sms.sent'], TRIGGER_URL],
	])('report of the events %j that the catalog lacks %j', (events, missing, url) => {
		const { ok, problems } = judge(working, withEndpoint({ events, url }));
		expect(ok).toBe(false);
		expect(problems[0]?.what).toMatch(
			new RegExp(`: ${missing.join(', ').replace('*', '\\*')}\\.$`),
		);
		expect(problems[0]?.toDo).toMatch(url === CRM_URL ? /Create the webhook again/ : /publish/);
	});

	test.each([
		[['CALL_COMPLETED']],
		[['call.*']],
		[['*']],
		[['call.vanished', '*']],
		[[]],
		[undefined],
	])('find the events %j in the catalog', (events) => {
		expect(judge(working, withEndpoint({ events })).ok).toBe(true);
	});

	test.each<[string, EndpointFacts['catalog']]>([
		['cannot be read', lost('The catalog is lost.')],
		['is incomplete', { value: ['call.started'], complete: false }],
	])('have a doubt about a selected event if the catalog %s', (_name, catalog) => {
		const { ok, doubts } = judge(working, { catalog });
		expect({ ok, count: doubts.length }).toEqual({ ok: null, count: 1 });
		expect(judge(working, { catalog, ...withEndpoint({ events: [] }) }).ok).toBe(true);
	});

	test('find an event in an incomplete catalog', () => {
		const catalog = { value: ['call.completed'], complete: false };
		expect(judge(working, { catalog }).ok).toBe(true);
	});

	test.each<[EndpointFacts['list'], RegExp]>([
		[lost('It is lost.'), /^The list of webhooks could not be read: It is lost\./],
		[complete([]), /^The list of webhooks does not contain/],
		[{ value: [], complete: false }, /^The list of webhooks could not be read completely/],
	])('have a doubt about a webhook that is not in %j', (list, summary) => {
		expect(judge(working, { list })).toMatchObject({ ok: null, events: null });
		expect(judge(working, { list }).summary).toMatch(summary);
	});
});

test('the doubts of a test event are added to the others', () => {
	const doubt = { what: 'A test event was sent.', toDo: 'Look for it.' };
	const testEvent = { arrived: true, doubts: [doubt] };
	expect(judge([at(1, arrived)], { testEvent })).toMatchObject({
		ok: null,
		doubts: [doubt],
		sampleArrived: true,
	});
});

const anyDetails = fc.constantFrom<Partial<DeliveryDetails>>(
	arrived,
	failed(404),
	failed(500),
	withoutAnswer('timeout'),
	starting,
	{},
);

test('the order of a log does not change the result, and ok follows from the findings', () => {
	const anyLog = fc
		.uniqueArray(fc.nat(59), { maxLength: 8 })
		.chain((minutes) =>
			fc.tuple(...minutes.map((minute) => anyDetails.map((details) => at(minute, details)))),
		);
	fc.assert(
		fc.property(anyLog, fc.infiniteStream(fc.nat()), (log, ranks) => {
			const result = judge(log);
			const rank = new Map(log.map((delivery) => [delivery, ranks.next().value as number]));
			const shuffled = [...log].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
			expect(judge(shuffled)).toEqual(result);
			const { ok, problems, doubts } = result;
			expect(ok).toBe(problems.length > 0 ? false : doubts.length > 0 ? null : true);
			const newest = log.find(({ time }) => log.every((other) => other.time! <= time!));
			if (ok) expect(newest).toMatchObject(arrived);
			if (newest?.succeeded === false) expect(ok).toBe(false);
		}),
	);
});

test('explains each documented form of a failed delivery, and no delivery that arrived', () => {
	for (const { form, record, details } of deliveryRecords) {
		const { ok, problems } = judge([readDeliveryDetails(record, { id: 'we_1' })]);
		const expected = details.succeeded ?? null;
		expect({ form, ok }).toEqual({ form, ok: expected });
		if (ok === false) expect(problems[0]?.what).toMatch(/\(.+\)\.$/);
	}
});
