import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { skippedTime, skipTime } from '../lifecycleFaults';
import { NodeInWorkflow } from '../n8nCore';
import { N8nLifecycle, type Method } from '../n8nLifecycle';
import type { Acknowledgement } from './service';
import { holds, typesOf, unknownTypeOf } from './catalog';
import { isTypeHidden, makeDelivery, sizeOfBatch, type SentDelivery } from './deliveries';
import { showsToken } from './endpoints';
import { chosenEvents } from './grammar';
import { isSilent } from './paging';
import { receive, type Outcome } from './receive';
import type { Report } from './report';
import type { DrawnService, Endpoint } from './service';

const TOKEN = 'voice_agent_token';
const newToken = () => randomBytes(32).toString('base64url');

/** Longer than any list lags, and than what keeps the node from looking up a token twice. */
const SETTLING_MS = 10_000;

/** What has to become of an event. */
type Fate = 'runs' | 'is ignored' | 'either';

/** A trigger of a user, in an n8n, at a drawn service. */
export class TriggerLife {
	private readonly lifecycle: N8nLifecycle;

	/** What n8n had stored before the call that is under way. */
	private database: IDataObject = {};

	/** Where a delivery arrives while `create` runs, in another process than that. */
	private readonly beside: NodeInWorkflow;

	private isCreating = false;

	private readonly whileCreating: Array<{ delivery: SentDelivery; outcome: Outcome }> = [];

	private readonly samples: Array<{ delivery: SentDelivery; outcome: Outcome }> = [];

	private events: string[] = [];

	/** Whether static data was lost since the last publish: the catalog's names with it. */
	private isLost = false;

	private made = 0;

	private readonly foreign: Endpoint[];

	private constructor(
		private readonly node: NodeInWorkflow,
		beside: NodeInWorkflow,
		private readonly service: DrawnService,
		private readonly report: Report,
	) {
		this.beside = Object.assign(beside, {
			workflowId: node.workflowId,
			webhookId: node.webhookId,
		});
		this.lifecycle = new N8nLifecycle(node, async (method, test) => await this.call(method, test));
		this.foreign = this.addNeighbours();
		service.isOurs = (url) => this.isProduction(url) || this.isTest(url);
		service.send = async (url, delivery) => await this.take(url, delivery);
	}

	static async create(service: DrawnService, report: Report): Promise<TriggerLife> {
		const options = {
			credential: {
				baseUrl: service.baseUrl,
				apiKey: service.apiKey,
				authHeader: service.drawn.authHeader.kind,
			},
		};
		const node = await NodeInWorkflow.create('voiceAgentTrigger', options);
		const beside = await NodeInWorkflow.create('voiceAgentTrigger', options);
		return new TriggerLife(node, beside, service, report);
	}

	/** Listens for a test event, and gets the sample. */
	async listen(): Promise<void> {
		await this.choose('choice', 'sample');
		await this.lifecycle.toggleListener();
		assert.equal(this.ours(true).length, 1, 'an open listener has one endpoint');
		await this.until(() => this.samples.length > 0);
		this.settle();
		const sample = this.samples.pop();
		assert.ok(sample, 'a sample is asked for');
		this.checkItems(sample.delivery.events, sample.outcome, 'the sample of a listener');
		await this.lifecycle.toggleListener();
		assert.deepEqual(this.ours(true), [], 'a closed listener leaves no endpoint');
		this.settle();
	}

	/** Publishes, beside what an earlier life of the trigger has left. */
	async publish(): Promise<void> {
		this.leaveBehind();
		await this.choose('choice', 'real');
		await this.publishNow('publish');
		this.checkWhileCreating();
		await this.deliveries();
		await this.stranger();
		await this.sample();
	}

