import type { IDataObject } from 'n8n-workflow';

import {
	startScriptedService,
	type Said,
	type Script,
	type ScriptedService,
} from '../support/scriptedService';
import { NodeInWorkflow } from '../support/n8nCore';

// The node's waits pass at once; its clock goes on by them.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: (ms: number) => {
		const { skipTime } = jest.requireActual<{ skipTime: (ms: number) => void }>(
			'../support/lifecycleFaults',
		);
		skipTime(ms);
		return Promise.resolve();
	},
}));

const KEY = 'svc_live_one';
const FOREIGN = { id: 'foreign', url: 'https://crm.example.com/hooks' };

let service: ScriptedService;
let trigger: NodeInWorkflow;
beforeEach(async () => {
	service = await startScriptedService();
	service.endpoints.push({ ...FOREIGN });
	trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'], options: { testEvent: 'real' } },
		credential: { baseUrl: service.baseUrl, apiKey: KEY },
	});
});
afterEach(async () => await service.stop());

const script = (is: Script) => (service.script = is);
const ours = () => service.endpoints.filter(({ id }) => id !== FOREIGN.id);
const tokenOf = (url: string) => new URL(url).searchParams.get('voice_agent_token') ?? '';
const mask = (url: string) => url.replace(/=.*/, '=***');
const copyOf = (data: IDataObject) => JSON.parse(JSON.stringify(data)) as IDataObject;
const requestsOf = async (act: () => Promise<unknown>) => {
	const before = service.requests.length;
	await act();
	return service.requests.slice(before);
};

describe('what n8n stores', () => {
	test('holds no token, and nothing of which one could be made', async () => {
		await trigger.publish();
		const stored = JSON.stringify(trigger.staticData);
		expect(stored).not.toContain(tokenOf(ours()[0]!.url));
		expect(stored).not.toContain(KEY);
	});

	test('holds a signing secret only while signatures are verified', async () => {
		script({ created: (endpoint) => ({ body: { ...endpoint, secret: 'whsec_c2VjcmV0' } }) });
		await trigger.publish();
		expect(JSON.stringify(trigger.staticData)).not.toContain('whsec_');
		trigger.parameters = { ...trigger.parameters, options: { verification: 'standardWebhooks' } };
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

	test('copied along with a workflow, touches no endpoint of that one', async () => {
		await trigger.publish();
		const [original] = ours();
		const copy = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: trigger.parameters,
			credential: trigger.credential,
		});
		copy.staticData = copyOf(trigger.staticData);
		await copy.publish();
		expect(ours()).toHaveLength(2);
		await copy.call('delete');
		expect(ours()).toEqual([original]);
	});

	test('finds what an old WEBHOOK_URL has registered', async () => {
		await trigger.publish();
		trigger.webhookBase = 'https://new.example.com/';
		await trigger.publish();
		expect(ours().map(({ url }) => new URL(url).host)).toEqual(['new.example.com']);
	});
});

