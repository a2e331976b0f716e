/** What polls do about a webhook that they can't mend, or that is in order although the list hides it. */
import { HookContext } from 'n8n-core';

import {
	logAttempt,
	logOf,
	pass,
	publish,
	publishOften,
	service,
	usePolling,
} from '../support/publishing/catchUpSetup';
import { mask } from '../support/n8n/triggerSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

usePolling();

/** The report of a replaced webhook that was not sent all events. */
const REPLACED = expect.stringContaining('It was created anew, as wh_') as string;

/** The requests since the last call. */
const requests = () => service.requests.splice(0);

/** Publishes a trigger with the usual poll times, and lets its polls read the service once. */
async function publishUsual() {
	const trigger = await publish();
	await trigger.pollFor(20);
	requests();
	return trigger;
}

test('a webhook that was turned off by a person is reported once a day, and not asked for each minute', async () => {
	const trigger = await publishUsual();
	logAttempt('a', { status: 'delivered', response_status: 200 });
	Object.assign(service.endpoints[0]!, { enabled: false });
	const reports = await trigger.pollFor(60);
	expect(reports).toEqual([expect.stringContaining('is turned off in the service')]);
	expect(requests().filter((request) => request === 'GET /webhooks')).toHaveLength(4);
	pass(24 * 60);
	expect(await trigger.pollFor(20)).toEqual([expect.stringContaining('publish it again')]);
	expect(service.endpoints).toHaveLength(1);
});

test.each([
	['POST', { refuse: () => ({ status: 403 }) }],
	['DELETE', { remove: () => ({ status: 403 }) }],
])(
	'a service that always refuses the %s is tried four times, then in each quarter of an hour',
	async (method, script) => {
		const trigger = await publishUsual();
		if (method === 'POST') {
			logAttempt('a');
			Object.assign(service.endpoints[0]!, { enabled: false });
		} else {
			service.endpoints.push({ ...service.endpoints[0]!, id: 'twice' });
			service.logs.twice = [];
		}
		service.script = script;
		const reports = (await trigger.pollFor(60)).filter((text) => text !== 'a');
		expect(reports).toEqual([expect.stringContaining('could not')]);
		const tries = requests().filter((request) => request.startsWith(method)).length;
		expect(tries).toBeGreaterThanOrEqual(6);
		expect(tries).toBeLessThanOrEqual(12);
	},
);

test('with Catch Up turned off, a webhook is replaced, and starts nothing that the former one has missed', async () => {
	const trigger = await publishOften({ options: { catchUp: false } });
	const { id } = service.endpoints[0]!;
	logAttempt('a');
	Object.assign(service.endpoints[0]!, { enabled: false });
	expect(await trigger.pollFor(10)).toEqual([REPLACED]);
	expect(service.endpoints).toHaveLength(1);
	expect(service.endpoints[0]?.id).not.toBe(id);
});

test('a webhook that is deleted again soon after it was replaced is reported', async () => {
	const trigger = await publishOften();
	service.endpoints = [];
	expect(await trigger.pollFor(10)).toEqual([REPLACED]);
	expect(service.endpoints).toHaveLength(1);
	service.endpoints = [];
	expect(await trigger.pollFor(10)).toEqual([
		expect.stringMatching(/It was replaced on \d+ \w+ 20\d\d, \d\d:\d\d \(Asia\/Tokyo\), and/),
	]);
});

test.each([
	['tokens', (url: string) => mask(url), ['call.completed']],
	['event types', (url: string) => url, undefined],
])(
	'a list that hides %s replaces nothing, also after a start with a new API key',
	async (_what, show, events) => {
		service.script.list = (endpoints) => ({
			body: { data: endpoints.map((one) => ({ ...one, url: show(one.url), events })) },
		});
		const trigger = await publishOften();
		const { id } = service.endpoints[0]!;
		trigger.node.credential = { ...trigger.node.credential, apiKey: 'svc_live_rotated' };
		await trigger.lifecycle.start();
		expect(await trigger.pollFor(10)).toEqual([]);
		expect(service.endpoints.map((endpoint) => endpoint.id)).toEqual([id]);
	},
);

test('a list that hides URLs is told that only a publish creates a webhook', async () => {
	const trigger = await publishOften();
	logAttempt('a');
	const hidden = (one: object) => ({ ...one, url: 'https://n8n.example.com/***', enabled: false });
	service.script.list = (endpoints) => ({ body: { data: endpoints.map(hidden) } });
	const reports = (await trigger.pollFor(5)).filter((text) => text !== 'a');
	expect(reports).toEqual([expect.stringContaining('hides the URLs of webhooks')]);
	expect(service.endpoints).toHaveLength(1);
});

test('a webhook that somebody registered for the same URL with another token is removed, not taken', async () => {
	const trigger = await publishOften();
	const { id, url } = service.endpoints[0]!;
	const token = 'zzzzzzzzzzz' + 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF';
	service.endpoints.push({ id: 'theirs', url: url.replace(/=[\w-]{43}/, `=${token}`) });
	service.logs.theirs = [];
	await trigger.pollFor(4);
	expect(service.endpoints.map((endpoint) => endpoint.id)).toEqual([id]);
	expect(logOf(id)).toEqual([]);
});

