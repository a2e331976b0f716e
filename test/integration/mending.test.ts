/** What polls do about a webhook that they can't mend, or that is in order although the list hides it. */
import {
	logAttempt,
	logOf,
	pass,
	publish,
	publishOften,
	service,
	usePolling,
} from '../support/catchUpSetup';
import { mask } from '../support/triggerSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/noWaits'));

usePolling();

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
