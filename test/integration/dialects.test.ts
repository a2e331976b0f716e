import axios from 'axios';
import { Agent, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import {
	defaultDialect,
	effectivePaging,
	namedDialects,
	type Dialect,
} from '../../sandbox/dialects';
import { startSandbox, type Sandbox } from '../../sandbox/service';
import { until } from '../../sandbox/stack/until';
import { countPairs, pairwiseDialects, SIGNATURE_OPTIONS } from '../support/dialects';
import { startOtherReceiver } from '../support/otherReceiver';
import { NodeInWorkflow, type CredentialData } from '../support/n8nCore';
import { Receiver } from '../support/receiver';

const FOREIGN = 'https://crm.example.com/hooks/calls?key=1';

let receiver: Receiver;
let other: Server;
let otherUrl: string;
let sandbox: Sandbox;
let credential: CredentialData;

beforeAll(async () => {
	// Lists that can't be read whole cause warnings, here by design.
	process.env.N8N_LOG_LEVEL ??= 'error';
	receiver = await Receiver.start();
	other = await startOtherReceiver(receiver.certificate);
	otherUrl = `https://127.0.0.1:${(other.address() as AddressInfo).port}/nowhere`;
});
afterAll(async () => {
	other.closeAllConnections();
	await new Promise((resolve) => other.close(resolve));
	await receiver.stop();
});
const begin = async (dialect: Partial<Dialect>) => {
	sandbox = await startSandbox({
		dialect,
		pageSize: 2,
		retryScale: 0.05,
		ca: receiver.certificate.ca,
	});
	credential = {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.adminKey,
		webhookSigningSecret: sandbox.signingSecret,
	};
};

const act = async (parameters: Record<string, string | boolean | string[] | object>) => {
	const node = await NodeInWorkflow.create('voiceAgent', {
		parameters: { returnAll: true, ...parameters } as never,
		credential,
	});
	const items = (await node.execute()).map(({ json }) => json);
	return { items, hints: node.hints };
};

const describeDifferences = (dialect: Dialect) =>
	Object.entries(dialect)
		.filter(([axis, value]) => defaultDialect[axis as keyof Dialect] !== value)
		.map((difference) => difference.join('='))
		.join(' ');

const cases: Array<[name: string, dialect: Dialect]> = [
	...Object.entries(namedDialects),
	...pairwiseDialects.map((dialect): [string, Dialect] => [describeDifferences(dialect), dialect]),
];

test('the dialects meet every pair of values', () => {
	const { met, all } = countPairs(pairwiseDialects);
	expect(met).toBe(all);
});

describe.each(cases)('%s', (_name, dialect) => {
	afterEach(async () => await sandbox.stop());

	test('all operations', async () => {
		await begin(dialect);
		const isWhole = effectivePaging(dialect) !== 'silent';
		const id = (value: unknown) => ({ mode: 'id', value: value as string });

		const created = await act({
			resource: 'apiKey',
			operation: 'create',
			name: 'CRM sync',
			scopes: ['calls:read'],
		});
		expect(created.items).toEqual([
			expect.objectContaining({
				name: 'CRM sync',
				scopes: ['calls:read'],
				key: expect.stringMatching(/^svc_live_/) as string,
			}),
		]);
		const apiKeyId = id(created.items[0]?.id);
		sandbox.createKey('Third');
		const keys = await act({ resource: 'apiKey', operation: 'getAll' });
		expect(keys.items).toHaveLength(isWhole ? 3 : 2);
		expect(keys.hints).toHaveLength(isWhole ? 0 : 1);
		expect(JSON.stringify(keys.items)).not.toContain(created.items[0]?.key);

		const revoked = await act({ resource: 'apiKey', operation: 'revoke', apiKeyId });
		expect(revoked.items).toEqual([{ deleted: true }]);
		expect(sandbox.keys().map(({ name }) => name)).not.toContain('CRM sync');
		const missing = (what: string, { value }: { value: string }) =>
			dialect.unknownId === 'not ok' ? 'not_found' : `There is no ${what} with the ID ${value}`;
		await expect(act({ resource: 'apiKey', operation: 'revoke', apiKeyId })).rejects.toThrow(
			missing('API key', apiKeyId),
		);

		const types = await act({ resource: 'webhook', operation: 'getEventTypes' });
		const isFirst = isWhole || dialect.listOrder === 'usual';
		expect(types.items.map(({ name }) => name)).toContain(
			isFirst ? 'call.completed' : 'tool.failed',
		);

		const webhook = await act({
			resource: 'webhook',
			operation: 'create',
			url: otherUrl,
			events: ['call.completed'],
		});
		const webhookId = id(webhook.items[0]?.id);
		expect(sandbox.endpoints()).toEqual([
			{ id: webhookId.value, url: otherUrl, events: ['call.completed'] },
		]);
		const webhooks = await act({ resource: 'webhook', operation: 'getAll' });
		expect(webhooks.items.map((item) => item.id)).toEqual([webhookId.value]);

		await act({ resource: 'webhook', operation: 'test', webhookId });
		await sandbox.settled();
		const deliveries = await act({ resource: 'webhook', operation: 'getDeliveries', webhookId });
		// The contract does not show the fields of a log record: the record comes as it was sent.
		expect(deliveries.items).toHaveLength(1);
		expect(JSON.stringify(deliveries.items)).toContain('"response_status":404');

		const [checked] = (await act({ resource: 'webhook', operation: 'check' })).items;
		expect(checked).toMatchObject({
			id: webhookId.value,
			ok: false,
			problems: [{ what: 'Nothing is at this URL (status 404).' }],
		});

		const deleted = await act({ resource: 'webhook', operation: 'delete', webhookId });
		expect(deleted.items).toEqual([{ deleted: true }]);
		expect(sandbox.endpoints()).toEqual([]);
		await expect(act({ resource: 'webhook', operation: 'delete', webhookId })).rejects.toThrow(
			missing('webhook', webhookId),
		);
	});

	test('the life of a trigger', async () => {
		await begin(dialect);
		const foreign = sandbox.addEndpoint({ url: FOREIGN, events: ['agent.updated'] });
		const ours = () => sandbox.endpoints().filter(({ id }) => id !== foreign);
		const trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: {
				events: ['call.completed'],
				options: { ...SIGNATURE_OPTIONS[dialect.signature] },
			},
			credential,
			webhookBase: receiver.base,
		});
		receiver.open(trigger);

		// Published: exactly one endpoint, with the chosen events.
		await trigger.publish();
		expect(ours()).toEqual([
			expect.objectContaining({
				url: expect.stringContaining(trigger.webhookUrl()) as string,
				events: ['call.completed'],
			}),
		]);
		const [endpoint] = ours();

		// Published again unchanged, as by a start of n8n 1.x: nothing changes.
		expect(await trigger.call('checkExists')).toBe(true);

		// A call ends: the workflow starts with the event.
		const before = receiver.received.length;
		const { id } = sandbox.emit('call.completed', { call_id: 'C1' });
		sandbox.emit('call.started', {});
		await sandbox.settled();
		const starts = receiver.received.slice(before);
		expect(starts.map(({ status }) => status)).toEqual([200]);
		if (dialect.eventEnvelope !== 'ce-type') {
			expect(JSON.stringify(starts[0]?.items)).toContain(id);
		}
		expect(JSON.stringify(starts[0]?.items)).toContain('"C1"');

		// A request without a callback token is refused.
		const stranger = await axios.post(
			trigger.webhookUrl(),
			{ type: 'call.completed' },
			{ httpsAgent: new Agent({ ca: receiver.certificate.ca }), validateStatus: () => true },
		);
		expect(stranger.status).toBe(401);

		// The user changes the events: n8n calls delete, then create.
		trigger.parameters = { ...trigger.parameters, events: [] };
		await trigger.call('delete');
		expect(ours()).toEqual([]);
		await trigger.publish();
		expect(ours()).toEqual([expect.objectContaining({ events: undefined })]);
		expect(ours()[0]?.id).not.toBe(endpoint?.id);
		// Without the rest of the catalog, a list of all its names is a selection like any other.
		const isEvery = dialect.listedEvents !== 'catalog' || effectivePaging(dialect) !== 'silent';
		if (isEvery) expect(await trigger.call('checkExists')).toBe(true);

		// n8n loses what was stored: still one endpoint after the next publish, and none after the end.
		trigger.staticData = {};
		await trigger.publish();
		expect(ours()).toHaveLength(1);
		sandbox.emit('chat.completed', { chat_id: 'C2' });
		await sandbox.settled();
		await until('the event', 5, () => JSON.stringify(receiver.received).includes('"C2"'));

		await trigger.call('delete');
		expect(sandbox.endpoints().map(({ url }) => url)).toEqual([FOREIGN]);
	});
});