	/** Publishes with the same events, as a start of n8n 1.x does; then with others. */
	async publishAgain(): Promise<void> {
		const [before] = this.ours();
		await this.lifecycle.startAs1x();
		this.settle();
		this.checkEndpoint('a publish of the same');
		if (!isSilent(this.service.drawn)) {
			assert.equal(this.ours()[0]?.id, before?.id, 'an endpoint that fits is adopted');
		}
		await this.choose('laterChoice', 'real');
		await this.publishNow('a publish of other events');
		await this.deliveries();
	}

	/** Loses what n8n had stored, goes on, and publishes once more. */
	async loseStaticData(): Promise<void> {
		this.lifecycle.loseStaticData(true);
		this.isLost = true;
		await this.deliveries();
		await this.stranger();
		await this.lifecycle.startAs1x();
		this.isLost = false;
		this.settle();
		this.checkEndpoint('a publish after static data was lost');
		await this.deliveries();
	}

	/** Unpublishes. */
	async unpublish(): Promise<void> {
		await this.lifecycle.unpublish();
		this.settle();
		assert.deepEqual(this.service.endpoints, this.foreign, 'an unpublish leaves none of ours');
	}

	private async choose(
		choice: 'choice' | 'laterChoice',
		testEvent: 'sample' | 'real',
	): Promise<void> {
		this.events = chosenEvents(this.service.drawn, choice);
		this.node.parameters = this.parameters(testEvent);
		this.beside.parameters = this.node.parameters;
		return Promise.resolve();
	}

	private parameters(testEvent: 'sample' | 'real'): INodeParameters {
		return { events: this.events, options: { testEvent } };
	}

	private async publishNow(what: string): Promise<void> {
		await this.lifecycle.publish(this.parameters('real'));
		this.settle();
		this.checkEndpoint(what);
	}

	/** Lets enough time pass for lists to show what there is, and for every limit. */
	private settle(): void {
		skipTime(SETTLING_MS);
		this.service.catchUp();
	}

	private checkEndpoint(what: string): void {
		const { endpoints } = this.service;
		const ours = this.ours();
		assert.equal(ours.length, 1, `${what} leaves exactly one endpoint of ours`);
		assert.deepEqual(ours[0]!.events ?? [], this.events, `${what}: it has the chosen events`);
		assert.deepEqual(
			endpoints.filter((endpoint) => !ours.includes(endpoint)),
			this.foreign,
			`${what} touches no endpoint of others`,
		);
	}

	/** Calls a lifecycle method for n8n. */
	private async call(method: Method, test: boolean): Promise<boolean> {
		const from = skippedTime();
		this.isCreating = method === 'create';
		try {
			return await this.node.call(method, test);
		} catch (error) {
			// n8n waits a while before it tries again.
			skipTime(2_000);
			throw error;
		} finally {
			this.isCreating = false;
			const spent = skippedTime() - from;
			assert.ok(spent <= 12_000, `${method} keeps within ten seconds, and took ${spent} ms`);
			if (method === 'delete' && !test) this.database = copy(this.node.staticData);
		}
	}

	/** Takes a delivery that the service sends to a URL. */
	private async take(url: string, delivery: SentDelivery): Promise<Acknowledgement> {
		this.report.deliveries++;
		if (this.isTest(url)) {
			this.beside.parameters = this.node.parameters;
			this.beside.staticData = copy(this.lifecycle.listener ?? {});
			const outcome = await receive(this.beside, url, delivery, 'manual');
			if (!this.isCreating) this.samples.push({ delivery, outcome });
			return outcome;
		}
		if (!this.isProduction(url)) return { status: 200, body: delivery.text };
		if (this.isCreating) {
			this.beside.parameters = this.node.parameters;
			this.beside.staticData = copy(this.database);
			const outcome = await receive(this.beside, url, delivery, 'webhook');
			this.whileCreating.push({ delivery, outcome });
			return outcome;
		}
		return await this.receive(url, delivery);
	}

