import type { Script } from '../support/scriptedService';
import { tokenOf } from '../support/callbackTokens';
import { NodeInWorkflow } from '../support/n8nCore';
import {
	copyOf,
	FOREIGN,
	KEY,
	mask,
	ownEndpoints,
	requestsOf,
	script,
	service,
	trigger,
	useTrigger,
} from '../support/triggerSetup';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

useTrigger();

describe('the static data', () => {
	test('holds neither a token nor the API key, from which a token could be made', async () => {
		await trigger.publish();
		const stored = JSON.stringify(trigger.staticData);
		expect(stored).not.toContain(tokenOf(ownEndpoints()[0]!.url));
		expect(stored).not.toContain(KEY);
	});

	test('holds a signing secret only while signatures are verified', async () => {
		script({ created: (endpoint) => ({ body: { ...endpoint, secret: 'whsec_c2VjcmV0' } }) });
		await trigger.publish();
		expect(JSON.stringify(trigger.staticData)).not.toContain('whsec_');
		trigger.parameters = {
			...trigger.parameters,
			options: { signature: { settings: { scheme: 'standardWebhooks' } } },
		};
		await trigger.call('delete');
		await trigger.publish();
		expect(JSON.stringify(trigger.staticData)).toContain('whsec_c2VjcmV0');
	});

	test('lets the next publish after an unpublish begin with its POST', async () => {
		await trigger.publish();
		await trigger.call('delete');
		const requests = await requestsOf(async () => await trigger.publish());
		expect(requests[0]).toBe('POST /webhooks');
		expect(requests).toHaveLength(3);
	});

	test('keeps an endpoint whose removal is unproved when another endpoint is adopted', async () => {
		await trigger.publish();
		const old = { id: 'wh_old', url: 'https://old.example.com/webhook/1/webhook' };
		trigger.staticData.endpoints = [old, ...(trigger.staticData.endpoints as object[])];
		expect(await trigger.call('checkExists')).toBe(true);
		expect(trigger.staticData.endpoints).toContainEqual(old);
	});

	test('in a copy of the workflow, leaves the endpoint of the original', async () => {
		await trigger.publish();
		const [original] = ownEndpoints();
		const copy = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: trigger.parameters,
			credential: trigger.credential,
		});
		copy.staticData = copyOf(trigger.staticData);
		await copy.publish();
		expect(ownEndpoints()).toHaveLength(2);
		await copy.call('delete');
		expect(ownEndpoints()).toEqual([original]);
	});

	test.each([
		'https://new.example.com/',
		'https://new.example.com/n8n/',
		'https://n8n.example.com/n8n/',
	])(
		'identifies the own endpoint after WEBHOOK_URL became %s, also if its removal is refused once',
		async (webhookBase) => {
			await trigger.publish();
			const { url } = ownEndpoints()[0]!;
			// An endpoint with the previous URL and another ID may belong to another n8n.
			service.endpoints.push({ ...FOREIGN, id: 'twice', url });
			trigger.webhookBase = webhookBase;
			let refusals = 1;
			script({ remove: () => (refusals-- > 0 ? { status: 409 } : undefined) });
			await trigger.publish();
			expect(ownEndpoints()).toMatchObject([
				{ id: 'twice' },
				{ url: expect.stringContaining(webhookBase) as string },
			]);
			await trigger.call('delete');
			expect(ownEndpoints()).toMatchObject([{ id: 'twice', url }]);
		},
	);

	test('identifies the own endpoint if the API key and WEBHOOK_URL changed at once', async () => {
		await trigger.publish();
		trigger.webhookBase = 'https://new.example.com/';
		trigger.credential = { ...trigger.credential, apiKey: 'svc_live_two' };
		await trigger.publish();
		expect(ownEndpoints().map(({ url }) => new URL(url).host)).toEqual(['new.example.com']);
	});

	test('holds the ID of the endpoint, its URL without the query, and the base URL of the service', async () => {
		await trigger.publish();
		const { id } = ownEndpoints()[0]!;
		expect(trigger.staticData).toMatchObject({
			owner: expect.stringContaining(service.baseUrl) as string,
			endpoints: [{ id, url: trigger.webhookUrl() }],
		});
	});
});

