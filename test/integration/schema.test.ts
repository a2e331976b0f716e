import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/service';
import { sampleData } from '../../sandbox/service/events';
import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { readDeliveryDetails } from '../../nodes/VoiceAgent/deliveryLog/deliveryDetails';
import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { withCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { deliveryRecords } from '../support/deliveryRecords';
import { NodeInWorkflow } from '../support/n8nCore';

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
}

const schemaOf = (name: string) =>
	JSON.parse(
		readFileSync(path.resolve(__dirname, `../../nodes/VoiceAgent/__schema__/${name}.json`), 'utf8'),
	) as Schema;

/** The fields that the editor offers before the first run, as dotted paths. */
const fieldsOf = (schema: Schema, at = ''): string[] =>
	Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
		at + name,
		...fieldsOf(field, `${at}${name}.`),
	]);

const isIn = (item: unknown, field: string) =>
	field.split('.').every((name) => {
		const has = typeof item === 'object' && item !== null && name in item;
		item = has ? (item as IDataObject)[name] : undefined;
		return has;
	});

/** The fields of an item, each with its type. Objects without properties in the schema are not entered. */
const typesIn = (value: unknown, schema?: Schema, at = ''): Array<[string, string]> =>
	Object.entries(schema?.properties ? (value as IDataObject) : {}).flatMap(([name, entry]) => {
		const type = entry === null ? 'null' : Array.isArray(entry) ? 'array' : typeof entry;
		const below = typesIn(entry, schema?.properties?.[name], `${at}${name}.`);
		return [[at + name, type] as [string, string], ...below];
	});

const schemaAt = (schema: Schema, field: string) =>
	field.split('.').reduce<Schema | undefined>((within, name) => within?.properties?.[name], schema);

/** Expects every field of the details in the schema, with its type. n8n shows the first of several types. */
function expectComplete(schema: Schema, name: string, details: unknown) {
	const types = typesIn({ [name]: details }, schema);
	expect(types.map(([field]) => field)).toEqual(fieldsOf(schema));
	for (const [field, type] of types) {
		const stated = [schemaAt(schema, field)?.type ?? []].flat();
		expect({ field, stated: stated.includes(type) ? type : stated }).toEqual({
			field,
			stated: type,
		});
		expect(stated[0]).not.toBe('null');
	}
}

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.stop());

const first = async (parameters: IDataObject) => {
	const node = await NodeInWorkflow.create('voiceAgent', {
		parameters: parameters as never,
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey },
	});
	return (await node.execute())[0]?.json ?? {};
};

test('every field that the editor offers before the first run is in the output of the run', async () => {
	const ran: string[] = [];
	const run = async (resource: string, operation: string, more: IDataObject = {}) => {
		const item = await first({ resource, operation, ...more });
		ran.push(`${resource} ${operation}`);
		const fields = fieldsOf(schemaOf(`v1.0.0/${resource}/${operation}`));
		expect(fields.length).toBeGreaterThan(0);
		expect({ operation, missing: fields.filter((field) => !isIn(item, field)) }).toEqual({
			operation,
			missing: [],
		});
		return item;
	};
	const id = (item: IDataObject) => ({ mode: 'id', value: item.id as string });

	await run('apiKey', 'getAll');
	const apiKey = await run('apiKey', 'create', { name: 'CRM sync' });
	await run('apiKey', 'revoke', { apiKeyId: id(apiKey) });
	await run('webhook', 'getEventTypes');
	const url = 'https://127.0.0.1:9/';
	const webhook = await run('webhook', 'create', { url, events: ['call.completed'] });
	await run('webhook', 'getAll');
	await run('webhook', 'test', { webhookId: id(webhook) });
	const delivery = await run('webhook', 'getDeliveries', { webhookId: id(webhook) });
	const schema = schemaOf('v1.0.0/webhook/getDeliveries');
	expectComplete(schema, 'deliveryDetails', delivery.deliveryDetails);
	const one = { allWebhooks: false, webhookId: id(webhook), sendSample: true };
	const { lastDelivery } = await run('webhook', 'check', one);
	const schemaOfCheck = schemaOf('v1.0.0/webhook/check');
	const { properties } = schemaOfCheck;
	expectComplete(
		{ ...schemaOfCheck, properties: { lastDelivery: properties!.lastDelivery! } },
		'lastDelivery',
		lastDelivery,
	);
	await run('webhook', 'delete', { webhookId: id(webhook) });
	const all = Object.entries(operations).flatMap(([resource, named]) =>
		Object.keys(named).map((operation) => `${resource} ${operation}`),
	);
	expect(ran.toSorted()).toEqual(all.toSorted());
});

test('the schema of an event has the call details that the trigger adds', () => {
	const version = new VoiceAgentTrigger().description.version as number;
	const schema = schemaOf(`v${version.toFixed(1)}.0`);
	expect(Object.keys(schema.properties ?? {})).toEqual(['callDetails']);
	const json = withCallDetails({ type: 'call.completed', data: sampleData('call.completed') });
	for (const details of [json.callDetails, withCallDetails({}).callDetails]) {
		expectComplete(schema, 'callDetails', details);
	}
});

test('the schema of delivery details has the type of every value', () => {
	for (const { record } of deliveryRecords) {
		const details = readDeliveryDetails(record, { id: 'we_1' });
		expectComplete(schemaOf('v1.0.0/webhook/getDeliveries'), 'deliveryDetails', details);
	}
});
