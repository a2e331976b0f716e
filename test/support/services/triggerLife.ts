import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';

import { skipTime } from '../lifecycleFaults';
import type { CredentialData } from '../n8nCore';
import { holds, typesOf, unknownTypeOf } from './catalog';
import {
	isTypeHidden,
	isTypeInHeaders,
	makeDelivery,
	sizeOfBatch,
	type SentDelivery,
} from './deliveries';
import { showsToken } from './endpoints';
import { chosenEvents } from './grammar';
import { TriggerInN8n } from './inN8n';
import { isSilent } from './paging';
import type { Outcome } from './receive';
import type { Endpoint } from './records';
import type { Report } from './report';
import type { Acknowledgement, DrawnService } from './service';
import { secretOf, verificationOf } from './signing';

const TOKEN = 'voice_agent_token';
const newToken = () => randomBytes(32).toString('base64url');

/** Longer than any list lags, and than what keeps the node from looking up a token twice. */
const SETTLING_MS = 10_000;

/** What has to become of an event. */
type Fate = 'runs' | 'is ignored';

/** The life of a user's trigger at a drawn service, and what the user has to get of it. */
export class TriggerLife {
	/** The endpoints of others. */
	private readonly foreign: Endpoint[];

	private events: string[] = [];

	/** Whether static data was lost since the last publish: the catalog's names with it. */
	private isLost = false;

	private made = 0;

	private constructor(
		private readonly n8n: TriggerInN8n,
		private readonly service: DrawnService,
		private readonly report: Report,
	) {
		this.foreign = this.addNeighbours();
		service.isOurs = (url) => n8n.isAt(url, false) || n8n.isAt(url, true);
		service.send = async (url, delivery) => await this.take(url, delivery);
	}

	static async create(service: DrawnService, report: Report): Promise<TriggerLife> {
		return new TriggerLife(await TriggerInN8n.create(credentialOf(service)), service, report);
	}

	/** Listens for a test event, and gets the sample. */
	async listen(): Promise<void> {
		const { lifecycle, atListener } = this.n8n;
		this.choose('choice', 'sample');
		await lifecycle.toggleListener();
		assert.equal(this.ours(true).length, 1, 'an open listener has one endpoint');
		await until(() => atListener.length > 0);
		this.settle();
		const sample = atListener.pop();
		assert.ok(sample, 'a sample is asked for');
		this.checkRun(sample.delivery, sample.outcome, 'the sample of a listener');
		await lifecycle.toggleListener();
		assert.deepEqual(this.ours(true), [], 'a closed listener leaves no endpoint');
		this.checkWhileCreating();
		this.settle();
	}

	/** Publishes, beside what an earlier life of the trigger has left. */
	async publish(): Promise<void> {
		this.leaveBehind();
		const parameters = this.choose('choice', 'real');
		await this.n8n.lifecycle.publish(parameters);
		this.settle();
		this.checkEndpoint('a publish');
		this.checkWhileCreating();
		await this.deliveries();
		await this.stranger();
		await this.sample();
	}

	/** Publishes with the same events, as a start of n8n 1.x does; then with others. */
	async publishAgain(): Promise<void> {
		const [before] = this.ours();
		await this.startAgain('a publish of the same');
		if (!isSilent(this.service.drawn)) {
			assert.equal(this.ours()[0]?.id, before?.id, 'an endpoint that fits is adopted');
		}
		await this.meanwhile();
		const parameters = this.choose('laterChoice', 'real');
		await this.n8n.lifecycle.publish(parameters);
		this.settle();
		this.checkEndpoint('a publish of other events');
		await this.deliveries();
	}

	/** Loses what n8n had stored, goes on, and publishes once more. */
	async loseStaticData(): Promise<void> {
		this.n8n.loseStaticData();
		this.isLost = true;
		if (this.canVerifyWithoutData()) await this.deliveries();
		await this.stranger();
		await this.startAgain('a publish after static data was lost');
		this.isLost = false;
		await this.deliveries();
	}

	/** Unpublishes. */
	async unpublish(): Promise<void> {
		await this.n8n.lifecycle.unpublish();
		this.settle();
		assert.deepEqual(this.service.endpoints, this.foreign, 'an unpublish leaves none of ours');
		assert.equal(this.n8n.tookTooLong, undefined, 'lifecycle calls keep within ten seconds');
	}