describe('the answer to the creation', () => {
	test.each<[string, Script['created']]>([
		[
			'with the ID of the request beside the record',
			(endpoint) => ({ body: { id: 'req_77', data: endpoint } }),
		],
		['with an ID only', ({ id }) => ({ body: { id } })],
		['without an ID', () => ({ body: { accepted: true } })],
		['without a body', () => ({ status: 204 })],
	])('%s: the endpoint is identified by its URL', async (_name, created) => {
		script({ created });
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
		expect(await trigger.call('checkExists')).toBe(true);
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
	});

	test('without an ID, if the list never shows the endpoint: the publish fails and shows the answer', async () => {
		script({
			created: () => ({ body: { accepted: true } }),
			list: () => ({ body: { data: [FOREIGN] } }),
		});
		await expect(trigger.publish()).rejects.toThrow('{"accepted":true}');
	});

	test('before the list shows the endpoint: the publish waits some seconds', async () => {
		let lists = 0;
		script({
			created: ({ id }) => ({ body: { id } }),
			list: () => (lists++ < 4 ? { body: { data: [FOREIGN] } } : undefined),
		});
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
	});

	test('with an earlier endpoint of this URL: it is removed, and the POST is repeated', async () => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({ refuse: () => (ownEndpoints().length > 0 ? { body: ownEndpoints()[0] } : undefined) });
		await trigger.call('create');
		expect(ownEndpoints()).toMatchObject([{ events: ['call.started'] }]);
	});

	test.each([400, 409, 422])(
		'%i, because the URL exists: the existing endpoint is removed, and the POST is repeated',
		async (status) => {
			await trigger.publish();
			trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
			script({
				refuse: () =>
					ownEndpoints().length > 0 ? { status, body: { error: 'Taken' } } : undefined,
			});
			await trigger.call('create');
			expect(ownEndpoints()).toMatchObject([{ events: ['call.started'] }]);
		},
	);

	test.each([{ enabled: false }, { status: 'disabled' }])(
		'with %j: the publish fails, and the endpoint is removed',
		async (fields) => {
			script({ created: (endpoint) => ({ body: { ...endpoint, ...fields } }) });
			await expect(trigger.publish()).rejects.toThrow('disabled');
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
			script({ created: (endpoint) => void Object.assign(endpoint, fields) });
			await expect(trigger.publish()).rejects.toThrow('disabled');
		},
	);

	test.each([{ status: 'pending', active: false }, { state: 'failing' }])(
		'with %j: the publish succeeds',
		async (fields) => {
			script({ created: (endpoint) => void Object.assign(endpoint, fields) });
			await trigger.publish();
			expect(ownEndpoints()).toMatchObject([fields]);
		},
	);

	test('after five seconds: the publish succeeds', async () => {
		const SLOW_MS = 5_000;
		script({
			refuse: async () =>
				await new Promise((resolve) => setTimeout(() => resolve(undefined), SLOW_MS)),
		});
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
		expect(await trigger.call('checkExists')).toBe(true);
	}, 15_000);

	test('404: the publish fails, and no endpoint is removed', async () => {
		await trigger.publish();
		const [before] = ownEndpoints();
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({ refuse: () => ({ status: 404 }) });
		await expect(trigger.call('create')).rejects.toThrow('404');
		expect(ownEndpoints()).toEqual([before]);
	});

	test('422 for an event that the catalog lacks: the error names it, and no endpoint is removed', async () => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: ['call.ended'] };
		script({ refuse: () => ({ status: 422, body: { message: 'Validation failed' } }) });
		await expect(trigger.call('create')).rejects.toThrow('call.ended');
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
	});

	test('is stored before the publish fails for another reason', async () => {
		script({
			list: () => ({ body: { data: [FOREIGN] } }),
			catalog: () => ({ body: { data: ['other.event'] } }),
		});
		await expect(trigger.publish()).rejects.toThrow('call.completed');
		expect(ownEndpoints()).toHaveLength(1);
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
	});
});

