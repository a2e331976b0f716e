import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NodeInWorkflow } from '../n8nCore';
import { namesOf, unknownTypeOf } from './catalog';
import { listedUrl } from './endpoints';
import { chosenEvents } from './grammar';
import { isUnusual } from './paging';
import type { Report } from './report';
import type { DrawnService } from './service';
import { credentialOf } from './triggerLife';

/** The address of an endpoint that is nobody's. */
const ELSEWHERE = 'https://crm.example.com/hooks/calls';

/** The action node of a user, at a drawn service. */
export class Operations {
	private constructor(
		private readonly node: NodeInWorkflow,
		private readonly service: DrawnService,
		private readonly report: Report,
	) {}

	static async create(service: DrawnService, report: Report): Promise<Operations> {
		const node = await NodeInWorkflow.create('voiceAgent', {
			credential: credentialOf(service),
		});
		return new Operations(node, service, report);
	}

	/** Takes the service through all operations, and checks what the user gets. */
	async all(): Promise<void> {
		await this.keys();
		await this.eventTypes();
		await this.webhooks();
	}

	/** Lists the webhooks: all are there, and no token of a trigger is shown. */
	async listWebhooks(): Promise<void> {
		const { drawn, removed } = this.service;
		const endpoints = [...this.service.endpoints, ...removed.endpoints];
		const items = await this.list(
			{ resource: 'webhook', operation: 'getAll' },
			endpoints.map(({ id }) => String(id)),
		);
		for (const item of items) {
			const endpoint = endpoints.find(({ id }) => isSame(id, item.id))!;
			assert.ok(!written(item.url).includes(tokenOf(endpoint.url)), 'no token is shown');
			assert.equal(
				withoutToken(item.url),
				withoutToken(listedUrl(drawn, endpoint.url)),
				'a listed webhook has its url, as the service shows it',
			);
		}
	}

	private async keys(): Promise<void> {
		const { service } = this;
		const scopes = ['calls:read', 'billing:write'];
		const [created] = await this.run({
			resource: 'apiKey',
			operation: 'create',
			name: 'CRM sync',
			scopes,
		});
		const kept = service.keys.at(-1)!;
		assert.equal(kept.name, 'CRM sync');
		assert.deepEqual(kept.scopes, scopes);
		assert.equal(created?.key, kept.key, 'the value of a created key is in the output, as "key"');
		assert.equal(written(created?.id), String(kept.id), 'a created key has its id');
		assert.equal(created?.name, 'CRM sync', 'a created key has its name');

		service.addKey('Third', ['calls:read']);
		const keys = [...service.keys, ...service.removed.keys];
		const items = await this.list(
			{ resource: 'apiKey', operation: 'getAll' },
			keys.map(({ id }) => String(id)),
		);
		const some = await this.run({
			resource: 'apiKey',
			operation: 'getAll',
			returnAll: false,
			limit: 2,
		});
		assert.deepEqual(some, items.slice(0, 2), 'a limit gives the first of the list');
		for (const item of items) {
			const { name, key, scopes: held } = keys.find(({ id }) => isSame(id, item.id))!;
			assert.equal(item.name, name, 'a listed key has its name');
			assert.deepEqual(item.scopes, held, 'a listed key has its scopes');
			assert.equal(item.prefix, key.slice(0, 13), 'a listed key has its prefix');
		}

		const apiKeyId = { mode: 'id', value: String(kept.id) };
		const revoked = await this.run({ resource: 'apiKey', operation: 'revoke', apiKeyId });
		assert.deepEqual(revoked, [{ deleted: true }]);
		assert.ok(!service.keys.includes(kept), 'a revoked key is gone');
		await this.refuses({ resource: 'apiKey', operation: 'revoke', apiKeyId }, apiKeyId.value);
	}

	private async eventTypes(): Promise<void> {
		const types = await this.run({ resource: 'webhook', operation: 'getEventTypes' });
		const names = namesOf(this.service.drawn);
		assert.deepEqual(
			types.map(({ name }) => name).sort(),
			[...names].sort(),
			'the catalog offers every event type, and nothing else',
		);
		const offered = await this.node.loadOptions('getEventTypes');
		assert.deepEqual(
			(offered as Array<{ value: string }>).map(({ value }) => value).sort(),
			[...names].sort(),
			'the editor offers every event type',
		);
	}

	private async webhooks(): Promise<void> {
		const { service } = this;
		const unknown = unknownTypeOf(service.drawn);
		const before = service.endpoints.length;
		await this.fails(
			{ resource: 'webhook', operation: 'create', url: ELSEWHERE, events: [unknown] },
			unknown,
		);
		assert.equal(service.endpoints.length, before, 'nothing is created for an unknown event type');

		const events = chosenEvents(service.drawn, 'choice');
		const url = `${ELSEWHERE}?key=${randomUUID()}`;
		const [created] = await this.run({ resource: 'webhook', operation: 'create', url, events });
		const kept = service.endpoints.at(-1)!;
		assert.equal(kept.url, url);
		assert.deepEqual(kept.events ?? [], events, 'the created endpoint has the chosen events');
		assert.equal(written(created?.id), String(kept.id), 'a created webhook has its id');
		service.catchUp();

		await this.listWebhooks();
		await this.offersWebhooks();

		const webhookId = { mode: 'id', value: String(kept.id) };
		await this.list(
			{ resource: 'webhook', operation: 'getDeliveries', webhookId },
			service.attemptsOf(kept.id).map(({ eventId }) => eventId),
			(item) => written(item.event_id),
		);
		const crowd = this.crowd();
		for (let n = 0; n < crowd; n++) service.log(kept.id, n % 2 ? 200 : 500);
		await this.run({ resource: 'webhook', operation: 'test', webhookId });
		assert.equal(service.attemptsOf(kept.id).length, crowd + 1, 'one sample was sent');
		await this.list(
			{ resource: 'webhook', operation: 'getDeliveries', webhookId },
			service.attemptsOf(kept.id).map(({ eventId }) => eventId),
			(item) => written(item.event_id),
		);
		await this.check(kept.id);

		const deleted = await this.run({ resource: 'webhook', operation: 'delete', webhookId });
		assert.deepEqual(deleted, [{ deleted: true }]);
		assert.ok(!service.endpoints.includes(kept), 'a deleted webhook is gone');
		await this.refuses({ resource: 'webhook', operation: 'delete', webhookId }, webhookId.value);
		service.catchUp();
	}

