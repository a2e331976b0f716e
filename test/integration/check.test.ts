import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type RouteHandlerMethod } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { namedDialects, type Dialect } from '../../sandbox/dialects';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox/service';
import { until } from '../../sandbox/stack/until';
import { NodeInWorkflow, Receiver } from '../support/n8nCore';

interface Item extends IDataObject {
	id: string | null;
	url: string | null;
	events: string[] | null;
	ok: boolean | null;
	summary: string;
	problems: Array<{ what: string; toDo: string; since: string | null }>;
	doubts: Array<{ what: string; toDo: string }>;
	lastDelivery: IDataObject | null;
	logged: number | null;
	failed: number | null;
	sampleArrived: boolean | null;
}

/** The n8n whose certificate the service accepts, and one whose it does not. */
let receiver: Receiver;
let untrusted: Receiver;
/** Answers as n8n does while it starts, where a workflow fails, and where it takes long. */
let busy: FastifyInstance;
let busyUrl: string;
let sandbox: Sandbox;

beforeAll(async () => {
	receiver = await Receiver.start();
	untrusted = await Receiver.start();
	const { key, cert } = receiver.certificate;
	busy = fastify({ https: { key, cert }, forceCloseConnections: true });
	const answers: Record<string, RouteHandlerMethod> = {
		well: () => ({ received: true }),
		starting: async (_request, reply) => await reply.send('n8n is starting up. Please wait'),
		failing: async (_request, reply) =>
			await reply.code(500).send({ message: 'Error in workflow' }),
		slow: async () => await new Promise(() => undefined),
	};
	for (const [name, answer] of Object.entries(answers)) {
		busy.post(`/webhook/${name}/webhook`, answer);
	}
	await busy.listen({ host: '127.0.0.1', port: 0 });
	busyUrl = `https://127.0.0.1:${(busy.server.address() as AddressInfo).port}/webhook/`;
});
afterAll(async () => {
	await busy.close();
	await receiver.stop();
	await untrusted.stop();
});
afterEach(async () => {
	receiver.close();
	await sandbox.stop();
});

const begin = async (dialect: Partial<Dialect> = {}) => {
	sandbox = await startSandbox({ dialect, retryScale: 0.05, ca: receiver.certificate.ca });
};

async function check(parameters: INodeParameters = {}, isTool = false): Promise<Item[]> {
	const node = await NodeInWorkflow.create('voiceAgent', {
		parameters: { resource: 'webhook', operation: 'check', ...parameters },
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey },
	});
	if (isTool) node.settings = { type: 'n8n-nodes-voice-agent.voiceAgentTool' };
	const items = await node.execute();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
	return items.map(({ json }) => json as Item);
}
const checkOne = async (id: string, more: INodeParameters = {}) => {
	const webhookId = { mode: 'id', value: id };
	const [item] = await check({ allWebhooks: false, webhookId, ...more });
	return item as Item;
};

/** Publishes a real trigger behind the receiver, and gives the ID of its endpoint. */
async function publish(): Promise<string> {
	const trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'] },
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey },
		webhookBase: receiver.base,
	});
	receiver.open(trigger);
	await trigger.publish();
	return sandbox.endpoints().at(-1)!.id;
}

/** Waits until a first attempt at each endpoint has ended. */
async function delivered(ids: string[]): Promise<void> {
	const isOver = (id: string) =>
		sandbox.deliveriesOf(id).some(({ status, attempt }) => attempt === 1 && status !== 'pending');
	await until('the deliveries', 20, () => ids.every(isOver));
}

const TOKEN = `voice_agent_token=${'AbC_'.repeat(11).slice(1)}`;
const CALL = ['call.completed'];

