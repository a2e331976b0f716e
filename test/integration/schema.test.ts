import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sampleData } from '../../sandbox/service/events';
import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { readAttempt } from '../../nodes/VoiceAgent/log/attempts';
import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { withCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { deliveryRecords } from '../support/service/deliveryRecords';
import { run, useFailures } from '../support/service/failures';

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
}

const schemaOf = (name: string) =>
	JSON.parse(
		readFileSync(path.resolve(__dirname, `../../nodes/VoiceAgent/__schema__/${name}.json`), 'utf8'),
	) as Schema;

/**
 * Expects that a value has the type and exactly the fields of its schema. n8n shows the first of several
 * types. Objects without properties in the schema are not entered.
 */
function expectComplete(value: unknown, { type, properties }: Schema, at: string): void {
	const types = [type].flat();
	const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
	expect({ at, types }).toEqual({ at, types: expect.arrayContaining([own]) as string[] });
	expect(types[0]).not.toBe('null');
	if (!properties || own !== 'object') return;
	const record = value as IDataObject;
	expect(Object.keys(record)).toEqual(Object.keys(properties));
	for (const [name, field] of Object.entries(properties)) {
		expectComplete(record[name], field, `${at}.${name}`);
	}
}

function expectField(item: object, field: string, schema: string): void {
	const { [field]: ofField } = schemaOf(schema).properties ?? {};
	expectComplete((item as IDataObject)[field], ofField!, field);
}

useFailures();

test('every field that the editor offers before the first run is in the output of the run', async () => {
	const ran: string[] = [];
	const runOnce = async (resource: string, operation: string, more: INodeParameters = {}) => {
		const [{ json: item } = { json: {} }] = await run({ resource, operation, ...more });
		ran.push(`${resource} ${operation}`);
		const name = `v1.0.0/${resource}/${operation}`;
		const fields = Object.keys(schemaOf(name).properties!);
		expect(fields).not.toEqual([]);
		for (const field of fields) expectField(item, field, name);
		return item;
	};
	const id = (item: IDataObject) => ({ mode: 'id', value: item.id as string });

	await runOnce('apiKey', 'getAll');
	const apiKey = await runOnce('apiKey', 'create', { name: 'CRM sync' });
	await runOnce('apiKey', 'revoke', { apiKeyId: id(apiKey) });
	const details = await runOnce('call', 'readDetails');
	expectField(details, 'callDetails', 'v1.0.0/call/readDetails');
	await runOnce('webhook', 'getEventTypes');
	const url = 'https://127.0.0.1:9/';
	const webhook = await runOnce('webhook', 'create', { url, events: ['call.completed'] });
	await runOnce('webhook', 'getAll');
	await runOnce('webhook', 'test', { webhookId: id(webhook) });
	await runOnce('webhook', 'getDeliveries', { allWebhooks: false, webhookId: id(webhook) });
	await runOnce('webhook', 'check', {
		allWebhooks: false,
		webhookId: id(webhook),
		sendSample: true,
	});
	await runOnce('webhook', 'delete', { webhookId: id(webhook) });
	const all = Object.entries(operations).flatMap(([resource, named]) =>
		Object.keys(named).map((operation) => `${resource} ${operation}`),
	);
	// It has two inputs, and a test of its own.
	ran.push('call matchCustomer');
	expect(ran.toSorted()).toEqual(all.toSorted());
});

test('the schema of an event has the call details that the trigger adds', () => {
	const version = new VoiceAgentTrigger().description.version as number;
	const name = `v${version.toFixed(1)}.0`;
	expect(Object.keys(schemaOf(name).properties ?? {})).toEqual(['callDetails']);
	const event = { type: 'call.completed', data: sampleData('call.completed') };
	for (const one of [event, {}]) expectField(withCallDetails(one), 'callDetails', name);
});

test('the schema of Match Customer has the call details, the record and the candidates', () => {
	const name = 'v1.0.0/call/matchCustomer';
	const event = { type: 'call.completed', data: sampleData('call.completed') };
	const matched = {
		record: { id: 1 },
		recordId: 1,
		candidates: [{ id: 1 }],
		reason: 'Ada has it.',
	};
	const item = { ...withCallDetails(event), ...matched };
	for (const field of Object.keys(schemaOf(name).properties!)) expectField(item, field, name);
});

test('the schema of delivery details has the type of every value', () => {
	for (const { record } of deliveryRecords) {
		const deliveryDetails = readAttempt(record, { id: 'we_1' }).details;
		expectField({ deliveryDetails }, 'deliveryDetails', 'v1.0.0/webhook/getDeliveries');
	}
});
