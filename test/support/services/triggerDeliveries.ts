import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';

import { skipTime } from '../lifecycleFaults';
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
import type { TriggerInN8n } from './inN8n';
import type { Outcome } from './receive';
import type { Endpoint } from './records';
import type { Report } from './report';
import type { DrawnService } from './service';

/** The query parameter that authenticates deliveries. */
export const TOKEN = 'voice_agent_token';

/** A token of the right length that nobody has given out. */
export const newToken = () => randomBytes(32).toString('base64url');

/** Longer than any list lags, and than what keeps the node from looking up a token twice. */
export const SETTLING_MS = 10_000;

/** What has to become of an event. */
type Fate = 'runs' | 'is ignored';

/** What is delivered to a published trigger, and what has to become of it. */
export class TriggerDeliveries {
	/** What the user has chosen. Empty means every event. */
	events: string[] = [];

	/** Whether static data was lost since the last publish: the catalog's names with it. */
	isLost = false;

	private made = 0;

	constructor(
		private readonly n8n: TriggerInN8n,
		private readonly service: DrawnService,
		private readonly report: Report,
	) {}

	/** Delivers events of chosen, unchosen and unknown types, alone and together. */
	async ofEveryFate(endpoint: Endpoint): Promise<void> {
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
			await this.one(endpoint, batch, chosen[0]!, unchosen[0]);
		}
	}

	private async one(
		endpoint: Endpoint,
		events: Array<[type: string, fate: Fate]>,
		chosen: string,
		other: string | undefined,
	): Promise<void> {
		this.report.deliveries++;
		const { drawn } = this.service;
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

	/** Delivers what strangers may send, which starts nothing. */
	async ofStrangers(endpoint: Endpoint): Promise<void> {
		const { service } = this;
		const { drawn } = service;
		const { url } = endpoint;
		const type = chosenEvents(drawn, 'choice')[0] ?? 'call.completed';
		const delivery = makeDelivery(drawn, [type], this.made++, { url });
		const signed = service.signed(endpoint, delivery);
		const address = url.split('?')[0]!;
		const without = await this.n8n.take(address, signed);
		assert.equal(without.status, 401, 'a stranger without a token is refused');
		assert.deepEqual(without.items, []);
		skipTime(SETTLING_MS);
		const wrong = await this.n8n.take(`${address}?${TOKEN}=${newToken()}`, signed);
		assert.deepEqual(wrong.items, [], 'a stranger starts nothing');
		// Where the list hides tokens, or can't be read to its end, it may be one of a changed API key.
		const isWhole = drawn.rateLimit.kind === 'none' && drawn.lastPage.kind !== 'backToFirst';
		const isToldApart = showsToken(drawn) && isWhole;
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

	/** Whether a delivery can be verified when static data is lost, and the endpoint's secret with it. */
	canVerifyWithoutData(): boolean {
		const { signing, secretPlace } = this.service.drawn;
		return signing.kind === 'none' || secretPlace.kind === 'inDashboard';
	}
}

/** Checks that a delivery has started the workflow with its events. */
export function checkRun(delivery: SentDelivery, { status, items }: Outcome, what: string): void {
	assert.equal(status, 200, `${what} is acknowledged`);
	if (isEqual(items, [JSON.parse(delivery.text)])) return;
	assert.deepEqual(shown(items), shown(delivery.events), `${what} starts the workflow`);
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
