/** What polls do about a webhook that they can't mend, or that is in order although the list hides it. */
import { PollContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import { hashOf } from '../../nodes/VoiceAgent/auth/token';
import { pollOften } from '../support/publishing/polls';
import { tokenOf } from '../support/service/callbackTokens';
import { loadInProcess } from '../support/n8n/nodePackage';
import type { KeptEndpoint } from '../support/service/scriptedService';

import {
	ARRIVED,
	logAttempt,
	logMany,
	logOf,
	pass,
	publish,
	publishOften,
	service,
	usePolling,
} from '../support/publishing/catchUpSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

usePolling();

/** The report of a replaced webhook that was not sent all events. */
const REPLACED = expect.stringContaining('It was created anew, as wh_') as string;

/** The requests since the last call. */
const requests = () => service.requests.splice(0);

/** Publishes a trigger with the usual poll times, and lets its polls read the service once. */
async function publishUsual(parameters?: INodeParameters) {
	const trigger = await publish(parameters);
	await trigger.pollFor(20);
	requests();
	return trigger;
}

test('a webhook that was turned off after one failed delivery is reported once a day, and not asked for each minute', async () => {
	const trigger = await publishUsual({ options: { catchUp: false } });
	logAttempt('a');
	Object.assign(service.endpoints[0]!, { enabled: false });
	const reports = await trigger.pollFor(60);
	expect(reports).toEqual([expect.stringContaining('is turned off in the service')]);
	expect(requests().filter((request) => request === 'GET /webhooks')).toHaveLength(4);
	pass(24 * 60);
	expect(await trigger.pollFor(20)).toEqual([expect.stringContaining('publish it again')]);
	service.endpoints[0]!.url = 'https://crm.example.com/hooks';
	expect(await trigger.pollFor(60)).toEqual([expect.stringContaining('has another URL')]);
	expect(service.endpoints).toHaveLength(1);
});

test('a webhook that is listed as deleted is created anew, and what its log does not hold is reported', async () => {
	const trigger = await publishOften();
	logMany(3, 0.1, { payload: null });
	Object.assign(service.endpoints[0]!, { deleted_at: '2026-11-26T16:00:00Z' });
	const unheld = expect.stringContaining("the service's log does not hold: 3") as string;
	expect(await trigger.pollFor(5)).toEqual([REPLACED, unheld]);
});

test('a webhook at a former address of n8n is replaced, also after two changes', async () => {
	const { node, lifecycle, pollFor } = await publishOften();
	for (const [at, base] of ['https://b.example.com/', 'https://c.example.com/'].entries()) {
		node.types = await loadInProcess(at + 2);
		node.webhookBase = base;
		await lifecycle.start();
		await pollFor(5);
	}
	expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_3']);
});

/** Lets the service disable the webhook after three failed attempts. */
function disable(): void {
	logMany(3, 0.1);
	Object.assign(service.endpoints[0]!, { enabled: false });
}

function deleteEndpoint(): void {
	const [endpoint] = service.endpoints.splice(0);
	delete service.logs[endpoint!.id];
}

test('a webhook that was turned off after three attempts of one event is published again', async () => {
	const trigger = await publishOften();
	logAttempt('a', { attempt: 3 });
	Object.assign(service.endpoints[0]!, { enabled: false });
	expect(await trigger.pollFor(5)).toEqual([expect.stringContaining('It was created anew'), 'a']);
});

// Promise: A webhook is published again at most once in six hours, and a refused POST deletes nothing.
test.each([402, 403, 409])(
	'if the service refuses a new webhook with %i, the old one stays, and the report has its reason',
	async (status) => {
		const trigger = await publishUsual();
		disable();
		service.script.refuse = () => ({ status, body: { message: 'Five webhooks are in your plan' } });
		const reports = (await trigger.pollFor(60)).filter((text) => text.length > 1);
		expect(reports).toEqual([expect.stringContaining('Five webhooks are in your plan')]);
		expect(requests().filter((request) => request === 'POST /webhooks')).toHaveLength(1);
		expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_1']);
		service.script = {};
		pass(6 * 60);
		expect(await trigger.pollFor(20)).toEqual([REPLACED]);
		expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_2']);
	},
);

test('a service that fails is tried four times, then in each quarter of an hour', async () => {
	const trigger = await publishUsual();
	// What was caught up waits to be stored, and a poll tries it each minute.
	trigger.lifecycle.isUnreachable = true;
	disable();
	await trigger.pollFor(15);
	service.script.list = () => ({ status: 403 });
	const reports = (await trigger.pollFor(60)).filter((text) => text.length > 1);
	expect(reports).toEqual([expect.stringContaining('could not')]);
	expect(requests().filter((request) => request === 'GET /webhooks').length).toBeLessThan(9);
	pass(24 * 60);
	expect(await trigger.pollFor(20)).toEqual(reports);
});

test('with Catch Up turned off, a webhook is replaced, and starts nothing that the former one has missed', async () => {
	const trigger = await publishOften({ options: { catchUp: false } });
	disable();
	expect(await trigger.pollFor(10)).toEqual([REPLACED]);
	expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_2']);
});

test.each<[string, object, number]>([
	['that it turned off', { enabled: false }, 500],
	['that it turned off', { enabled: false }, 403],
	['with other events', { events: ['chat.completed'] }, 500],
])(
	'a service that can not remove a webhook %s: %j, %i gets one new one',
	async (_, state, status) => {
		const trigger = await publishUsual();
		disable();
		Object.assign(service.endpoints[0]!, { enabled: true }, state);
		service.script.remove = () => ({ status });
		await trigger.pollFor(120);
		expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_1', 'wh_2']);
		logAttempt('late');
		expect(await trigger.pollFor(40)).toContainEqual('late');
		service.script = {};
		await trigger.pollFor(20);
		expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_2']);
	},
);

test('a webhook that is deleted again soon after it was replaced is reported', async () => {
	const trigger = await publishOften();
	deleteEndpoint();
	expect(await trigger.pollFor(10)).toEqual([REPLACED]);
	const { endpoints } = trigger.lifecycle.receiver(false).staticData;
	expect(endpoints).toMatchObject([{ id: 'wh_2' }]);
	deleteEndpoint();
	expect(await trigger.pollFor(10)).toEqual([
		expect.stringMatching(/tried to create it anew on \d+ \w+ 20\d\d, \d\d:\d\d \(Asia\/Tokyo\)/),
	]);
	expect(service.endpoints).toEqual([]);
});

test('a webhook that was replaced twice is stored, once n8n can reach its own URL', async () => {
	const trigger = await publishOften();
	const stored = () => trigger.lifecycle.receiver(false).staticData.endpoints;
	trigger.lifecycle.isUnreachable = true;
	for (const hours of [0, 7]) {
		pass(hours * 60);
		deleteEndpoint();
		expect(await trigger.pollFor(10)).toEqual([REPLACED]);
	}
	expect(stored()).toMatchObject([{ id: 'wh_1' }]);
	trigger.lifecycle.isUnreachable = false;
	await trigger.pollFor(2);
	expect(stored()).toMatchObject([{ id: 'wh_3' }]);
});

/** A list of others' webhooks, of which the service shows no more. */
const OLDEST = Array.from({ length: 20 }, (_, at) => ({
	id: `other_${at}`,
	url: `https://crm.example.com/${at}`,
}));
const withoutQuery = ({ url, ...more }: KeptEndpoint) => ({ ...more, url: url.split('?')[0] });

// Promise: A webhook that a list lacks is deleted only if its log is gone, too.
test.each<[string, warnings: number, (endpoints: KeptEndpoint[]) => object[]]>([
	['lacks it', 1, () => OLDEST],
	['hides tokens', 0, (endpoints) => endpoints.map(withoutQuery)],
	['hides URLs', 1, (endpoints) => endpoints.map((one) => ({ ...one, url: undefined }))],
	['hides events', 0, (endpoints) => endpoints.map((one) => ({ ...one, events: undefined }))],
])('a list that %s replaces nothing, also with a new API key', async (_, warnings, shown) => {
	const warn = jest.fn();
	jest.spyOn(PollContext.prototype, 'logger', 'get').mockReturnValue({ warn } as never);
	service.script.list = (endpoints) => ({ body: { data: shown(endpoints) } });
	const trigger = await publishOften();
	trigger.node.credential = { ...trigger.node.credential, apiKey: 'svc_live_rotated' };
	await trigger.lifecycle.start();
	expect(await trigger.pollFor(60)).toEqual([]);
	expect(warn).toHaveBeenCalledTimes(warnings);
	service.script.list = undefined;
	expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_1']);
	await trigger.lifecycle.unpublish();
	expect(service.endpoints).toEqual([]);
});

test('a second webhook that somebody moves while it is removed stays', async () => {
	const trigger = await publishOften();
	const { url } = service.endpoints[0]!;
	const second = { id: 'second', url };
	service.endpoints.push(second);
	service.logs.second = [];
	service.script.remove = () => {
		if (second.url !== url) return undefined;
		second.url = 'https://elsewhere.example.com/hook';
		return { status: 409 };
	};
	expect(await trigger.pollFor(3)).toEqual([]);
	expect(service.endpoints).toContain(second);
});

test('a webhook that somebody registered for the same URL with another token is removed, not taken', async () => {
	const trigger = await publishOften();
	const { id, url } = service.endpoints[0]!;
	const token = 'zzzzzzzzzzz' + 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF';
	service.endpoints.push({ id: 'theirs', url: url.replace(/=[\w-]{43}/, `=${token}`) });
	service.logs.theirs = [];
	logAttempt('b', { response_status: 401, payload: null }, service.logs.theirs);
	// A restart forgets that it arrived.
	logAttempt('c', ARRIVED, logOf(id));
	logAttempt('c', { response_status: 401 }, service.logs.theirs);
	trigger.node.types = await loadInProcess(9);
	await trigger.lifecycle.start();
	expect(await trigger.pollFor(4)).toEqual([]);
	expect(service.endpoints.map((endpoint) => endpoint.id)).toEqual([id]);
	expect(logOf(id)).toHaveLength(1);
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

test('the old webhook stays until its log was read', async () => {
	const trigger = await publishOften();
	disable();
	let readings = 0;
	service.script.log = () => (++readings === 2 ? { status: 500 } : undefined);
	const started = await trigger.pollFor(6);
	expect(started.filter((text) => text.length > 1)).toEqual([REPLACED]);
	expect(started.filter((text) => text.length === 1)).toEqual(['0', '1', '2']);
	expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_2']);
});

test('a log that can not be read completely keeps the old webhook for three polls', async () => {
	const trigger = await publishOften();
	disable();
	logMany(3, 0.1);
	service.logPage = 4;
	service.script.log = (_id, page) => (page > 1 ? { status: 500 } : undefined);
	expect(await trigger.pollFor(3)).not.toContainEqual(REPLACED);
	expect(await trigger.pollFor(3)).toContainEqual(REPLACED);
	expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_2']);
});

test('a start keeps a webhook of another base URL while the service is down', async () => {
	const trigger = await publishOften();
	const { node, lifecycle } = trigger;
	const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
	node.credential = { ...node.credential, baseUrl };
	service.status = 503;
	await lifecycle.start();
	expect(lifecycle.isActivated).toBe(true);
	// What a poll creates there is stored with it.
	service.status = undefined;
	deleteEndpoint();
	expect(await trigger.pollFor(8)).toEqual([REPLACED]);
	expect(lifecycle.receiver(false).staticData.owner).toContain(baseUrl);
});

test('with another base URL, the ID may be of another webhook, whose events start nothing', async () => {
	const trigger = await publishOften();
	service.endpoints[0]!.url = 'https://crm.example.com/hooks';
	logAttempt('foreign');
	trigger.node.credential.baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
	service.script.list = () => ({ status: 500 });
	expect(await trigger.pollFor(3)).toEqual([]);
	service.script = {};
	expect(await trigger.pollFor(20)).toEqual([REPLACED]);
	expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_1', 'wh_2']);
});

test('with another base URL of the same service, missed events are started', async () => {
	const trigger = await publishOften();
	trigger.node.credential.baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
	await trigger.pollFor(3);
	logAttempt('a');
	expect(await trigger.pollFor(20)).toEqual(['a']);
});

test('a start with another base URL creates the webhook if only a publish can store its secret', async () => {
	const secret = `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`;
	service.script.created = (endpoint) => ({ body: { ...endpoint, secret } });
	const trigger = await publishOften({ options: { verifySignature: true } });
	trigger.node.credential.baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
	await trigger.lifecycle.start();
	expect(await trigger.pollFor(8)).toEqual([]);
	expect(service.endpoints.map(({ id }) => id)).toEqual(['wh_2']);
});

test('the reason of a failed repair is reported, and later that a new webhook has no log', async () => {
	const trigger = await publishOften();
	deleteEndpoint();
	const body = { message: 'The database is down' };
	service.script.refuse = () => ({ status: 500, body });
	expect(await trigger.pollFor(6)).toEqual([expect.stringContaining(body.message)]);
	service.script = {};
	const { published } = trigger.lifecycle;
	await trigger.lifecycle.unpublish();
	await trigger.lifecycle.publish(published!);
	service.script.log = () => ({ status: 404 });
	pass(24 * 60);
	const report = expect.stringContaining('could not look for missed events') as string;
	expect(await trigger.pollFor(8)).toEqual([report]);
});

test('a deleted webhook is reported, also if the answer to the POST of a new one is lost', async () => {
	const trigger = await publishOften();
	deleteEndpoint();
	let posts = 0;
	service.script.created = () => (++posts === 1 ? { status: 500 } : undefined);
	expect(await trigger.pollFor(30)).toEqual([expect.stringContaining('could not create it anew')]);
	expect(service.endpoints).toHaveLength(1);
});

test.each(['Z', ''])(
	'a publish starts nothing that happened while the workflow was unpublished, with the zone %j',
	async (zone) => {
		const trigger = await publishOften();
		const { lifecycle } = trigger;
		const { published } = lifecycle;
		service.status = 503;
		await lifecycle.unpublish();
		service.status = undefined;
		pass(180);
		const attempted_at = new Date().toISOString().replace('Z', zone);
		logAttempt('unpublished', { response_status: 404, attempted_at });
		pass(180);
		let posts = 0;
		service.script.refuse = () => (++posts === 1 ? { status: 500 } : undefined);
		await lifecycle.publish({ ...published });
		expect(await trigger.pollFor(5)).toEqual([]);
	},
);

test('what a webhook missed before a publish that failed is started after the next one, and nothing later', async () => {
	const trigger = await publishOften();
	const { lifecycle } = trigger;
	const changed = { ...lifecycle.published, events: ['call.completed', 'call.started'] };
	logAttempt('before');
	pass(1);
	service.status = 503;
	await expect(lifecycle.publish(changed)).rejects.toThrow();
	service.status = undefined;
	pass(20);
	logAttempt('between', { response_status: 404 });
	pass(1);
	await lifecycle.publish(changed);
	expect(await trigger.pollFor(20)).toEqual(['before']);
});

test('what was missed is started after an unpublish that failed, by local times ahead of UTC', async () => {
	const trigger = await publishOften();
	const { lifecycle } = trigger;
	const { published } = lifecycle;
	const inTokyo = new Date(Date.now() + 9 * 60 * 60_000).toISOString().replace('Z', '');
	logAttempt('missed', { attempted_at: inTokyo });
	service.status = 503;
	await lifecycle.unpublish();
	service.status = undefined;
	await lifecycle.publish({ ...published });
	pass(9 * 60);
	expect(await trigger.pollFor(10)).toEqual(['missed']);
});

// Promise: A publish during a repair leaves exactly the published webhook.
test.each([
	['creates a webhook', 'created', 1],
	['lists the webhooks, for the second time', 'list', 2],
	['lists the webhooks, for the third time', 'list', 3],
] as const)('a publish while a poll %s leaves the published one', async (_when, moment, nth) => {
	const trigger = await publishOften();
	disable();
	let calls = 0;
	const publishOnce = async () => {
		if (++calls < nth) return undefined;
		service.script = {};
		await trigger.lifecycle.publish({ ...pollOften, events: ['call.completed', 'call.started'] });
		return undefined;
	};
	service.script = { [moment]: publishOnce };
	await trigger.pollFor(2);
	const { endpoints } = trigger.lifecycle.receiver(false).staticData;
	expect(service.endpoints).toMatchObject([{ events: ['call.completed', 'call.started'] }]);
	expect(endpoints).toMatchObject([{ id: service.endpoints[0]!.id }]);
	expect(await trigger.pollFor(60)).not.toContainEqual(REPLACED);
	expect(service.endpoints).toMatchObject([{ id: (endpoints as [{ id: string }])[0].id }]);
});

test('a delivery to a webhook that a poll has created starts the workflow, also after a rotation', async () => {
	const trigger = await publishOften();
	disable();
	await trigger.pollFor(6);
	const hashes = trigger.lifecycle.receiver(false).staticData.tokenHashes;
	expect(hashes).toContain(hashOf(tokenOf(service.endpoints[0]!.url)));
});

test('an unpublish while a poll creates a webhook leaves none', async () => {
	const trigger = await publishOften();
	disable();
	service.script.created = async () => {
		service.script.created = undefined;
		await trigger.lifecycle.unpublish();
		return undefined;
	};
	await trigger.pollFor(2);
	expect(service.endpoints).toEqual([]);
});

describe('a log', () => {
	const arrived = { ...ARRIVED, response_body: '{}' };

	test('that begins with the oldest records starts nothing if its end can not be read', async () => {
		const trigger = await publishOften();
		logAttempt('a');
		logMany(110, 0.01, arrived);
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
		120_000,
	);
});

test('while missed events wait for the next day, the list is read in each quarter of an hour only', async () => {
	const trigger = await publish();
	logMany(520, 0.01);
	pass(20);
	await trigger.pollFor(16);
	requests();
	await trigger.pollFor(60);
	expect(requests().filter((request) => request === 'GET /webhooks')).toHaveLength(4);
}, 120_000);

test('a new webhook whose URL is not shown is deleted, and made once in six hours', async () => {
	const trigger = await publishUsual();
	const list = () => ({ body: { data: [{ id: 'a', url: 'https://crm.example.com/' }] } });
	Object.assign(service.script, { list, created: ({ id }: { id: string }) => ({ body: { id } }) });
	service.endpoints.splice(0);
	await trigger.pollFor(60);
	expect(requests().filter((one) => one === 'POST /webhooks')).toHaveLength(1);
	expect(service.endpoints).toEqual([]);
});