describe.each(Object.entries(namedDialects))('a service that is %s', (_name, dialect) => {
	test('says of each webhook what is wrong with it', async () => {
		await begin(dialect);
		const well = await publish();
		const published = sandbox.endpoints()[0]!.url;
		const add = (url: string, events = CALL) => sandbox.addEndpoint({ url, events });
		const faults: Record<string, [id: string, what: RegExp, toDo: RegExp]> = {
			unreachable: [add('https://127.0.0.1:1/hooks'), /cannot reach this URL/, /firewall/],
			unsafe: [
				add(`${untrusted.base}webhook/1/webhook?${TOKEN}`),
				/does not accept the certificate at this URL.*certificate/,
				/proxy in front of it/,
			],
			'without its token': [
				// One that the list shows in full would be accepted.
				add(published.replace(/=.*/, '=cut')),
				/refuses the deliveries.*status 401/,
				/unpublish the workflow and publish it again/,
			],
			unpublished: [
				add(`${receiver.base}webhook/gone/webhook?${TOKEN}`),
				/Nothing is at this URL \(status 404\)/,
				/If it is gone, delete this webhook/,
			],
			starting: [
				add(`${busyUrl}starting/webhook?${TOKEN}`),
				/with success while it was starting/,
				/Fetch these events/,
			],
			failing: [
				add(`${busyUrl}failing/webhook?${TOKEN}`),
				/fails \(status 500\)/,
				/failed runs under Executions/,
			],
		};
		const failing = Object.values(faults).map(([id]) => id);
		const disabled = add(`${busyUrl}well/webhook?${TOKEN}`);
		sandbox.disableEndpoint(disabled, { status: 'disabled' });
		const vanished = add(`${busyUrl}well/webhook?${TOKEN}`, [...CALL, 'call.vanished']);
		const begun = Date.now();
		sandbox.emit('call.completed');
		await delivered([well, vanished, ...failing]);

		const items = await check();
		expect(items.map(({ id }) => id).sort()).toEqual(
			sandbox
				.endpoints()
				.map(({ id }) => id)
				.sort(),
		);
		const itemOf = (id: string) => items.find((item) => item.id === id)!;
		for (const [name, [id, what, toDo]] of Object.entries(faults)) {
			const { ok, problems, summary, failed } = itemOf(id);
			expect({ name, ok, problems }).toEqual({
				name,
				ok: false,
				problems: [
					{
						what: expect.stringMatching(what) as string,
						toDo: expect.stringMatching(toDo) as string,
						since: expect.any(String) as string,
					},
				],
			});
			expect(Date.parse(problems[0]!.since!)).toBeGreaterThanOrEqual(begun - 1);
			expect(summary).toContain(problems[0]!.toDo);
			expect(failed).toBeGreaterThan(0);
		}
		expect(itemOf(well)).toMatchObject({ ok: true, problems: [], doubts: [], failed: 0 });
		expect(itemOf(disabled)).toMatchObject({ ok: false, logged: 0, lastDelivery: null });
		expect(itemOf(disabled).problems).toEqual([
			expect.objectContaining({ what: expect.stringContaining('disabled this webhook') as string }),
		]);
		// What is not shown can't be compared.
		const isShown = dialect.listedEvents !== 'hidden';
		expect(itemOf(vanished).ok).toBe(!isShown);
		expect(itemOf(vanished).events === null).toBe(!isShown);
		if (isShown) expect(itemOf(vanished).summary).toMatch(/no longer .* call.?vanished\./i);
		expect(JSON.stringify(items)).not.toMatch(/voice_agent_token=[^*]/);
		expect(sandbox.requests.slice(-2 - items.length).map(({ method }) => method)).not.toContain(
			'POST',
		);
	}, 60_000);

	test('says of one webhook, with a sample, whether it arrives', async () => {
		await begin({ ...dialect, retrySchedule: 'once' });
		const well = await publish();
		const arrived = await checkOne(well, { sendSample: true });
		expect(arrived).toMatchObject({ id: well, ok: true, sampleArrived: true, logged: 1 });
		expect(receiver.received).not.toEqual([]);
		expect(await checkOne(well)).toMatchObject({ ok: true, sampleArrived: null, logged: 1 });

		receiver.close();
		const lost = await checkOne(well, { sendSample: true });
		expect(lost).toMatchObject({ id: well, ok: false, sampleArrived: false, logged: 2, failed: 1 });
		expect(lost.problems[0]?.what).toContain('status 404');
	}, 60_000);
});

