import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '../dialects';
import type { Endpoint } from './endpoints';
import { envelope } from './envelopes';
import type { DomainEvent } from './events';
import { makeAgent, post, type PostResult, type SentRequest } from './post';
import { signatureHeaders } from './signatures';
import { makeSlots } from './slots';

/** An attempt in the delivery log. The fields are assumed. */
export interface Attempt extends PostResult {
	id: string;
	/** The same for all attempts of one delivery; also the header `x-delivery-id`. */
	delivery_id: string;
	event_id: string;
	/** Null for a sample without a type. */
	event_type: string | null;
	endpoint_id: string;
	/** Counted from 1. */
	attempt: number;
	status: 'pending' | 'delivered' | 'failed';
	/** ISO 8601, as `next_attempt_at`. */
	attempted_at: string;
	duration_ms: number | null;
	next_attempt_at: string | null;
}

/** The content of each attempt of a delivery. */
interface Message {
	/** The delivery's. */
	id: string;
	body: string;
	/** The headers of the event's envelope. */
	headers: Record<string, string>;
}

interface Delivery extends Message {
	event: DomainEvent;
	endpoint: Endpoint;
	/** The number of attempts so far. */
	attempts: number;
}

interface DeliveryOptions {
	dialect: Dialect;
	/** The workspace's secret for plain HMAC signatures. */
	signingSecret: string;
	/** The factor for the waits of the schedule `backoff`. */
	retryScale: number;
	/** A certificate authority (PEM) to trust beside the public ones. */
	ca?: string;
}

const attemptsAtOnce = 20;
const attemptsKept = 10_000;

/** Delivers events to endpoints by the dialect's schedule of attempts, and keeps the delivery log. */
export class Deliveries {
	private readonly attempts: Attempt[] = [];
	/** The parts of an attempt that the log does not show. */
	private readonly sent = new WeakMap<Attempt, { delivery: Delivery; request: SentRequest }>();
	private readonly pending = new Set<Promise<void>>();
	private readonly slots = new WeakMap<Endpoint, ReturnType<typeof makeSlots>>();
	private readonly stopping = new AbortController();
	private readonly httpsAgent;

	constructor(private readonly options: DeliveryOptions) {
		this.httpsAgent = makeAgent(options.ca);
	}

	/** Starts a delivery with all its retries; `done` resolves after the last attempt. */
	send(event: DomainEvent, endpoint: Endpoint) {
		return this.start(event, endpoint, retryDelays(this.options));
	}

	/** Starts a delivery of one attempt. */
	sendOnce(event: DomainEvent, endpoint: Endpoint) {
		return this.start(event, endpoint, []);
	}

	/**
	 * Makes one more attempt of a delivery, also of one that succeeded: the same event, under the same
	 * delivery id.
	 *
	 * @returns false if the log has no such delivery, or its endpoint was removed
	 */
	sendAgain(deliveryId: string): boolean {
		const attempt = this.attempts.findLast(({ delivery_id }) => delivery_id === deliveryId);
		const delivery = attempt && this.sent.get(attempt)?.delivery;
		if (!delivery || delivery.endpoint.removal.signal.aborted) return false;
		void this.track(this.deliver(delivery, []));
		return true;
	}

	/** The content of an attempt of the log. */
	requestOf(attempt: Attempt): SentRequest | undefined {
		return this.sent.get(attempt)?.request;
	}

	/** Sends an endpoint's URL the dialect's challenge; true if the URL answers it. */
	async challenge(endpoint: Endpoint): Promise<boolean> {
		const challenge = randomUUID();
		const body = JSON.stringify({ challenge });
		const request = this.requestFor({ id: `msg_${randomUUID()}`, body, headers: {} }, endpoint);
		const answer = await post(endpoint.url, request, this.httpsAgent, this.stopping.signal);
		return answer.response_status === 200 && answer.response_body === body;
	}

	/** The recent attempts at one endpoint, newest first. */
	attemptsAt(endpointId: string): Attempt[] {
		return this.attempts.filter(({ endpoint_id }) => endpoint_id === endpointId).reverse();
	}

