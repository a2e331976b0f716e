import { until } from '../../sandbox/stack/until';
import { N8nLifecycle } from '../support/n8n/lifecycle';
import type { KeptEndpoint, Reply, Script } from '../support/service/scriptedService';
import {
	FOREIGN,
	ownEndpoints,
	requestsOf,
	script,
	service,
	trigger,
	useTrigger,
} from '../support/n8n/triggerSetup';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

useTrigger();

const LIST = 'GET /webhooks';
const POST = 'POST /webhooks';

describe('the answer to the creation', () => {
	// Promise: A publish whose endpoint the service never shows fails and says what came.
	test('without an ID, if the list never shows the endpoint: the publish fails and shows the answer', async () => {
		script({
			created: () => ({ body: { accepted: true } }),
			list: () => ({ body: { data: [FOREIGN] } }),
		});
		await expect(trigger.publish()).rejects.toThrow('{"accepted":true}');
	});

	test.each<[string, Script['created'], deleted: number]>([
		['with an ID only: the creation is undone', ({ id }) => ({ body: { id } }), 1],
		[
			'of several webhooks: none is deleted',
			(one) => ({ body: [FOREIGN, one].map(({ id }) => ({ id, events: [] })) }),
			0,
		],
	])('%s, if no URL is shown', async (_name, created, deleted) => {
		script({
			created,
			list: (endpoints) => ({ body: { data: endpoints.map(({ id }) => ({ id })) } }),
		});
		const sent = await requestsOf(async () => {
			await expect(trigger.publish()).rejects.toThrow('the created webhook');
		});
		expect(sent.filter((one) => one.startsWith('DELETE'))).toHaveLength(deleted);
		expect(ownEndpoints()).toHaveLength(1 - deleted);
	});

	const shown = (body: KeptEndpoint) => ({ body });
	const hidden = (old: KeptEndpoint) => ({
		body: { ...old, url: old.url.replace(/=.*/, '=***') },
	});
	const taken = () => ({ status: 400, body: { error: 'Taken' } });
	test.each<[string, event: string, change: object, answer: (old: KeptEndpoint) => Reply]>([
		['of other event types', 'call.started', {}, shown],
		['with a hidden token', 'call.completed', {}, hidden],
		['unknown to n8n', 'call.completed', { staticData: {} }, shown],
		['and status 400', 'call.started', {}, taken],
	])(
		'with an earlier endpoint of this URL, %s: it is removed, and the POST is repeated',
		async (_name, event, change, answer) => {
			await trigger.publish();
			const old = ownEndpoints()[0]!;
			Object.assign(trigger, change);
			trigger.parameters = { ...trigger.parameters, events: [event] };
			script({ refuse: () => (ownEndpoints().includes(old) ? answer(old) : undefined) });
			await trigger.call('create');
			expect(ownEndpoints()).toMatchObject([{ events: [event] }]);
			expect(ownEndpoints()).not.toContain(old);
		},
	);

	test('twice with other event types: the publish fails', async () => {
		script({ created: (endpoint) => ({ body: { ...endpoint, events: [] } }) });
		const error = 'returned a different webhook: wh_2, for every event.';
		await expect(trigger.publish()).rejects.toThrow(error);
	});

	test.each([400, 422])(
		'%i, because the URL has two parameters: it is registered with the token only, and adopted',
		async (status) => {
			script({ refuse: ({ url }) => (url.includes('&') ? { status } : undefined) });
			await trigger.publish();
			expect(ownEndpoints()).toMatchObject([
				{ url: expect.stringMatching(/\?voice_agent_token=[\w-]{43}$/) as string },
			]);
			expect(service.requests.filter((one) => one.startsWith('POST'))).toHaveLength(2);
			expect(await trigger.call('checkExists')).toBe(true);
		},
	);

	test.each([
		[404, 'call.started', '404'],
		// The catalog lacks this event type.
		[422, 'call.ended', 'call.ended'],
	])(
		'%i for %s: the publish fails with %s in the error, and no endpoint is removed',
		async (status, event, error) => {
			await trigger.publish();
			const before = [...ownEndpoints()];
			trigger.parameters = { ...trigger.parameters, events: [event] };
			script({ refuse: () => ({ status, body: { message: 'Validation failed' } }) });
			await expect(trigger.call('create')).rejects.toThrow(error);
			expect(ownEndpoints()).toEqual(before);
		},
	);

	test('is stored before the publish fails for another reason', async () => {
		script({
			list: () => ({ body: { data: [FOREIGN] } }),
			catalog: () => ({ body: { data: ['call:completed'] } }),
			remove: () => ({ status: 500 }),
		});
		await expect(trigger.publish()).rejects.toThrow('call.completed');
		expect(ownEndpoints()).toHaveLength(1);
		script({ list: () => ({ body: { data: [FOREIGN] } }) });
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
	});
});

