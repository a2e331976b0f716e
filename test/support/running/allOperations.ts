import { strict as assert } from 'node:assert';
import type { IDataObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import { effectivePaging } from '../../../sandbox/dialects';
import type { Sandbox } from '../../../sandbox/service';
import { tokenOf } from '../service/callbackTokens';
import { skipTime } from '../time/clock';
import type { NodeInWorkflow } from '../n8n/core';
import type { PairedService } from '../service/pairedServices';

/** Longer than the delay of any list. */
const SETTLING_MS = 10_000;

/** Runs the action node with a service. */
export class AllOperations {
	constructor(
		private readonly node: NodeInWorkflow,
		private readonly sandbox: Sandbox,
		private readonly service: PairedService,
	) {}

	/** Runs every operation. @throws an AssertionError that names the broken invariant */
	async runAll(url: string, types: string[]): Promise<void> {
		await this.keys();
		const catalog = await this.run({ resource: 'webhook', operation: 'getEventTypes' });
		const isGroup = (name: string) => name === '*' || name.endsWith('.*');
		const names = catalog.map(({ name }) => name as string).filter((name) => !isGroup(name));
		const isIncomplete = effectivePaging(this.service) === 'silent' && types.length > names.length;
		const expected = isIncomplete ? types.filter((type) => names.includes(type)) : types;
		assert.deepEqual(names.sort(), [...expected].sort(), 'the catalog has each event type once');
		if (isIncomplete) assert.ok(this.node.hints.length > 0, 'an incomplete catalog has a hint');
		await this.webhooks(url, types[0]!);
	}

	/** Checks that the list has all webhooks, without callback tokens. */
	async listWebhooks(): Promise<void> {
		skipTime(SETTLING_MS);
		const endpoints = this.sandbox.endpoints();
		const items = await this.list(
			{ resource: 'webhook', operation: 'getAll' },
			endpoints.map(({ id }) => id),
		);
		for (const { url } of endpoints) {
			const token = tokenOf(url);
			assert.ok(!token || !JSON.stringify(items).includes(token), 'no callback token is shown');
		}
	}

	private async keys(): Promise<void> {
		const { sandbox } = this;
		const scopes = ['calls:read', 'billing:write'];
		const parameters = { resource: 'apiKey', operation: 'create', name: 'CRM sync', scopes };
		const [created] = await this.run(parameters);
		const kept = sandbox.keys().at(-1)!;
		const { key, ...record } = created as IDataObject & { key: string };
		assert.deepEqual(
			{ id: record.id, name: record.name, scopes: record.scopes, prefix: record.prefix },
			{ id: kept.id, name: 'CRM sync', scopes, prefix: kept.prefix },
			'a created key has its id and fields',
		);
		assert.ok(key.startsWith(kept.prefix) && key.length > 40, 'a created key has its value');
		const items = await this.list(
			{ resource: 'apiKey', operation: 'getAll' },
			sandbox.keys().map(({ id }) => id),
		);
		assert.ok(!JSON.stringify(items).includes(key), 'the list contains no value of a key');
		for (const item of items) {
			const { name, prefix } = sandbox.keys().find(({ id }) => id === item.id)!;
			assert.deepEqual([item.name, item.prefix], [name, prefix], 'a listed key has its fields');
		}
		const limited = { resource: 'apiKey', operation: 'getAll', returnAll: false, limit: 2 };
		assert.deepEqual(await this.run(limited), items.slice(0, 2), 'a limit returns the first keys');
		const apiKeyId = { mode: 'id', value: kept.id };
		const revoke = { resource: 'apiKey', operation: 'revoke', apiKeyId };
		assert.deepEqual(await this.run(revoke), [{ deleted: true }]);
		assert.ok(!sandbox.keys().some(({ id }) => id === kept.id), 'a revoked key is gone');
		await this.expectError(revoke, kept.id, `There is no API key with the ID ${kept.id}`);
	}

	private async webhooks(url: string, type: string): Promise<void> {
		const { sandbox } = this;
		const create = { resource: 'webhook', operation: 'create', url };
		const before = sandbox.endpoints().length;
		await this.expectError({ ...create, events: ['fax.arrived'] }, 'fax.arrived');
		assert.equal(sandbox.endpoints().length, before, 'no webhook of an unknown type is created');
		const [created] = await this.run({ ...create, events: [type] });
		const kept = sandbox.endpoints().at(-1)!;
		assert.deepEqual([kept.url, kept.events], [url, [type]], 'the webhook has its fields');
		assert.equal(created?.id, kept.id, 'a created webhook has its id');
		await this.listWebhooks();

		const webhookId = { mode: 'id', value: kept.id };
		const options = { simplify: false };
		const one = { allWebhooks: false, webhookId };
		const getDeliveries = { resource: 'webhook', operation: 'getDeliveries', ...one, options };
		const logged = () => sandbox.deliveriesOf(kept.id).map(({ id }) => id);
		await this.list(getDeliveries, logged(), true);
		await this.run({ resource: 'webhook', operation: 'test', webhookId });
		await sandbox.settled();
		assert.equal(logged().length, 1, 'one sample is sent');
		for (let n = 0; n < this.service.otherRecords; n++) await sandbox.deliver(kept.id, type, {});
		const [delivery] = await this.list(getDeliveries, logged(), true);
		const { time } = delivery?.deliveryDetails as IDataObject;
		assert.equal(time, sandbox.deliveriesOf(kept.id)[0]?.attempted_at, 'a delivery has its time');
		assert.match(JSON.stringify(delivery), /"response_status":404/, 'a record is unchanged');

		const check = { resource: 'webhook', operation: 'check', ...one };
		const [checked] = await this.run(check);
		assert.deepEqual(
			[checked?.ok, (checked?.problems as IDataObject[]).map(({ what }) => what)],
			[false, ['Nothing is at this URL (status 404).']],
			'a check finds the failed deliveries',
		);
		const remove = { resource: 'webhook', operation: 'delete', webhookId };
		assert.deepEqual(await this.run(remove), [{ deleted: true }]);
		assert.ok(!sandbox.endpoints().some(({ id }) => id === kept.id), 'a deleted webhook is gone');
		await this.expectError(remove, kept.id, `There is no webhook with the ID ${kept.id}`);
		skipTime(SETTLING_MS);
	}

	/** Runs a list operation, and checks that it returns each record once, or a hint that some are missing. */
	private async list(parameters: INodeParameters, expected: string[], isLog = false) {
		const items = await this.run({ ...parameters, returnAll: true });
		const what = titleOf(parameters);
		const present = items.filter(({ status }) => status !== 'deleted');
		const shown = present.map(({ id }) => id as string);
		assert.equal(new Set(shown).size, shown.length, `${what} returns each record once`);
		const unknown = shown.filter((id) => !expected.includes(id));
		assert.deepEqual(unknown, [], `${what} returns existing records only`);
		const isComplete = shown.length === expected.length;
		const found = `${shown.length} of ${expected.length} records`;
		assert.ok(isComplete || this.node.hints.length > 0, `${what}: ${found} without a hint`);
		const isReadable = effectivePaging(this.service) !== 'silent';
		assert.ok(isComplete || !isReadable, `${what}: ${found}, although all pages can be read`);
		assert.ok(
			!isReadable || this.node.hints.length === 0,
			`${what}: a hint beside a complete list: ${this.node.hints.join()}`,
		);
		assert.ok(isLog || !JSON.stringify(items).includes(this.node.credential.apiKey));
		return items;
	}

	/** Runs an operation, and checks that its error contains the name and the message. */
	private async expectError(parameters: INodeParameters, name: string, message = name) {
		const error = await this.run(parameters).then(
			() => undefined,
			(thrown: NodeApiError) => thrown,
		);
		const what = `${titleOf(parameters)} of ${name}`;
		assert.ok(error, `${what} fails`);
		const text = `${error.message} ${error.description}`;
		assert.ok(text.includes(name), `the error of ${what} names it: ${text}`);
		assert.ok(text.includes(message), `the error contains ${message}: ${text}`);
	}

	private async run(parameters: INodeParameters): Promise<IDataObject[]> {
		this.node.parameters = parameters;
		return (await this.node.execute()).map(({ json }) => json);
	}
}

function titleOf({ resource, operation }: INodeParameters): string {
	return `${resource as string} ${operation as string}`;
}