	private async receive(url: string, delivery: SentDelivery): Promise<Outcome> {
		const { lifecycle, node } = this;
		lifecycle.load();
		node.parameters = lifecycle.published ?? node.parameters;
		const outcome = await receive(node, url, delivery, 'webhook');
		lifecycle.save();
		this.database = copy(node.staticData);
		return outcome;
	}

	private checkWhileCreating(): void {
		for (const { delivery, outcome } of this.whileCreating.splice(0)) {
			const { kind } = this.service.drawn.whileCreating;
			assert.equal(outcome.status, 200, `a delivery while create runs (${kind}) is accepted`);
			if (kind === 'chosenEvent') {
				this.checkItems(delivery.events, outcome, 'a chosen event while create runs');
			} else if (kind !== 'ping') {
				assert.deepEqual(outcome.items, [], 'a challenge starts nothing');
			}
		}
	}

	/** Delivers events of chosen, unchosen and unknown types, alone and together. */
	private async deliveries(): Promise<void> {
		const { drawn } = this.service;
		const types = typesOf(drawn);
		const chosen = types.filter((type) => holds(this.events, type));
		const unchosen = types.filter((type) => !holds(this.events, type));
		const unknown = unknownTypeOf(drawn);
		const fates: Array<[string, Fate]> = [
			[chosen[0]!, 'runs'],
			[unchosen[0]!, 'is ignored'],
			[unknown, 'runs'],
			[chosen.at(-1)!, 'runs'],
			[unchosen.at(-1)!, 'is ignored'],
		];
		const known = fates.filter(([type]) => type !== undefined);
		const size = sizeOfBatch(drawn);
		const isAllOfOne = /^(header|cloudEventInHeaders)$/.test(drawn.typePlace.kind);
		for (const [n, one] of known.entries()) {
			const batch = Array.from({ length: size }, (_, index) =>
				isAllOfOne ? one : known[(n + index) % known.length]!,
			);
			await this.deliver(batch, chosen[0]!, unchosen[0]);
		}
	}

	private async deliver(
		events: Array<[type: string, fate: Fate]>,
		chosen: string,
		other: string | undefined,
	): Promise<void> {
		this.report.deliveries++;
		const { url } = this.ours()[0]!;
		const types = events.map(([type]) => type);
		const delivery = makeDelivery(this.service.drawn, types, this.made++, { other, chosen, url });
		skipTime(SETTLING_MS);
		const outcome = await this.receive(url, delivery);
		const sent = `${types.join()} to a trigger of ${this.events.join() || 'every event'}: ${delivery.text} ${JSON.stringify(delivery.headers)}`;
		assert.equal(outcome.status, 200, `a delivery is acknowledged (${sent})`);
		const isUntold = this.isLost || isTypeHidden(this.service.drawn);
		const expected = delivery.events.filter((_, n) => events[n]![1] === 'runs');
		const allowed = isUntold ? delivery.events : expected;
		const items = this.shown(outcome.items);
		const lost = this.shown(expected).filter((event) => !items.includes(event));
		assert.deepEqual(lost, [], `what was chosen or is unknown starts the workflow (${sent})`);
		const extra = items.filter((item) => !this.shown(allowed).includes(item));
		assert.deepEqual(extra, [], `what was not chosen starts nothing (${sent})`);
	}

	private async stranger(): Promise<void> {
		const { url } = this.ours()[0]!;
		const type = chosenEvents(this.service.drawn, 'choice')[0] ?? 'call.completed';
		const delivery = makeDelivery(this.service.drawn, [type], this.made++, { url });
		const without = await this.receive(this.node.webhookUrl(), delivery);
		assert.equal(without.status, 401, 'a stranger without a token is refused');
		assert.deepEqual(without.items, []);
		skipTime(SETTLING_MS);
		const wrong = await this.receive(`${this.node.webhookUrl()}?${TOKEN}=${newToken()}`, delivery);
		assert.deepEqual(wrong.items, [], 'a stranger starts nothing');
		// Where the list can't tell, it may be a token of an API key that was changed.
		const { drawn } = this.service;
		const isToldApart = showsToken(drawn) && drawn.rateLimit.kind === 'none';
		const refusals = isToldApart ? [401] : [401, 503];
		assert.ok(refusals.includes(wrong.status), `a wrong token is refused, not ${wrong.status}`);
		this.report.deliveries += 2;
	}