	private choose(choice: 'choice' | 'laterChoice', testEvent: 'sample' | 'real'): INodeParameters {
		const { drawn } = this.service;
		this.events = chosenEvents(drawn, choice);
		const options = { testEvent, ...verificationOf(drawn) };
		const parameters = { events: this.events, options } as INodeParameters;
		this.n8n.parameters = parameters;
		return parameters;
	}

	private async startAgain(what: string): Promise<void> {
		await this.n8n.lifecycle.startAs1x();
		this.settle();
		this.checkEndpoint(what);
	}

	/** Lets happen to the endpoint what may. */
	private async meanwhile(): Promise<void> {
		const { service, n8n } = this;
		const { meanwhile } = service.drawn;
		const [ours] = this.ours();
		switch (meanwhile.kind) {
			case 'nothing':
				return;
			case 'removedByHand':
				service.setEndpoints(service.endpoints.filter((endpoint) => endpoint !== ours));
				break;
			case 'disabled':
				ours!.disabled = meanwhile.as;
				service.setEndpoints([...service.endpoints]);
				break;
			case 'keyRotated':
			case 'keyRotatedAndDataLost':
				service.apiKey = `${service.apiKey}rotated`;
				n8n.credential = credentialOf(service);
				if (meanwhile.kind === 'keyRotatedAndDataLost') {
					n8n.loseStaticData();
					this.isLost = true;
				}
				if (!this.isLost || this.canVerifyWithoutData()) await this.deliveries();
		}
		this.settle();
		await this.startAgain(`a publish after ${meanwhile.kind}`);
		this.isLost = false;
		assert.equal(this.ours()[0]!.disabled, undefined, 'a disabled endpoint is registered anew');
		await this.deliveries();
	}