test.each([
	['at an address without HTTPS', 'http://localhost:5678/', 422, 'begins with https://'],
	['if the service refuses a further one', 'https://moved.example.com/', 402, 'could not'],
])('a working webhook stays %s', async (_when, base, status, report) => {
	const trigger = await publishOften();
	const { id } = service.endpoints[0]!;
	service.script.refuse = () => ({ status });
	trigger.node.webhookBase = base;
	await trigger.lifecycle.start();
	expect(await trigger.pollFor(8)).toEqual([expect.stringContaining(report)]);
	expect(service.endpoints.map((endpoint) => endpoint.id)).toEqual([id]);
});

test('a list that masks the path gets no webhook that no later process would find', async () => {
	const trigger = await publishOften();
	service.script.list = (endpoints) => ({
		body: { data: endpoints.map((one) => ({ ...one, url: 'https://n8n.example.com/***' })) },
	});
	service.endpoints = [];
	const reports = await trigger.pollFor(6);
	expect(reports).toEqual([expect.stringContaining('hides the URLs of webhooks')]);
	expect(service.endpoints).toEqual([]);
});

test('a service with one webhook for each URL keeps the old one until its log was read', async () => {
	const trigger = await publishOften();
	logAttempt('a');
	Object.assign(service.endpoints[0]!, { enabled: false });
	let readings = 0;
	service.script.log = () => (++readings === 2 ? { status: 500 } : undefined);
	service.script.refuse = () => (service.endpoints.length > 0 ? { status: 409 } : undefined);
	expect(await trigger.pollFor(6)).toEqual(['a', REPLACED]);
	expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_2']);
});

describe('a log', () => {
	const arrived = { status: 'delivered', response_status: 200, response_body: '{}' };

	test('that begins with the oldest records starts nothing if its end can not be read', async () => {
		const trigger = await publishOften();
		logAttempt('a');
		for (let count = 0; count < 110; count++) {
			pass(0.01);
			logAttempt(`${count}`, arrived);
		}
		logAttempt('a', arrived);
		logOf().reverse();
		let pages = 0;
		service.script.log = () => (++pages % 2 === 0 ? { status: 400 } : undefined);
		expect(await trigger.pollFor(3)).toEqual([]);
		service.script.log = undefined;
		expect(await trigger.pollFor(3)).toEqual([]);
	});

	test.each([
		['of all attempts, in pages', Infinity],
		['of the last 60 attempts, where each reading overlaps the one before', 60],
	])(
		'%s is no cause for a report',
		async (_what, kept) => {
			const trigger = await publish();
			const reports: string[] = [];
			for (let half = 0; half < 2 * 48; half++) {
				for (const id of ['a', 'b']) {
					pass(14);
					logAttempt(`${id}${half}`, arrived);
					logOf().splice(kept);
				}
				pass(2);
				reports.push(...(await trigger.poll()));
			}
			expect(reports).toEqual([]);
		},
		60_000,
	);

	test('without responses is no cause for a report after another main process has taken over', async () => {
		const trigger = await publishOften();
		for (let count = 0; count < 5; count++) {
			pass(60);
			logAttempt(`${count}`, { status: 'delivered', response_status: 200 });
		}
		await trigger.lifecycle.start('leadershipChange');
		expect(await trigger.pollFor(3)).toEqual([]);
	});
});

test('while missed events wait for the next day, the list is read in each quarter of an hour only', async () => {
	const trigger = await publish();
	for (let count = 0; count < 520; count++) {
		pass(0.01);
		logAttempt(`${count}`);
	}
	pass(20);
	await trigger.pollFor(16);
	requests();
	await trigger.pollFor(60);
	expect(requests().filter((request) => request === 'GET /webhooks')).toHaveLength(4);
}, 60_000);

test('an incomplete list that lacks the webhook, whose log can be read, is reported', async () => {
	const trigger = await publishOften();
	service.script.list = () => ({ body: { data: [], has_more: true } });
	expect(await trigger.pollFor(6)).toEqual([
		expect.stringContaining('list of webhooks is incomplete'),
	]);
	expect(service.endpoints).toHaveLength(1);
});

test('more missed events at a removal than are kept are told in the log of n8n, with their times', async () => {
	const trigger = await publishOften();
	for (let count = 0; count < 510; count++) {
		pass(0.01);
		logAttempt(`${count}`);
	}
	const warn = jest.fn();
	jest.spyOn(HookContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
	await trigger.lifecycle.unpublish();
	expect(warn).toHaveBeenCalledWith(
		expect.stringMatching(/keeps 500 of 510 events .* by hand, (on|from) \d.* \(Asia\/Tokyo\)\.$/),
	);
	jest.restoreAllMocks();
});