	/** The recent attempts at all endpoints, newest first. */
	recent(limit: number): Attempt[] {
		return this.attempts.slice(-limit).reverse();
	}

	/** Resolves when no delivery is under way or waiting for its next attempt. */
	async settled(): Promise<void> {
		while (this.pending.size > 0) await Promise.all(this.pending);
	}

	/** Aborts all deliveries. */
	async stop(): Promise<void> {
		this.stopping.abort();
		await this.settled();
		this.httpsAgent.destroy();
	}

	private start(event: DomainEvent, endpoint: Endpoint, delays: number[]) {
		const id = `msg_${randomUUID()}`;
		const { dialect } = this.options;
		const { body, headers } = envelope(event, dialect);
		const message = { id, body: JSON.stringify(body), headers };
		const delivery = { ...message, event, endpoint, attempts: 0 };
		return { id, done: this.track(this.deliver(delivery, delays)) };
	}

	private track(work: Promise<void>): Promise<void> {
		const done = work.finally(() => this.pending.delete(done));
		this.pending.add(done);
		return done;
	}

	/** Makes an attempt, and after each of the delays one more, until one succeeds. */
	private async deliver(delivery: Delivery, delays: number[]): Promise<void> {
		const { endpoint } = delivery;
		const over = AbortSignal.any([this.stopping.signal, endpoint.removal.signal]);
		for (const delay of [...delays, undefined]) {
			const isDelivered = await this.slotsOf(endpoint)(
				async () => !over.aborted && (await this.attempt(delivery, delay)),
			);
			if (isDelivered || delay === undefined || over.aborted) return;
			await sleep(delay, undefined, { signal: over }).catch(() => undefined);
		}
	}

	/** The endpoint's slots, which limit the simultaneous attempts. */
	private slotsOf(endpoint: Endpoint) {
		const slots = this.slots.get(endpoint) ?? makeSlots(attemptsAtOnce);
		this.slots.set(endpoint, slots);
		return slots;
	}

	/** @returns whether the delivery has arrived */
	private async attempt(delivery: Delivery, delay: number | undefined): Promise<boolean> {
		const { event, endpoint } = delivery;
		const begun = Date.now();
		const attempt: Attempt = {
			id: randomUUID(),
			delivery_id: delivery.id,
			event_id: event.id,
			event_type: event.type ?? null,
			endpoint_id: endpoint.id,
			attempt: ++delivery.attempts,
			status: 'pending',
			response_status: null,
			response_body: null,
			error: null,
			attempted_at: new Date(begun).toISOString(),
			duration_ms: null,
			next_attempt_at: null,
		};
		const request = this.requestFor(delivery, endpoint);
		this.sent.set(attempt, { delivery, request });
		this.attempts.push(attempt);
		if (this.attempts.length > attemptsKept) this.attempts.shift();

		const outcome = await post(endpoint.url, request, this.httpsAgent, this.stopping.signal);
		const delivered = Math.floor((outcome.response_status ?? 0) / 100) === 2;
		Object.assign(attempt, outcome, {
			status: delivered ? 'delivered' : 'failed',
			duration_ms: Date.now() - begun,
			next_attempt_at:
				delivered || delay === undefined ? null : new Date(Date.now() + delay).toISOString(),
		});
		return delivered;
	}

	private requestFor({ id, body, headers }: Message, endpoint: Endpoint): SentRequest {
		const { dialect, signingSecret } = this.options;
		const secrets = { endpoint: endpoint.secret, workspace: signingSecret };
		return {
			body,
			headers: {
				'content-type': 'application/json',
				'user-agent': 'voice-agent-sandbox',
				'x-delivery-id': id,
				...headers,
				...signatureHeaders(dialect.signature, id, body, secrets),
			},
		};
	}
}

/** The waits between the attempts of one delivery, in milliseconds. */
function retryDelays({ dialect, retryScale }: DeliveryOptions): number[] {
	return {
		backoff: Array.from({ length: 9 }, (_, retry) => 1000 * 2 ** retry * retryScale),
		once: [],
		eager: Array<number>(24).fill(200),
	}[dialect.retrySchedule];
}