describe('a publish succeeds without a catalog', () => {
	test.each<[string, Script['catalog']]>([
		['status 500', () => ({ status: 500 })],
		['no list', () => ({ body: { hello: 'world' } })],
	])('%s', async (_name, catalog) => {
		script({ catalog });
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
	});
});

describe('the check of the endpoint', () => {
	const isAdopted = async () => await trigger.call('checkExists');

	test('accepts an event type that an expression selects twice', async () => {
		trigger.parameters = { ...trigger.parameters, events: ['call.completed', ' call.completed'] };
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
	});

	test('adopts a stored endpoint whose event types the list lacks', async () => {
		await trigger.publish();
		delete ownEndpoints()[0]!.events;
		expect(await isAdopted()).toBe(true);
		trigger.staticData = {};
		expect(await isAdopted()).toBe(false);
	});

	const CATALOG = ['call.started', 'call.completed', 'chat.completed'];
	test.each<[events: string[], shown: string[], adopted: boolean]>([
		[[], ['*'], true],
		[[], CATALOG, true],
		[[], ['call.completed'], false],
		[['call.*'], ['call.completed', 'call.started'], true],
		[['call.*'], ['call.completed'], false],
		[['call.completed'], ['call.*'], false],
		[['call.completed'], CATALOG, false],
	])('with the selection %j, adopts an endpoint with %j: %s', async (events, shown, adopted) => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events };
		ownEndpoints()[0]!.events = shown;
		expect(await isAdopted()).toBe(adopted);
		script({ catalog: () => ({ body: { data: [] } }) });
		trigger.staticData = {};
		expect(await isAdopted()).toBe(adopted && shown[0] === '*');
	});

	test.each<[stored: string[], credential: string, adopted: boolean]>([
		[['endpoints', 'signingSecret'], '', true],
		[['endpoints'], 'whsec_b3RoZXI=', true],
		[['endpoints'], '', false],
		[[], 'whsec_b3RoZXI=', false],
	])(
		'to verify signatures, adopts an endpoint with %j stored and the secret %j: %s',
		async (kept, secret, adopted) => {
			script({ created: (endpoint) => ({ body: { ...endpoint, secret: 'whsec_c2VjcmV0' } }) });
			const options = { signature: { settings: { scheme: 'standardWebhooks' } } };
			trigger.parameters = { ...trigger.parameters, options };
			trigger.credential = { ...trigger.credential, webhookSigningSecret: secret };
			await trigger.publish();
			for (const key of ['endpoints', 'signingSecret']) {
				if (!kept.includes(key)) delete trigger.staticData[key];
			}
			expect(await isAdopted()).toBe(adopted);
		},
	);

	test('does not adopt an endpoint whose token was made with another API key', async () => {
		await trigger.publish();
		trigger.credential = { ...trigger.credential, apiKey: 'svc_live_two' };
		expect(await isAdopted()).toBe(false);
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
		expect(await isAdopted()).toBe(true);
	});

	test('adopts a stored endpoint whose token the list masks with x', async () => {
		script({
			list: (endpoints) => ({
				body: {
					data: endpoints.map((endpoint) => ({
						...endpoint,
						url: endpoint.url.replace(/=.*/, `=${'x'.repeat(43)}`),
					})),
				},
			}),
		});
		await trigger.publish();
		const before = copyOf(trigger.staticData);
		expect(await isAdopted()).toBe(true);
		expect(copyOf(trigger.staticData)).toEqual(before);
		trigger.staticData = {};
		expect(await isAdopted()).toBe(false);
	});

	test.each([undefined, null, '', '***', 'https://***', 'https://n8n.example.com/•••'])(
		'adopts a stored endpoint whose URL the list shows as %j',
		async (url) => {
			script({
				list: (endpoints) => ({
					body: { data: endpoints.map((endpoint) => ({ ...endpoint, url })) },
				}),
			});
			await trigger.publish();
			expect(await isAdopted()).toBe(true);
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
		},
	);

	test('does not adopt an endpoint after a failed check, because n8n removes it next', async () => {
		await trigger.publish();
		script({ list: () => ({ status: 401 }) });
		await expect(isAdopted()).rejects.toThrow();
		script({});
		expect(await isAdopted()).toBe(false);
		await trigger.call('create');
		expect(ownEndpoints()).toHaveLength(1);
		expect(await isAdopted()).toBe(true);
	});

	test.each([
		[{ disabled: true }, false],
		[{ status: 'pending' }, true],
	])('adopts an endpoint with %j: %s', async (fields, adopted) => {
		await trigger.publish();
		Object.assign(ownEndpoints()[0]!, fields);
		expect(await isAdopted()).toBe(adopted);
	});
});

