import { strict as assert } from 'node:assert';
import type { INodeParameters } from 'n8n-workflow';

import { skipTime } from '../lifecycleFaults';
import type { CredentialData } from '../n8nCore';
import type { SentDelivery } from './deliveries';
import { chosenEvents } from './grammar';
import { TriggerInN8n } from './inN8n';
import { isSilent } from './paging';
import type { Endpoint } from './records';
import type { Report } from './report';
import type { Acknowledgement, DrawnService } from './service';
import { secretOf, verificationOf } from './signing';
import { checkRun, newToken, SETTLING_MS, TOKEN, TriggerDeliveries } from './triggerDeliveries';

/** The life of a user's trigger at a drawn service, and what the user has to get of it. */
export class TriggerLife {
	/** The endpoints of others. */
	private readonly foreign: Endpoint[];

	private readonly deliveries: TriggerDeliveries;

	private constructor(
		private readonly n8n: TriggerInN8n,
		private readonly service: DrawnService,
		private readonly report: Report,
	) {
		this.deliveries = new TriggerDeliveries(n8n, service, report);
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
		checkRun(sample.delivery, sample.outcome, 'the sample of a listener');
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
		await this.deliveries.ofEveryFate(this.ours()[0]!);
		await this.deliveries.ofStrangers(this.ours()[0]!);
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
		await this.deliveries.ofEveryFate(this.ours()[0]!);
	}

	/** Loses what n8n had stored, goes on, and publishes once more. */
	async loseStaticData(): Promise<void> {
		this.n8n.loseStaticData();
		this.deliveries.isLost = true;
		if (this.deliveries.canVerifyWithoutData()) await this.deliveries.ofEveryFate(this.ours()[0]!);
		await this.deliveries.ofStrangers(this.ours()[0]!);
		await this.startAgain('a publish after static data was lost');
		this.deliveries.isLost = false;
		await this.deliveries.ofEveryFate(this.ours()[0]!);
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
		this.deliveries.events = chosenEvents(drawn, choice);
		const options = { testEvent, ...verificationOf(drawn) };
		const parameters = { events: this.deliveries.events, options } as INodeParameters;
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
				service.takeAway(ours!);
				break;
			case 'disabled':
				ours!.disabled = meanwhile.as;
				break;
			case 'keyRotated':
			case 'keyRotatedAndDataLost':
				service.apiKey = `${service.apiKey}rotated`;
				n8n.credential = credentialOf(service);
				if (meanwhile.kind === 'keyRotatedAndDataLost') {
					n8n.loseStaticData();
					this.deliveries.isLost = true;
				}
				if (!this.deliveries.isLost || this.deliveries.canVerifyWithoutData())
					await this.deliveries.ofEveryFate(this.ours()[0]!);
		}
		this.settle();
		await this.startAgain(`a publish after ${meanwhile.kind}`);
		this.deliveries.isLost = false;
		assert.equal(this.ours()[0]!.disabled, undefined, 'a disabled endpoint is registered anew');
		await this.deliveries.ofEveryFate(this.ours()[0]!);
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
		assert.deepEqual(
			ours[0]!.events ?? [],
			this.deliveries.events,
			`${what}: it has the chosen events`,
		);
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
				checkRun(delivery, outcome, 'a chosen event while create runs');
			} else if (kind !== 'ping') {
				assert.deepEqual(outcome.items, [], 'a challenge starts nothing');
			}
		}
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

/** Waits for what is under way in the background. */
async function until(isDone: () => boolean): Promise<void> {
	for (let rounds = 0; rounds < 200 && !isDone(); rounds++) {
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}