	/** Has the service send a sample to the published trigger: it is acknowledged. */
	private async sample(): Promise<void> {
		this.settle();
		const { service } = this;
		const [endpoint] = this.ours();
		const response = await fetch(
			`${service.baseUrl}/webhooks/${encodeURIComponent(String(endpoint!.id))}/test`,
			{ method: 'POST', headers: { 'x-api-key': service.apiKey } },
		);
		assert.ok(response.status < 300 || response.status === 429);
		const attempt = service.attemptsOf(endpoint!.id).at(-1);
		if (response.status < 300) assert.equal(attempt?.status, 200, 'a sample is acknowledged');
	}

	private checkItems(events: Array<Record<string, unknown>>, outcome: Outcome, what: string): void {
		assert.equal(outcome.status, 200, `${what} is acknowledged`);
		assert.deepEqual(this.shown(outcome.items), this.shown(events), `${what} starts the workflow`);
	}

	/** Events as text, without what an option adds, and without the token of the URL. */
	private shown(events: Array<Record<string, unknown>>): string[] {
		return events.map((event) => {
			const text = JSON.stringify(sorted({ ...event, callDetails: undefined }));
			return text.replace(new RegExp(`(${TOKEN}=)[\\w-]{43}`, 'g'), '$1***');
		});
	}

	/** Leaves an endpoint of the trigger as an earlier life of it may have, whose token is unknown. */
	private leaveBehind(): void {
		const { service } = this;
		const { kind } = service.drawn.leftBehind;
		const address = this.node.webhookUrl();
		const events = chosenEvents(service.drawn, 'choice');
		const subscribed = events.length > 0 ? events : undefined;
		if (kind === 'withoutQuery') service.addEndpoint(address, subscribed);
		if (kind === 'withToken' || kind === 'fillingTheLimit') {
			service.addEndpoint(`${address}?${TOKEN}=${newToken()}`, subscribed);
		}
		if (kind === 'fillingTheLimit') service.limit = service.endpoints.length;
		service.catchUp();
	}

	/** Adds endpoints of others, one of them in everything but one thing like ours. */
	private addNeighbours(): Endpoint[] {
		const { service } = this;
		const url = this.node.webhookUrl();
		const neighbours = {
			none: undefined,
			sibling: url.replace(/[\da-f-]{36}/, '11111111-2222-4333-8444-555555555555'),
			otherHost: url.replace('n8n.', 'other.'),
			below: `${url}/more`,
		};
		const neighbour = neighbours[service.drawn.neighbour.kind];
		if (neighbour) service.addEndpoint(`${neighbour}?${TOKEN}=${newToken()}`);
		service.catchUp();
		return [...service.endpoints];
	}

	private ours(test = false): Endpoint[] {
		const isOurs = (url: string) => (test ? this.isTest(url) : this.isProduction(url));
		return this.service.endpoints.filter(({ url }) => isOurs(url));
	}

	private isProduction(url: string): boolean {
		return url.split('?')[0] === this.node.webhookUrl();
	}

	private isTest(url: string): boolean {
		return url.split('?')[0] === this.node.webhookUrl(true);
	}

	/** Waits for what is under way in the background. */
	private async until(isDone: () => boolean): Promise<void> {
		for (let rounds = 0; rounds < 200 && !isDone(); rounds++) {
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
	}
}

/** A copy whose keys stand in one order. */
function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.sort(([one], [other]) => (one < other ? -1 : 1))
			.map(([key, held]) => [key, sorted(held)]),
	);
}

/** A copy as the database gives it back: JSON. */
function copy(staticData: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}