describe('a sample', () => {
	test('is told from a retry of what failed before', async () => {
		await begin();
		const id = sandbox.addEndpoint({ url: `${busyUrl}failing/webhook`, events: CALL });
		sandbox.emit('call.completed');
		await delivered([id]);
		sandbox.fault = ({ path }) =>
			path.endsWith('/test') ? { kind: 'status', status: 204 } : undefined;
		const { sampleArrived, doubts } = await checkOne(id, { sendSample: true });
		expect(sampleArrived).toBeNull();
		expect(doubts.at(-1)?.what).toContain('the log did not tell how that went');
	}, 60_000);

	test('that nobody answers in time has not arrived', async () => {
		await begin({ retrySchedule: 'once', successCode: 'accepted' });
		const id = sandbox.addEndpoint({ url: `${busyUrl}slow/webhook?${TOKEN}` });
		const { ok, sampleArrived, problems } = await checkOne(id, { sendSample: true });
		expect({ ok, sampleArrived }).toEqual({ ok: false, sampleArrived: false });
		expect(problems[0]?.what).toMatch(/^No answer came in the time that the service waits/);
		expect(problems[0]?.toDo).toContain('When Last Node Finishes');
	}, 60_000);

	test('that the service refuses to send is a doubt beside the rest', async () => {
		await begin();
		const id = await publish();
		sandbox.emit('call.completed');
		await delivered([id]);
		const body = { error: { message: 'No samples today' } };
		sandbox.fault = ({ method }) =>
			method === 'POST' ? { kind: 'status', status: 400, body } : undefined;
		const { ok, sampleArrived, doubts } = await checkOne(id, { sendSample: true });
		expect({ ok, sampleArrived }).toEqual({ ok: null, sampleArrived: null });
		expect(doubts[0]?.what).toMatch(/did not send a sample: .*No samples today/);
	});

	test('is not sent for all webhooks, nor by a tool of an AI agent', async () => {
		await begin();
		const id = await publish();
		await check({ allWebhooks: true, sendSample: true });
		const one = { allWebhooks: false, webhookId: { mode: 'id', value: id } };
		await expect(check({ ...one, sendSample: true }, true)).rejects.toThrow(
			'An AI agent may not send a sample with a check',
		);
		const [item] = await check(one, true);
		expect(item).toMatchObject({ id, ok: null });
		expect(sandbox.requests.some(({ path }) => path.endsWith('/test'))).toBe(false);
	});
});