describe('what the service answers to a creation', () => {
	test.each<[string, Script['created']]>([
		[
			'the ID of the request beside the record',
			(endpoint) => ({ body: { id: 'req_77', data: endpoint } }),
		],
		[
			'the record below other records',
			(endpoint) => ({
				body: { workspace: { id: 'ws_1' }, result: { id: 'r_1', webhook: endpoint } },
			}),
		],
		['an ID alone', ({ id }) => ({ body: { id } })],
		[
			'the ID of the request, and that of the record alone',
			({ id }) => ({ body: { request: { id: 'req_1' }, webhook: { id } } }),
		],
		['nothing that can be read', () => ({ body: { accepted: true } })],
		['no body', () => ({ status: 204 })],
	])('%s: the endpoint is the one that has the URL', async (_name, created) => {
		script({ created });
		await trigger.publish();
		expect(ours()).toMatchObject([{ events: ['call.completed'] }]);
		expect(await trigger.call('checkExists')).toBe(true);
		await trigger.call('delete');
		expect(ours()).toEqual([]);
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
		expect(ours()).toHaveLength(1);
	});

	test('an old record for the address, with other events: it is removed, and the creation sent again', async () => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({
			refuse: () => (ours().length > 0 ? { body: ours()[0] } : undefined),
		});
		await trigger.call('create');
		expect(ours()).toMatchObject([{ events: ['call.started'] }]);
	});

	test.each([400, 409, 422])(
		'%i, since it takes an address only once: what is there goes first',
		async (status) => {
			await trigger.publish();
			trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
			script({
				refuse: () => (ours().length > 0 ? { status, body: { error: 'Taken' } } : undefined),
			});
			await trigger.call('create');
			expect(ours()).toMatchObject([{ events: ['call.started'] }]);
		},
	);

	test('a refusal that has nothing to do with what is there removes nothing', async () => {
		await trigger.publish();
		const [before] = ours();
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({ refuse: () => ({ status: 404 }) });
		await expect(trigger.call('create')).rejects.toThrow('404');
		expect(ours()).toEqual([before]);
	});

	test('a refusal of an event that the catalog lacks names it, and removes nothing', async () => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: ['call.ended'] };
		script({ refuse: () => ({ status: 422, body: { message: 'Validation failed' } }) });
		await expect(trigger.call('create')).rejects.toThrow('call.ended');
		expect(ours()).toMatchObject([{ events: ['call.completed'] }]);
	});

	test('a throw afterwards leaves nothing that nobody remembers', async () => {
		script({
			list: () => ({ body: { data: [FOREIGN] } }),
			catalog: () => ({ body: { data: ['other.event'] } }),
		});
		await expect(trigger.publish()).rejects.toThrow('call.completed');
		expect(ours()).toHaveLength(1);
		await trigger.call('delete');
		expect(ours()).toEqual([]);
	});
});

describe('a catalog that cannot be read', () => {
	test.each<[string, Script['catalog']]>([
		['an error', () => ({ status: 500 })],
		['no list', () => ({ body: { hello: 'world' } })],
	])('%s keeps nobody from publishing', async (_name, catalog) => {
		script({ catalog });
		await trigger.publish();
		expect(ours()).toMatchObject([{ events: ['call.completed'] }]);
	});
});

describe('which endpoint is adopted', () => {
	const isAdopted = async () => await trigger.call('checkExists');

	test('what is chosen twice, as an expression may give it, is asked for once', async () => {
		trigger.parameters = { ...trigger.parameters, events: ['call.completed', ' call.completed'] };
		await trigger.publish();
		expect(ours()).toMatchObject([{ events: ['call.completed'] }]);
	});

	test('one whose events are twice the same is not one with both', async () => {
		trigger.parameters = { ...trigger.parameters, events: ['call.started', 'call.completed'] };
		await trigger.publish();
		expect(await isAdopted()).toBe(true);
		ours()[0]!.events = ['call.started', 'call.started'];
		expect(await isAdopted()).toBe(false);
	});

	test.each(['CALL_COMPLETED', 'v1.call.completed'])(
		'its event may be spelled %s',
		async (name) => {
			await trigger.publish();
			ours()[0]!.events = [name];
			expect(await isAdopted()).toBe(true);
		},
	);

	test('one without events, after they were lost, may have any', async () => {
		await trigger.publish();
		delete ours()[0]!.events;
		expect(await isAdopted()).toBe(true);
		trigger.staticData = {};
		expect(await isAdopted()).toBe(false);
	});

	test('not one whose token another API key has made', async () => {
		await trigger.publish();
		trigger.credential = { ...trigger.credential, apiKey: 'svc_live_two' };
		expect(await isAdopted()).toBe(false);
		await trigger.publish();
		expect(ours()).toHaveLength(1);
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
			expect(ours()).toEqual([]);
		},
	);

	test('not one that n8n is about to remove, since its question went unanswered', async () => {
		await trigger.publish();
		script({ list: () => ({ status: 401 }) });
		await expect(isAdopted()).rejects.toThrow();
		script({});
		expect(await isAdopted()).toBe(false);
		await trigger.call('create');
		expect(ours()).toHaveLength(1);
		expect(await isAdopted()).toBe(true);
	});

	test.each([
		[{ enabled: false }, false],
		[{ active: false }, false],
		[{ disabled: true }, false],
		[{ status: 'paused' }, false],
		[{ status: 'failing' }, true],
		[{ status: 'pending' }, true],
	])('one that says %j: %s', async (says, adopted) => {
		await trigger.publish();
		Object.assign(ours()[0]!, says);
		expect(await isAdopted()).toBe(adopted);
	});
});

