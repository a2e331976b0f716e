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

// The node's waits pass at once; its clock goes on by them.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

useTrigger();

describe('what n8n stores', () => {
	test('holds no token, and nothing of which one could be made', async () => {
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

	test('lets the next publish after an unpublish ask nothing before it registers', async () => {
		await trigger.publish();
		await trigger.call('delete');
		const requests = await requestsOf(async () => await trigger.publish());
		expect(requests[0]).toBe('POST /webhooks');
		expect(requests).toHaveLength(3);
	});

	test('keeps an endpoint without a proof of its removal when another one is adopted', async () => {
		await trigger.publish();
		const old = { id: 'wh_old', url: 'https://old.example.com/webhook/1/webhook' };
		trigger.staticData.endpoints = [old, ...(trigger.staticData.endpoints as object[])];
		expect(await trigger.call('checkExists')).toBe(true);
		expect(trigger.staticData.endpoints).toContainEqual(old);
	});

	test('copied along with a workflow, touches no endpoint of that one', async () => {
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
		'finds what was registered before WEBHOOK_URL became %s, even if its removal is refused once',
		async (webhookBase) => {
			await trigger.publish();
			const { url } = ownEndpoints()[0]!;
			// At the old address, but not with the stored ID: it may be another n8n's.
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

	test('a rotated key and a new WEBHOOK_URL at once strand nothing', async () => {
		await trigger.publish();
		trigger.webhookBase = 'https://new.example.com/';
		trigger.credential = { ...trigger.credential, apiKey: 'svc_live_two' };
		await trigger.publish();
		expect(ownEndpoints().map(({ url }) => new URL(url).host)).toEqual(['new.example.com']);
	});

	test('is the ID and the URL without its query of an endpoint, and the base URL of its service', async () => {
		await trigger.publish();
		const { id } = ownEndpoints()[0]!;
		expect(trigger.staticData).toMatchObject({
			owner: expect.stringContaining(service.baseUrl) as string,
			endpoints: [{ id, url: trigger.webhookUrl() }],
		});
	});
});

describe('what the service answers to a creation', () => {
	test.each<[string, Script['created']]>([
		[
			'the ID of the request beside the record',
			(endpoint) => ({ body: { id: 'req_77', data: endpoint } }),
		],
		['an ID alone', ({ id }) => ({ body: { id } })],
		['nothing that can be read', () => ({ body: { accepted: true } })],
		['no body', () => ({ status: 204 })],
	])('%s: the endpoint is the one that has the URL', async (_name, created) => {
		script({ created });
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
		expect(await trigger.call('checkExists')).toBe(true);
		await trigger.call('delete');
		expect(ownEndpoints()).toEqual([]);
	});

	test('nothing, and the list never shows it: the publish fails, and says what came', async () => {
		script({
			created: () => ({ body: { accepted: true } }),
			list: () => ({ body: { data: [FOREIGN] } }),
		});
		await expect(trigger.publish()).rejects.toThrow('{"accepted":true}');
	});

	test('the list shows it some seconds later', async () => {
		let lists = 0;
		script({
			created: ({ id }) => ({ body: { id } }),
			list: () => (lists++ < 4 ? { body: { data: [FOREIGN] } } : undefined),
		});
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
	});

	test('an old record for the address, with other events: it is removed, and the creation sent again', async () => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({ refuse: () => (ownEndpoints().length > 0 ? { body: ownEndpoints()[0] } : undefined) });
		await trigger.call('create');
		expect(ownEndpoints()).toMatchObject([{ events: ['call.started'] }]);
	});

	test.each([400, 409, 422])(
		'%i, since it takes an address only once: what is there goes first',
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
		'%j: an error at publishing, and nothing is left',
		async (says) => {
			script({ created: (endpoint) => ({ body: { ...endpoint, ...says } }) });
			await expect(trigger.publish()).rejects.toThrow('disabled');
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
			script({ created: (endpoint) => void Object.assign(endpoint, says) });
			await expect(trigger.publish()).rejects.toThrow('disabled');
		},
	);

	test.each([{ status: 'pending', active: false }, { state: 'failing' }])(
		'%j: no reason to fail',
		async (says) => {
			script({ created: (endpoint) => void Object.assign(endpoint, says) });
			await trigger.publish();
			expect(ownEndpoints()).toMatchObject([says]);
		},
	);

	test('an answer after five seconds is in time', async () => {
		const SLOW_MS = 5_000;
		script({
			refuse: async () =>
				await new Promise((resolve) => setTimeout(() => resolve(undefined), SLOW_MS)),
		});
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
		expect(await trigger.call('checkExists')).toBe(true);
	}, 15_000);

	test('a refusal that has nothing to do with what is there removes nothing', async () => {
		await trigger.publish();
		const [before] = ownEndpoints();
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({ refuse: () => ({ status: 404 }) });
		await expect(trigger.call('create')).rejects.toThrow('404');
		expect(ownEndpoints()).toEqual([before]);
	});

	test('a refusal of an event that the catalog lacks names it, and removes nothing', async () => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: ['call.ended'] };
		script({ refuse: () => ({ status: 422, body: { message: 'Validation failed' } }) });
		await expect(trigger.call('create')).rejects.toThrow('call.ended');
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
	});

	test('a throw afterwards leaves nothing that nobody remembers', async () => {
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

describe('a catalog that cannot be read', () => {
	test.each<[string, Script['catalog']]>([
		['an error', () => ({ status: 500 })],
		['no list', () => ({ body: { hello: 'world' } })],
	])('%s keeps nobody from publishing', async (_name, catalog) => {
		script({ catalog });
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
	});
});

describe('which endpoint is adopted', () => {
	const isAdopted = async () => await trigger.call('checkExists');

	test('what is chosen twice, as an expression may give it, is asked for once', async () => {
		trigger.parameters = { ...trigger.parameters, events: ['call.completed', ' call.completed'] };
		await trigger.publish();
		expect(ownEndpoints()).toMatchObject([{ events: ['call.completed'] }]);
	});

	test('one without events, after they were lost, may have any', async () => {
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
	])('for the selection %j, one that shows %j: %s', async (events, shown, adopted) => {
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
		'to verify signatures, with %j stored and the secret %j: %s',
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

	test('not one whose token another API key has made', async () => {
		await trigger.publish();
		trigger.credential = { ...trigger.credential, apiKey: 'svc_live_two' };
		expect(await isAdopted()).toBe(false);
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
		expect(await isAdopted()).toBe(true);
	});

	test('one whose token the list hides by as many x, as long as it is remembered', async () => {
		script({
			list: (endpoints) => ({
				body: {
					data: endpoints.map((one) => ({
						...one,
						url: one.url.replace(/=.*/, `=${'x'.repeat(43)}`),
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
		'one whose whole URL the list shows as %j, as long as it is remembered',
		async (url) => {
			script({
				list: (endpoints) => ({ body: { data: endpoints.map((one) => ({ ...one, url })) } }),
			});
			await trigger.publish();
			expect(await isAdopted()).toBe(true);
			await trigger.call('delete');
			expect(ownEndpoints()).toEqual([]);
		},
	);

	test('not one that n8n is about to remove, since its question went unanswered', async () => {
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
	])('one that says %j: %s', async (says, adopted) => {
		await trigger.publish();
		Object.assign(ownEndpoints()[0]!, says);
		expect(await isAdopted()).toBe(adopted);
	});
});

describe('a list exactly as long as a usual page', () => {
	test('costs no request for a second page', async () => {
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
		expect(await requestsOf(async () => await trigger.call('delete'))).toEqual([
			list,
			removed,
			list,
		]);
	});
});

describe('a clock that was set back', () => {
	test('makes nothing of before come later, be it that the list still shows it', async () => {
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
});

describe('two calls at once', () => {
	test('leave the one endpoint of a service that writes the second over the first', async () => {
		let isWritten = () => {};
		const written = new Promise<void>((resolve) => (isWritten = resolve));
		script({
			refuse: (wanted) => {
				const [there] = ownEndpoints();
				if (!there) return undefined;
				Object.assign(there, wanted);
				isWritten();
				return { status: 200, body: { ...there } };
			},
			created: async (endpoint) => {
				const body = { ...endpoint };
				void trigger.twin({}).call('create');
				await written;
				return { body };
			},
		});
		await trigger.call('create');
		expect(ownEndpoints()).toHaveLength(1);
	});

	test('leave one endpoint, the newer', async () => {
		const other = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: trigger.parameters,
			credential: trigger.credential,
		});
		Object.assign(other, { webhookId: trigger.webhookId, workflowId: trigger.workflowId });
		await Promise.all([trigger.call('create'), other.call('create')]);
		expect(ownEndpoints()).toHaveLength(1);
		expect(await trigger.call('checkExists')).toBe(true);
	});

	test('on a list that hides tokens: neither calls it a success while there is none', async () => {
		script({
			list: (endpoints) => ({
				body: { data: endpoints.map((one) => ({ ...one, url: mask(one.url) })) },
			}),
		});
		const other = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: trigger.parameters,
			credential: trigger.credential,
		});
		Object.assign(other, { webhookId: trigger.webhookId, workflowId: trigger.workflowId });
		const ends = await Promise.allSettled([trigger.call('create'), other.call('create')]);
		const succeeded = ends.filter(({ status }) => status === 'fulfilled').length;
		expect(ownEndpoints().length).toBeGreaterThanOrEqual(succeeded);
	});
});