describe('a failed creation leaves no endpoint, because it sends a DELETE', () => {
	/** A list that can be read `count` times. */
	const lists = (count: number, unreadable: Reply) => () => (count-- > 0 ? undefined : unreadable);
	const hidesUrl = ({ id }: KeptEndpoint) => ({ body: { id } });
	const isDisabled = (endpoint: KeptEndpoint) => void Object.assign(endpoint, { enabled: false });

	test.each<[string, () => Script, error: string]>([
		[
			'the list can not be read',
			() => ({ list: lists(1, { body: { status: 'ok' } }) }),
			'cannot be read',
		],
		[
			'the list shows the endpoint, and can not be read then',
			() => ({ created: hidesUrl, list: lists(2, { status: 400 }) }),
			'400',
		],
		['the endpoint is disabled', () => ({ created: isDisabled }), 'disabled'],
	])('after the answer, %s', async (_name, replies, error) => {
		script(replies());
		await expect(trigger.publish()).rejects.toThrow(error);
		expect(service.requests.at(-1)).toBe('DELETE /webhooks/wh_1');
		expect(ownEndpoints()).toEqual([]);
	});

	test('with a DELETE that fails, too: the next attempt removes it', async () => {
		script({ list: lists(1, { status: 400 }), remove: () => ({ status: 500 }) });
		await expect(trigger.publish()).rejects.toThrow('400');
		script({});
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([{ id: 'wh_2' }]);
	});
});

// Promise: A publish creates no endpoint while the list can't be read.
test.each<Reply>([{ body: { status: 'ok' } }, { status: 400 }, { status: 503 }])(
	'with %j in place of the list, no attempt creates an endpoint that stays',
	async (reply) => {
		const lifecycle = new N8nLifecycle(trigger);
		const publish = async () => await lifecycle.publish(trigger.parameters);
		const requestsWithoutList = async () => {
			script({ list: () => reply });
			return await requestsOf(async () => await publish().catch(() => {}));
		};
		expect(new Set(await requestsWithoutList())).toEqual(new Set([LIST]));
		script({});
		await publish();
		expect(ownEndpoints()).toHaveLength(1);
		await lifecycle.unpublish();
		// After an unpublish, one attempt creates an endpoint and removes it.
		const changes = (await requestsWithoutList()).filter((request) => request !== LIST);
		expect(changes).toEqual([POST, 'DELETE /webhooks/wh_2']);
		expect(ownEndpoints()).toEqual([]);
	},
);

test.each<Reply>([{ status: 500 }, { body: { hello: 'world' } }, { body: { data: [] } }])(
	'a publish succeeds with %j in place of the catalog',
	async (reply) => {
		script({ catalog: () => reply });
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
	},
);

test('a list as long as a usual page costs no request for a second page', async () => {
	for (let index = 1; index < 9; index++) service.endpoints.push({ ...FOREIGN, id: `f${index}` });
	const published = await requestsOf(async () => await trigger.publish());
	expect(published).toEqual([LIST, POST, LIST, 'GET /webhooks/event-types']);
	expect(service.endpoints).toHaveLength(10);
	expect(await requestsOf(async () => await trigger.call('checkExists'))).toEqual([LIST]);
	const { id } = service.endpoints.at(-1)!;
	const [log, removed] = [`GET /webhooks/${id}/deliveries`, `DELETE /webhooks/${id}`];
	const requests = await requestsOf(async () => await trigger.call('delete'));
	expect(requests).toEqual([LIST, log, removed, LIST]);
});

test('a test listener always has a new endpoint, and requests its test event unless the user has a real one', async () => {
	await trigger.publish(true);
	trigger.parameters = { events: ['call.started', '*'] };
	await trigger.publish(true);
	expect(ownEndpoints()).toEqual([{ id: 'wh_2', url: expect.any(String) as string }]);
	await until('the test event', 5, () => service.requests.includes('POST /webhooks/wh_2/test'));
	expect(service.requests).not.toContain('POST /webhooks/wh_1/test');
});