	/** Whether a delivery can be verified when static data is lost, and the endpoint's secret with it. */
	private canVerifyWithoutData(): boolean {
		const { signing, secretPlace } = this.service.drawn;
		return signing.kind === 'none' || secretPlace.kind === 'inDashboard';
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

	/** Takes a delivery that the service sends to a URL. */
	private async take(url: string, delivery: SentDelivery): Promise<Acknowledgement> {
		this.report.deliveries++;
		if (this.n8n.isAt(url, true)) return await this.n8n.takeAtListener(url, delivery);
		if (this.n8n.isAt(url, false)) return await this.n8n.take(url, delivery);
		return { status: 200, body: delivery.text };
	}

	private checkWhileCreating(): void {
		for (const { delivery, outcome } of this.n8n.whileCreating.splice(0)) {
			const { kind } = this.service.drawn.whileCreating;
			assert.equal(outcome.status, 200, `a delivery while create runs (${kind}) is accepted`);
			if (kind === 'chosenEvent') {
				this.checkRun(delivery, outcome, 'a chosen event while create runs');
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
		const fates: Array<[string | undefined, Fate]> = [
			[chosen[0], 'runs'],
			[unchosen[0], 'is ignored'],
			[unknownTypeOf(drawn), 'runs'],
			[chosen.at(-1), 'runs'],
			[unchosen.at(-1), 'is ignored'],
		];
		const known = fates.filter((one): one is [string, Fate] => one[0] !== undefined);
		for (const [n, one] of known.entries()) {
			const batch = Array.from({ length: sizeOfBatch(drawn) }, (_, index) =>
				isTypeInHeaders(drawn) ? one : known[(n + index) % known.length]!,
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
		const { drawn } = this.service;
		const endpoint = this.ours()[0]!;
		const types = events.map(([type]) => type);
		const mentions = { other, chosen, url: endpoint.url };
		const delivery = makeDelivery(drawn, types, this.made++, mentions);
		skipTime(SETTLING_MS);
		const outcome = await this.n8n.take(endpoint.url, this.service.signed(endpoint, delivery));
		const sent = `${types.join()} to a trigger of ${this.events.join() || 'every event'}: ${delivery.text} ${JSON.stringify(delivery.headers)}`;
		assert.equal(outcome.status, 200, `a delivery is acknowledged (${sent})`);
		// A batch of types that nobody knows may as well be one event with a list in it.
		const isOneForAll =
			drawn.batch.kind === 'underName' &&
			(this.isLost || types.every((type) => type === unknownTypeOf(drawn))) &&
			isEqual(outcome.items, [JSON.parse(delivery.text)]);
		if (isOneForAll) return;
		const expected = delivery.events.filter((_, n) => events[n]![1] === 'runs');
		const allowed = this.isLost || isTypeHidden(drawn) ? delivery.events : expected;
		const items = shown(outcome.items);
		const lost = shown(expected).filter((event) => !items.includes(event));
		assert.deepEqual(lost, [], `what was chosen or is unknown starts the workflow (${sent})`);
		const extra = items.filter((item) => !shown(allowed).includes(item));
		assert.deepEqual(extra, [], `what was not chosen starts nothing (${sent})`);
	}

	private async stranger(): Promise<void> {
		const { service } = this;
		const { drawn } = service;
		const [endpoint] = this.ours();
		const { url } = endpoint!;
		const type = chosenEvents(drawn, 'choice')[0] ?? 'call.completed';
		const delivery = makeDelivery(drawn, [type], this.made++, { url });
		const signed = service.signed(endpoint!, delivery);
		const address = url.split('?')[0]!;
		const without = await this.n8n.take(address, signed);
		assert.equal(without.status, 401, 'a stranger without a token is refused');
		assert.deepEqual(without.items, []);
		skipTime(SETTLING_MS);
		const wrong = await this.n8n.take(`${address}?${TOKEN}=${newToken()}`, signed);
		assert.deepEqual(wrong.items, [], 'a stranger starts nothing');
		// Where the list can't tell, it may be a token of an API key that was changed.
		const isToldApart = showsToken(drawn) && drawn.rateLimit.kind === 'none';
		const refusals = isToldApart ? [401] : [401, 503];
		assert.ok(refusals.includes(wrong.status), `a wrong token is refused, not ${wrong.status}`);
		this.report.deliveries += 2;
		if (drawn.signing.kind === 'none') return;
		const unsigned = await this.n8n.take(url, delivery);
		assert.deepEqual(unsigned.items, [], 'what is not signed starts nothing');
		const refusal = this.isLost ? [401, 503] : [401];
		assert.ok(refusal.includes(unsigned.status), 'what is not signed is refused');
		this.report.deliveries++;
	}

	/** Has the service send a sample to the published trigger: it is acknowledged. */
	private async sample(): Promise<void> {
		this.settle();
		const { service } = this;
		const { id } = this.ours()[0]!;
		await fetch(`${service.baseUrl}/webhooks/${encodeURIComponent(String(id))}/test`, {
			method: 'POST',
			headers: { 'x-api-key': service.apiKey },
		});
		// None where the request was one too many.
		const status = service.attemptsOf(id).at(-1)?.status ?? 200;
		assert.equal(status, 200, 'a sample is acknowledged');
	}

	private checkRun(delivery: SentDelivery, { status, items }: Outcome, what: string): void {
		assert.equal(status, 200, `${what} is acknowledged`);
		if (isEqual(items, [JSON.parse(delivery.text)])) return;
		assert.deepEqual(shown(items), shown(delivery.events), `${what} starts the workflow`);
	}

	/** Leaves an endpoint of the trigger as an earlier life of it may have, whose token is unknown. */
	private leaveBehind(): void {
		const { service } = this;
		const { kind } = service.drawn.leftBehind;
		const address = this.n8n.node.webhookUrl();
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
		const url = this.n8n.node.webhookUrl();
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
		return this.service.endpoints.filter(({ url }) => this.n8n.isAt(url, test));
	}
}

/** The credential of the user, with the secret to verify with where the service shows it to people. */
export function credentialOf({ drawn, baseUrl, apiKey }: DrawnService): CredentialData {
	const { authHeader, signing, secretPlace } = drawn;
	const isPasted = signing.kind !== 'none' && secretPlace.kind === 'inDashboard';
	return {
		baseUrl,
		apiKey,
		authHeader: authHeader.kind,
		...(isPasted && { webhookSigningSecret: secretOf(drawn, '') }),
	};
}

/** Events as text, without what an option adds, and without the token of the URL. */
function shown(events: Array<Record<string, unknown>>): string[] {
	return events.map((event) => {
		const text = JSON.stringify(sorted({ ...event, callDetails: undefined }));
		return text.replace(new RegExp(`(${TOKEN}=)[\\w-]{43}`, 'g'), '$1***');
	});
}

function isEqual(items: Array<Record<string, unknown>>, others: unknown[]): boolean {
	return shown(items).join() === shown(others as Array<Record<string, unknown>>).join();
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

/** Waits for what is under way in the background. */
async function until(isDone: () => boolean): Promise<void> {
	for (let rounds = 0; rounds < 200 && !isDone(); rounds++) {
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}