describe('a service whose list is incomplete', () => {
	let trigger: NodeInWorkflow;
	beforeEach(async () => {
		await begin({});
		trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: { events: ['call.completed'] },
			credential,
			webhookBase: receiver.base,
		});
	});
	afterEach(async () => await sandbox.stop());

	test('an endpoint whose id is stored is removed', async () => {
		sandbox.fault = ({ method, path }) =>
			method === 'GET' && path === '/webhooks'
				? { kind: 'status', status: 200, body: { data: [] } }
				: undefined;
		await trigger.publish();
		trigger.parameters = { events: ['call.started'] };
		await trigger.publish();
		expect(sandbox.endpoints()).toMatchObject([{ events: ['call.started'] }]);
		await trigger.call('delete');
		expect(sandbox.endpoints()).toEqual([]);
	});

	test.each([400, 404, 410, 422])(
		'an endpoint that was removed by hand does not prevent publishing, if its DELETE is answered %i',
		async (status) => {
			await trigger.publish();
			const [gone] = sandbox.endpoints();
			sandbox.removeEndpoint(gone!.id);
			sandbox.fault = ({ method, path }) =>
				method === 'DELETE' && path.endsWith(gone!.id) ? { kind: 'status', status } : undefined;
			await trigger.publish();
			expect(sandbox.endpoints()).toHaveLength(1);
			await trigger.call('delete');
			expect(sandbox.endpoints()).toEqual([]);
		},
	);

	test('an unlisted endpoint that the service fails to remove is named in the error', async () => {
		await trigger.publish();
		const [gone] = sandbox.endpoints();
		sandbox.removeEndpoint(gone!.id);
		sandbox.fault = ({ method, path }) =>
			method === 'DELETE' && path.endsWith(gone!.id) ? { kind: 'status', status: 500 } : undefined;
		await trigger.publish();
		expect(sandbox.endpoints()).toHaveLength(1);
		await expect(trigger.call('delete')).rejects.toThrow(gone!.id);
		expect(sandbox.endpoints()).toEqual([]);
	});
});