describe('the removal', () => {
	test('of an endpoint that the list does not show, and that fails, is not done', async () => {
		await trigger.publish();
		script({
			list: () => ({ body: { data: [FOREIGN] } }),
			remove: () => ({ status: 500 }),
		});
		await expect(trigger.call('delete')).rejects.toThrow(ours()[0]!.id);
		script({ list: () => ({ body: { data: [FOREIGN] } }) });
		await trigger.call('delete');
		expect(ours()).toEqual([]);
	});

	test.each<[string, Said]>([
		['404', { status: 404 }],
		['422', { status: 422 }],
		['200 with an error', { body: { error: { code: 'not_found' } } }],
	])('is done where a late list still shows it, and is answered %s', async (_name, said) => {
		await trigger.publish();
		const [endpoint] = ours();
		let lists = 0;
		script({
			list: () => (lists++ < 2 ? { body: { data: [FOREIGN, endpoint] } } : undefined),
			remove: () => (ours().length === 0 ? said : undefined),
		});
		await trigger.call('delete');
		expect(ours()).toEqual([]);
	});

	describe('that was refused, and is then answered 404 while the list shows it', () => {
		const answer = (answers: number[]) =>
			script({
				remove: () => {
					const status = answers.shift();
					return status === undefined ? undefined : { status };
				},
			});

		test('is tried on, for that may be the bad moment of a proxy', async () => {
			await trigger.publish();
			answer([409, 409, 409, 404]);
			await trigger.call('delete');
			expect(ours()).toEqual([]);
		});

		test('is not done where the time is up before it stays the same', async () => {
			await trigger.publish();
			answer([409, 409, 404, 409, ...Array<number>(20).fill(404)]);
			await expect(trigger.call('delete')).rejects.toThrow('409');
			expect(ours()).toHaveLength(1);
		});
	});

	test('of an old one that fails, while the list does not show it, is tried again by the next', async () => {
		await trigger.publish();
		trigger.parameters = { ...trigger.parameters, events: ['call.started'] };
		script({
			list: (endpoints) => ({ body: { data: endpoints.slice(-1) } }),
			remove: (id) => (id === 'wh_1' ? { status: 500 } : undefined),
		});
		await trigger.publish();
		script({ list: (endpoints) => ({ body: { data: endpoints.slice(2) } }) });
		await trigger.call('delete');
		expect(ours()).toEqual([]);
	});

	test('of a listener that died goes with the next publish; a live one stays', async () => {
		const { now } = Date;
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - 13 * 60_000);
		await trigger.call('create', true);
		clock.mockRestore();
		trigger.staticData = {};
		const [dead] = ours();
		await trigger.publish();
		expect(ours().map(({ id }) => id)).not.toContain(dead!.id);

		const listener = copyOf(trigger.staticData);
		trigger.staticData = {};
		await trigger.call('create', true);
		const live = ours().at(-1)!;
		trigger.staticData = listener;
		await trigger.call('delete');
		expect(ours()).toEqual([live]);
	});

	test('by a listener never takes the endpoint of the published workflow', async () => {
		await trigger.publish();
		const published = trigger.staticData;
		trigger.staticData = {};
		await trigger.call('create', true);
		await trigger.call('delete', true);
		expect(ours()).toHaveLength(1);
		expect(ours()[0]!.url).toContain('/webhook/');
		trigger.staticData = published;
		expect(await trigger.call('checkExists')).toBe(true);
	});
});

describe('two calls at once', () => {
	test('leave one endpoint, the newer', async () => {
		const other = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: trigger.parameters,
			credential: trigger.credential,
		});
		Object.assign(other, { webhookId: trigger.webhookId, workflowId: trigger.workflowId });
		await Promise.all([trigger.call('create'), other.call('create')]);
		expect(ours()).toHaveLength(1);
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
		expect(ours().length).toBeGreaterThanOrEqual(succeeded);
	});
});