test('a list as long as a usual page costs no request for a second page', async () => {
	for (let index = 1; index < 9; index++) service.endpoints.push({ ...FOREIGN, id: `f${index}` });
	const list = 'GET /webhooks';
	expect(await requestsOf(async () => await trigger.publish())).toEqual([
		list,
		'POST /webhooks',
		list,
		'GET /webhooks/event-types',
	]);
	expect(service.endpoints).toHaveLength(10);
	expect(await requestsOf(async () => await trigger.call('checkExists'))).toEqual([list]);
	const removed = `DELETE /webhooks/${service.endpoints.at(-1)!.id}`;
	expect(await requestsOf(async () => await trigger.call('delete'))).toEqual([list, removed, list]);
});

test('after the clock was set back, the new endpoint stays, not the earlier one', async () => {
	const { now } = Date;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 30_000);
	await trigger.publish();
	clock.mockRestore();
	const [old] = ownEndpoints();
	let lists = 0;
	script({
		list: (endpoints) =>
			lists++ < 2 ? { body: { data: [...new Set([old, ...endpoints])] } } : undefined,
	});
	await trigger.call('create');
	expect(ownEndpoints()).toHaveLength(1);
	expect(ownEndpoints()).not.toContain(old);
});

describe('two publishes at the same time', () => {
	test('leave one endpoint if the service overwrites the first with the second', async () => {
		let isOverwritten = () => {};
		const overwritten = new Promise<void>((resolve) => (isOverwritten = resolve));
		script({
			refuse: (wanted) => {
				const [existing] = ownEndpoints();
				if (!existing) return undefined;
				Object.assign(existing, wanted);
				isOverwritten();
				return { status: 200, body: { ...existing } };
			},
			created: async (endpoint) => {
				const body = { ...endpoint };
				void trigger.twin({}).call('create');
				await overwritten;
				return { body };
			},
		});
		await trigger.call('create');
		expect(ownEndpoints()).toHaveLength(1);
	});

	test('leave the newer endpoint', async () => {
		const other = trigger.twin({});
		await Promise.all([trigger.call('create'), other.call('create')]);
		expect(ownEndpoints()).toHaveLength(1);
		expect(await trigger.call('checkExists')).toBe(true);
	});

	test('do not both succeed if no endpoint is left, though the list hides tokens', async () => {
		script({
			list: (endpoints) => ({
				body: { data: endpoints.map((endpoint) => ({ ...endpoint, url: mask(endpoint.url) })) },
			}),
		});
		const other = trigger.twin({});
		const ends = await Promise.allSettled([trigger.call('create'), other.call('create')]);
		const succeeded = ends.filter(({ status }) => status === 'fulfilled').length;
		expect(ownEndpoints().length).toBeGreaterThanOrEqual(succeeded);
	});
});