describe('a service whose pages form a circle', () => {
	afterEach(async () => await sandbox.stop());
	const page = (...ids: string[]) => ({
		kind: 'status' as const,
		status: 200,
		body: { data: ids.map((id) => ({ id })), next_cursor: 'two' },
	});

	test.each([
		['to the first page', ['1', '2'], ['1', '2']],
		['from the last page to itself', ['3'], ['1', '2', '3']],
	])('%s: each webhook is listed once, with a hint', async (_name, second, all) => {
		await begin({});
		let request = 0;
		sandbox.fault = () => (request++ === 0 ? page('1', '2') : page(...second));
		const { items, hints } = await act({ resource: 'webhook', operation: 'getAll' });
		expect(items.map(({ id }) => id)).toEqual(all);
		expect(hints).toHaveLength(1);
		// The usual parameters are tried, each a few times.
		expect(request).toBeLessThan(30);
	});
});

describe('a service whose catalog is empty', () => {
	afterEach(async () => await sandbox.stop());

	test('does not prevent publishing an event that was typed', async () => {
		await begin({});
		sandbox.fault = ({ path }) =>
			path === '/webhooks/event-types'
				? { kind: 'status', status: 200, body: { data: [] } }
				: undefined;
		const trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: { events: ['call.completed'] },
			credential,
			webhookBase: receiver.base,
		});
		await trigger.publish();
		expect(sandbox.endpoints()).toMatchObject([{ events: ['call.completed'] }]);
	});
});
