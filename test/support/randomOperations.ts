import { strict as assert } from 'node:assert';
import type { IDataObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import { effectivePaging } from '../../sandbox/dialects';
import type { Sandbox } from '../../sandbox/service';
import { skipTime } from './lifecycleFaults';
import { NodeInWorkflow, type CredentialData } from './n8nCore';
import type { RandomService } from './randomServices';

/** Longer than any list is behind. */
const SETTLING_MS = 10_000;

/** The action node of a user at a random service. */
export class RandomOperations {
	private constructor(
		private readonly node: NodeInWorkflow,
		private readonly sandbox: Sandbox,
		private readonly service: RandomService,
	) {}

	static async create(credential: CredentialData, sandbox: Sandbox, service: RandomService) {
		const node = await NodeInWorkflow.create('voiceAgent', { credential });
		return new RandomOperations(node, sandbox, service);
	}

	/** Runs every operation. @throws an AssertionError for a promise that does not hold */
	async all(url: string, types: string[]): Promise<void> {
		await this.keys();
		const catalog = await this.run({ resource: 'webhook', operation: 'getEventTypes' });
		const isGroup = (name: string) => name === '*' || name.endsWith('.*');
		const names = catalog.map(({ name }) => name as string).filter((name) => !isGroup(name));
		const isPart = effectivePaging(this.service) === 'silent' && types.length > names.length;
		const expected = isPart ? types.filter((type) => names.includes(type)) : types;
		assert.deepEqual(names.sort(), [...expected].sort(), 'the catalog has each event type once');
		if (isPart) assert.ok(this.node.hints.length > 0, 'an incomplete catalog has a hint');
		await this.webhooks(url, types[0]!);
	}

	/** Lists the webhooks: all of them, without callback tokens. */
	async listWebhooks(): Promise<void> {
		const endpoints = this.sandbox.endpoints();
		const items = await this.list(
			{ resource: 'webhook', operation: 'getAll' },
			endpoints.map(({ id }) => id),
		);
		for (const { url } of endpoints) {
			const token = new URL(url).searchParams.get('voice_agent_token');
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
		assert.ok(!JSON.stringify(items).includes(key), 'a list shows no value of a key');
		for (const item of items) {
			const { name, prefix } = sandbox.keys().find(({ id }) => id === item.id)!;
			assert.deepEqual([item.name, item.prefix], [name, prefix], 'a listed key has its fields');
		}
		const limited = { resource: 'apiKey', operation: 'getAll', returnAll: false, limit: 2 };
		assert.deepEqual(await this.run(limited), items.slice(0, 2), 'a limit gives the first ones');
		const apiKeyId = { mode: 'id', value: kept.id };
		const revoke = { resource: 'apiKey', operation: 'revoke', apiKeyId };
		assert.deepEqual(await this.run(revoke), [{ deleted: true }]);
		assert.ok(!sandbox.keys().some(({ id }) => id === kept.id), 'a revoked key is gone');
		await this.fails(revoke, kept.id, this.missing('API key', kept.id));
	}

	private async webhooks(url: string, type: string): Promise<void> {
		const { sandbox } = this;
		const create = { resource: 'webhook', operation: 'create', url };
		const before = sandbox.endpoints().length;
		await this.fails({ ...create, events: ['fax.arrived'] }, 'fax.arrived');
		assert.equal(sandbox.endpoints().length, before, 'no webhook of an unknown type is created');
		const [created] = await this.run({ ...create, events: [type] });
		const kept = sandbox.endpoints().at(-1)!;
		assert.deepEqual([kept.url, kept.events], [url, [type]], 'the webhook has its fields');
		assert.equal(created?.id, kept.id, 'a created webhook has its id');
		skipTime(SETTLING_MS);
		await this.listWebhooks();

		const webhookId = { mode: 'id', value: kept.id };
		const getDeliveries = { resource: 'webhook', operation: 'getDeliveries', webhookId };
		const logged = () => sandbox.deliveriesOf(kept.id).map(({ id }) => id);
		await this.list(getDeliveries, logged(), true);
		await this.run({ resource: 'webhook', operation: 'test', webhookId });
		await sandbox.settled();
		assert.equal(logged().length, 1, 'one sample is sent');
		for (let n = 0; n < this.service.crowd; n++) await sandbox.deliver(kept.id, type, {});
		const [delivery] = await this.list(getDeliveries, logged(), true);
		assert.match(JSON.stringify(delivery), /"response_status":404/, 'a record is as it was sent');

		const check = { resource: 'webhook', operation: 'check', allWebhooks: false, webhookId };
		const [checked] = await this.run(check);
		assert.deepEqual(
			[checked?.ok, (checked?.problems as IDataObject[]).map(({ what }) => what)],
			[false, ['Nothing is at this URL (status 404).']],
			'a check finds the failed deliveries',
		);
		const remove = { resource: 'webhook', operation: 'delete', webhookId };
		assert.deepEqual(await this.run(remove), [{ deleted: true }]);
		assert.ok(!sandbox.endpoints().some(({ id }) => id === kept.id), 'a deleted webhook is gone');
		await this.fails(remove, kept.id, this.missing('webhook', kept.id));
		skipTime(SETTLING_MS);
	}

	/** Runs an operation that lists: each record once, or a hint that there are more. */
	private async list(
		parameters: INodeParameters,
		expected: string[],
		isLog = false,
	): Promise<IDataObject[]> {
		const items = await this.run({ ...parameters, returnAll: true });
		const what = titleOf(parameters);
		const present = items.filter(({ status }) => status !== 'deleted');
		const shown = present.map(({ id }) => id as string);
		assert.equal(new Set(shown).size, shown.length, `${what}: each record once`);
		const invented = shown.filter((id) => !expected.includes(id));
		assert.deepEqual(invented, [], `${what}: no record is invented`);
		const isWhole = shown.length === expected.length;
		const found = `${shown.length} of ${expected.length} records`;
		assert.ok(isWhole || this.node.hints.length > 0, `${what}: ${found} pass for the whole list`);
		const isReadable = effectivePaging(this.service) !== 'silent';
		assert.ok(isWhole || !isReadable, `${what}: ${found}, though all can be read`);
		assert.ok(
			!isReadable || this.node.hints.length === 0,
			`${what}: the whole list is said to be incomplete: ${this.node.hints.join()}`,
		);
		assert.ok(isLog || !JSON.stringify(items).includes(this.node.credential.apiKey));
		return items;
	}

	/** The message for an id that the service does not have. */
	private missing(what: string, id: string): string {
		const isSaid = this.service.unknownId === 'not ok';
		return isSaid ? 'not_found' : `There is no ${what} with the ID ${id}`;
	}

	/** Runs an operation that has to fail with an error that names the cause. */
	private async fails(parameters: INodeParameters, name: string, message = name): Promise<void> {
		const error = await this.run(parameters).then(
			() => undefined,
			(thrown: NodeApiError) => thrown,
		);
		const what = `${titleOf(parameters)} of ${name}`;
		assert.ok(error, `${what} is an error`);
		const text = `${error.message} ${error.description}`;
		assert.ok(text.includes(name), `${what} is named: ${text}`);
		assert.ok(text.includes(message), `${message} is the error: ${text}`);
	}

	private async run(parameters: INodeParameters): Promise<IDataObject[]> {
		this.node.parameters = parameters;
		return (await this.node.execute()).map(({ json }) => json);
	}
}

function titleOf({ resource, operation }: INodeParameters): string {
	return `${resource as string} ${operation as string}`;
}