	/** Checks a webhook: nothing is said to be well or wrong that is not. */
	private async check(id: string | number): Promise<void> {
		const attempts = this.service.attemptsOf(id);
		const checks = { resource: 'webhook', operation: 'check' };
		const webhookId = { mode: 'id', value: String(id) };
		const [one] = await this.run({ ...checks, allWebhooks: false, webhookId });
		const all = await this.run(checks);
		const same = all.find((item) => isSame(item.id, String(id)));
		assert.ok(same ?? all.some((item) => item.id === null), 'the check leaves none out unsaid');
		for (const item of [one, same]) {
			if (!item) continue;
			const what = `the check of a webhook says ${written(item.summary)}`;
			const failed = attempts.filter(({ status }) => status >= 300).length;
			assert.ok(item.ok !== true || failed === 0, `${what}, and ${failed} deliveries failed`);
			assert.ok(item.ok !== false || failed > 0, `${what}, and all deliveries arrived`);
			const isWhole = item.logged === attempts.length && item.failed === failed;
			assert.ok(isWhole || item.ok !== true, `${what}, and counts ${written(item.logged)}`);
			assert.ok(isWhole || isUnusual(this.service.drawn), `${what}, though all could be counted`);
		}
	}

	/** How many records of a kind the workspace has beside those of the test. */
	crowd(): number {
		const { crowd, paging } = this.service.drawn;
		const size = paging.kind === 'none' ? 3 : paging.size;
		switch (crowd.kind) {
			case 'none':
				return 0;
			case 'few':
				return 2;
			case 'pageful':
				return size;
			case 'more':
				return size + crowd.by;
		}
	}

	private async offersWebhooks(): Promise<void> {
		const offered = await this.node.listSearch('searchWebhooks');
		const ids = this.service.endpoints.map(({ id }) => String(id));
		const isMissing = !isUnusual(this.service.drawn) && ids.length > offered.length;
		assert.ok(!isMissing, 'the picker offers every webhook');
	}

	/** Runs an operation that lists: every entry once, or the user is told that there are more. */
	private async list(
		parameters: INodeParameters,
		expected: string[],
		nameOf = (item: IDataObject) => written(item.id),
	): Promise<IDataObject[]> {
		const { drawn } = this.service;
		const items = await this.run({ ...parameters, returnAll: true });
		const names = items.map(nameOf);
		const what = `${written(parameters.resource)} ${written(parameters.operation)}`;
		assert.equal(new Set(names).size, names.length, `${what}: no entry twice, of ${names.join()}`);
		const strangers = names.filter((name) => !expected.includes(name));
		assert.deepEqual(strangers, [], `${what}: nothing but the list's entries`);
		const isWhole = names.length === expected.length;
		const isTold = this.node.hints.length > 0;
		const found = `${names.length} of ${expected.length}`;
		assert.ok(isWhole || isTold, `${what}: ${found} entries pass for the whole list`);
		assert.ok(isWhole || isUnusual(drawn), `${what}: ${found} entries, though more could be read`);
		assert.ok(
			!isTold || !isWhole || drawn.lastPage.kind === 'backToFirst',
			`${what}: the whole list is said to be a part: ${this.node.hints.join()}`,
		);
		const count = (this.report.lists[drawn.paging.kind] ??= { whole: 0, told: 0 });
		count[isWhole ? 'whole' : 'told']++;
		assert.ok(!JSON.stringify(items).includes(this.service.apiKey), 'the API key stays secret');
		return items;
	}

	/** Runs an operation on the id of nothing. */
	private async refuses(parameters: INodeParameters, id: string): Promise<void> {
		if (this.service.drawn.unknownId.kind === 'idempotent') await this.run(parameters);
		else await this.fails(parameters, id);
	}

	/** Runs an operation that has to fail, with an error that names what is wrong. */
	private async fails(parameters: INodeParameters, name: string): Promise<void> {
		const error = await this.run(parameters).then(
			() => undefined,
			(thrown: Error) => thrown,
		);
		const what = `${written(parameters.resource)} ${written(parameters.operation)}`;
		assert.ok(error, `${what} with the unknown ${name} is an error`);
		// What the catalog may have more of, only the service can tell.
		if (this.service.drawn.lastPage.kind === 'backToFirst') return;
		assert.ok(error.message.includes(name), `${what} names the unknown ${name}: ${error.message}`);
	}

	private async run(parameters: INodeParameters): Promise<IDataObject[]> {
		this.report.operations++;
		this.node.parameters = parameters;
		return (await this.node.execute()).map(({ json }) => json);
	}
}

const TOKEN = /(?<=voice_agent_token=)[^&]+/;

const tokenOf = (url: string) => TOKEN.exec(url)?.[0] ?? 'no token';

function withoutToken(url: unknown): unknown {
	return typeof url === 'string' ? url.replace(TOKEN, '') : url;
}

/** A text or a number as text; what is neither, as JSON. */
function written(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function isSame(one: unknown, other: unknown): boolean {
	return written(one) === written(other);
}
