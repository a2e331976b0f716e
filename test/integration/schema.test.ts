import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/service';
import { sampleData } from '../../sandbox/service/events';
import { NodeInWorkflow } from '../support/n8nCore';

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
}

const schemaOf = (name: string) =>
	JSON.parse(
		readFileSync(path.resolve(__dirname, `../../nodes/VoiceAgent/__schema__/${name}.json`), 'utf8'),
	) as Schema;

/** The fields, with dots, that an item must have for what the editor offers before the first run. */
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
	const run = async (resource: string, operation: string, more: IDataObject = {}) => {
		const item = await first({ resource, operation, ...more });
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
	await run('webhook', 'getDeliveries', { webhookId: id(webhook) });
	await run('webhook', 'delete', { webhookId: id(webhook) });
});

test('so are the fields of a completed call, in the assumed form of the service', () => {
	const event = {
		id: 'evt_1',
		type: 'call.completed',
		created_at: new Date().toISOString(),
		data: sampleData('call.completed'),
	};
	expect(fieldsOf(schemaOf('v1.0.0')).filter((field) => !isIn(event, field))).toEqual([]);
});