describe('what cannot be read', () => {
	const failAt = (pattern: RegExp, fault: Fault = { kind: 'status', status: 400 }) => {
		sandbox.fault = ({ path }) => (pattern.test(path) ? fault : undefined);
	};

	test('the log of one webhook leaves the others', async () => {
		await begin();
		const [one, other] = [await publish(), await publish()];
		sandbox.emit('call.completed');
		await delivered([one, other]);
		failAt(new RegExp(`${one}/deliveries`));
		const items = await check();
		expect(items.map(({ id, ok }) => [id, ok])).toEqual([
			[one, null],
			[other, true],
		]);
		expect(items[0]?.doubts[0]?.what).toMatch(/^The log of deliveries could not be read: .*400/);
	});

	test('a catalog or a list, for one webhook', async () => {
		await begin();
		const id = await publish();
		sandbox.emit('call.completed');
		await delivered([id]);
		failAt(/event-types$/);
		expect((await checkOne(id)).doubts[0]?.what).toMatch(/catalog could not be read: .*400/);
		failAt(/\/webhooks$/);
		const { ok, doubts, events, logged } = await checkOne(id);
		expect({ ok, events, logged }).toEqual({ ok: null, events: null, logged: 1 });
		expect(doubts[0]?.what).toMatch(/^The list of webhooks could not be read: .*400/);
	});

	test('nothing at all fails the item, with the reason', async () => {
		await begin();
		const id = await publish();
		failAt(/webhooks/, { kind: 'status', status: 401 });
		await expect(check()).rejects.toThrow('The API key was not accepted');
		await expect(checkOne(id)).rejects.toThrow('The API key was not accepted');
		sandbox.fault = undefined;
		await expect(checkOne('nobody')).rejects.toThrow(
			'There is no webhook endpoint with the ID nobody',
		);
	});

	test('a list that is cut says so in an item of its own', async () => {
		sandbox = await startSandbox({ dialect: { paging: 'silent' }, pageSize: 2 });
		for (const name of ['a', 'b', 'c']) {
			sandbox.addEndpoint({ url: `https://127.0.0.1:1/${name}`, events: CALL });
		}
		const items = await check();
		expect(items.map(({ id }) => id === null)).toEqual([false, false, true]);
		expect(items[2]).toMatchObject({ url: null, ok: null, logged: null, sampleArrived: null });
		expect(items[2]?.summary).toMatch(/more webhooks than could be read/);
		const [, , hidden] = sandbox.endpoints();
		const { doubts } = await checkOne(hidden!.id);
		expect(doubts[0]?.what).toMatch(/^What could be read of the list/);
	});

	test('a workspace without webhooks is a problem', async () => {
		await begin();
		const items = await check();
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({ id: null, ok: false });
		expect(items[0]?.summary).toMatch(/no webhooks.* Publish a workflow/);
	});

	test('what is only listed as removed is left out', async () => {
		await begin();
		const [kept, removed] = [await publish(), await publish()];
		sandbox.disableEndpoint(removed, { deleted_at: '2026-01-31T09:00:00Z' });
		expect((await check()).map(({ id }) => id)).toEqual([kept]);
		expect((await checkOne(removed)).summary).toMatch(/lists this webhook as removed/);
	});
});

describe('services whose logs tell little', () => {
	const endpoint = { id: 'wh_1', url: 'https://crm.example.com/hooks', events: CALL };
	test.each<[string, IDataObject[], boolean | null, RegExp]>([
		['no answers', [{ id: 'a1', sent_at: '2026-01-31T09:00:00Z' }], null, /does not tell how/],
		['a state alone', [{ id: 'a1', status: 'failed' }], false, /does not tell why/],
		['a word for why', [{ id: 'a1', status: 'timeout' }], false, /^No answer came/],
		['codes', [{ id: 'a1', http_code: 502 }], false, /\(status 502\)/],
	])('%s', async (_name, log, ok, what) => {
		await begin();
		sandbox.fault = ({ path }) => {
			if (path === '/webhooks') return answer([endpoint]);
			return path.endsWith('/deliveries') ? answer(log) : undefined;
		};
		const [item] = await check();
		expect(item).toMatchObject({ id: 'wh_1', url: endpoint.url, events: CALL, ok, logged: 1 });
		expect([...item!.problems, ...item!.doubts][0]?.what).toMatch(what);
	});

	test('a webhook without an ID is named, and the others are checked', async () => {
		await begin();
		sandbox.fault = ({ path }) =>
			path === '/webhooks' ? answer([{ address: 'https://a.example/' }, endpoint]) : undefined;
		const items = await check();
		expect(items.map(({ id, ok }) => [id, ok])).toEqual([
			[null, null],
			['wh_1', null],
		]);
		expect(items[0]?.summary).toMatch(/one without an ID/);
	});

	const answer = (data: unknown): Fault => ({ kind: 'status', status: 200, body: { data } });
});
