import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { type Dialect, namedDialects } from '../../../sandbox/dialects';
import { envelope } from '../../../sandbox/service/envelopes';
import { createEvent, defaultCatalog, sampleData } from '../../../sandbox/service/events';
import { type Feature, features } from '../../../sandbox/stack/features';
import { importMainExample } from '../../../sandbox/stack/example';
import { outputOf } from '../../../sandbox/stack/n8n-api';
import { until } from '../../../sandbox/stack/until';
import { shortened } from '../../compat/needs';
import { startOtherReceiver } from '../../support/others/otherReceiver';
import { publishTrigger } from '../../reliability/publishedTrigger';
import { nodeTypes, request, runActions, service, stack, successes, useService } from '../harness';

/** A receiver other than n8n. */
let other: Server;
beforeAll(async () => {
	other = await startOtherReceiver(stack.certificate);
});
afterAll(() => void other?.close());

/**
 * The assumptions, and the two that depend on how n8n itself sends and receives: headers, empty bodies, media types.
 * The others differ in JSON, which `dialects.test.ts` shows.
 */
const dialects = [
	['assumed', 'authorization'],
	['terse', 'x-api-key'],
	['cloud', 'authorization'],
] as const;

describe.each(shortened(dialects))(
	'with the dialect %s, and the key in %s',
	(dialectName, authHeader) => {
		const dialect: Dialect = namedDialects[dialectName];
		useService(dialect);

		// Promise: The same holds in a real n8n, where a finished call becomes a record for as long as
		// the workflow is published.
		test('a completed call becomes a record while the workflow is published', async () => {
			const { api } = stack.n8n;
			const { sandbox } = service;
			const { workflowId, tableId } = await importMainExample(
				api,
				service.credentials.voiceAgentApi.id,
				`Customers of ${dialectName}`,
			);
			expect(sandbox.endpoints()).toEqual([]);

			await api.publish(workflowId);
			const [endpoint, ...others] = sandbox.endpoints();
			expect(others).toEqual([]);
			expect(endpoint?.events).toEqual(['call.completed']);
			expect(endpoint?.url).toMatch(`${stack.proxy.url}/webhook/`);

			const call = sampleData('call.completed') as { customer: { phone: string; email: string } };
			sandbox.emit('call.completed', call);
			const record = await until('the record', 30, async () =>
				(await api.dataTableRows(tableId)).find((row) => row.phone === call.customer.phone),
			);
			const hasEmail = dialect.payload === 'snake';
			expect(record).toMatchObject({
				name: 'Ada Lovelace',
				...(hasEmail && { email: call.customer.email }),
			});

			// A shorter call also starts later; the example ignores older calls.
			const later = { summary: 'Called again.', duration_seconds: 20 };
			sandbox.emit('call.completed', sampleData('call.completed', later));
			const rows = await until('the record to be updated', 30, async () => {
				const found = await api.dataTableRows(tableId);
				return found.some((row) => row.last_summary === 'Called again.') && found;
			});
			expect(rows).toHaveLength(1);

			await api.unpublish(workflowId);
			expect(sandbox.endpoints()).toEqual([]);
		});

		test('only deliveries of selected event types with the callback token start the workflow', async () => {
			const { sandbox } = service;
			const events = ['call.completed', 'call.failed'];
			const { api } = stack.n8n;
			const workflow = await publishTrigger(api, sandbox, { parameters: { events } });
			const { url, events: registered } = sandbox.endpoints()[0]!;
			expect(registered?.toSorted()).toEqual(events);
			const forged = new URL(url);
			for (const name of forged.searchParams.keys()) forged.searchParams.set(name, 'A'.repeat(43));
			const deliver = async (to: string, type: string) => {
				const { body, headers } = envelope(createEvent(type), dialect);
				return (await request(stack, to, body, headers)).status;
			};
			expect(await deliver(url.split('?')[0] ?? '', 'call.completed')).toBe(401);
			expect(await deliver(forged.href, 'call.completed')).toBe(401);
			expect(await deliver(url, 'call.started')).toBe(200);
			expect((await request(stack, url, { challenge: 'c-1' })).data).toEqual({ challenge: 'c-1' });
			expect((await request(stack, url)).status).toBe(405);
			expect(await deliver(url, 'call.failed')).toBe(200);
			await successes(stack, workflow.workflowId);
			await workflow.unpublish();
			expect(sandbox.endpoints()).toEqual([]);
		});

		test('all operations work', async () => {
			const { api } = stack.n8n;
			const { sandbox } = service;
			const fields = { ...sandbox.credential, authHeader };
			const credentials = await api.newCredentials('voiceAgentApi', fields);
			const seen = sandbox.requests.length;
			const url = `https://localhost:${(other.address() as AddressInfo).port}/hook`;
			const of = (resource: string) => (operation: string, more?: IDataObject) => {
				return { resource, operation, ...more };
			};
			const [ofKeys, ofWebhooks] = [of('apiKey'), of('webhook')];
			const byId = (value: string) => ({ __rl: true, mode: 'id', value });
			const createdKey = byId('={{ $("Create key").first().json.id }}');
			const createdWebhook = byId('={{ $("Create webhook").first().json.id }}');

			const first = await runActions(api, credentials, {
				'Event types': ofWebhooks('getEventTypes'),
				'Create key': ofKeys('create', { name: 'Made', scopes: ['calls:read'] }),
				'List keys': ofKeys('getAll', { returnAll: true }),
				'Revoke key': ofKeys('revoke', { apiKeyId: createdKey }),
				'Create webhook': ofWebhooks('create', { url, events: ['call.completed'] }),
				'List webhooks': ofWebhooks('getAll', { returnAll: true }),
				'Test webhook': ofWebhooks('test', { webhookId: createdWebhook }),
			});
			expect(first.data.resultData.error).toBeUndefined();
			const [webhook] = outputOf(first, 'Create webhook');
			const webhookId = byId(webhook?.id as string);
			expect(sandbox.endpoints()).toEqual([{ id: webhook?.id, url, events: ['call.completed'] }]);
			expect(outputOf(first, 'List webhooks').map(({ id }) => id)).toEqual([webhook?.id]);
			expect(outputOf(first, 'Revoke key')).toEqual([{ deleted: true }]);

			await sandbox.settled();
			const second = await runActions(api, credentials, {
				Deliveries: ofWebhooks('getDeliveries', { allWebhooks: false, webhookId, returnAll: true }),
				'Check webhook': ofWebhooks('check', { allWebhooks: false, webhookId }),
				'Delete webhook': ofWebhooks('delete', { webhookId }),
			});
			expect(second.data.resultData.error).toBeUndefined();
			expect(outputOf(second, 'Deliveries')).toHaveLength(1);
			expect(outputOf(second, 'Check webhook')).toMatchObject([{ id: webhook?.id, ok: false }]);
			expect(sandbox.endpoints()).toEqual([]);
			const sent = sandbox.requests.slice(seen);
			expect(sent.filter(({ headers }) => !(authHeader in headers))).toEqual([]);
		});

		test('the editor offers the event types of the service', async () => {
			const { api } = stack.n8n;
			const { credentials } = service;
			const node = { type: nodeTypes.trigger, parameters: {}, credentials };
			const options = await api.loadOptions(node, 'getEventTypes');
			const [every, ...types] = options.map(({ value }) => value);
			expect([every, options[0]?.name]).toEqual(['*', 'Every Event']);
			// A catalog may have wildcards, too, but no second entry for every event.
			expect(types).not.toContain('*');
			const names = types.filter((name) => !name.endsWith('*'));
			expect(names.toSorted()).toEqual(defaultCatalog.map(({ type }) => type).toSorted());
		});
	},
);

// Promise: Lines of n8n differ only as a table of features says.
test('n8n lacks exactly the features that the table of features lists', async () => {
	const { api } = stack.n8n;
	const types = await api.nodeTypes();
	const detectable = Object.entries<Feature>(features).filter(([, { isAmong }]) => isAmong);
	expect(detectable.length).toBeGreaterThan(1);
	for (const [name, { isAmong, lackedBy }] of detectable) {
		expect([name, isAmong?.(types)]).toEqual([name, !lackedBy.includes(api.line)]);
	}
});
