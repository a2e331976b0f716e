import type { Sandbox } from '../../sandbox/service';

/** The number of attempts that the service keeps. */
const MAX_ATTEMPTS = 10_000;

/** The events of a stream, with their deliveries by the service's log. */
export class SentEvents {
	private readonly registered = new Set<string>();

	/** The IDs of the endpoints when an event was sent, by the event's ID. */
	private readonly sent = new Map<string, { callId: string; endpointIds: string[] }>();

	constructor(private readonly sandbox: Sandbox) {}

	get count(): number {
		return this.sent.size;
	}

	emit(): void {
		const endpointIds = this.sandbox.endpoints().map(({ id }) => id);
		for (const id of endpointIds) this.registered.add(id);
		const callId = `call_${this.count}`;
		const { id } = this.sandbox.emit('call.completed', { call_id: callId, summary: 'A call' });
		this.sent.set(id, { callId, endpointIds });
	}

	/** @returns the IDs of the events that can still be delivered */
	pending(): string[] {
		const over = this.attempts().filter((one) => one.status !== 'pending' && !one.next_attempt_at);
		const overIds = new Set(over.map(({ event_id }) => event_id));
		return [...this.sent.keys()].filter((id) => !overIds.has(id) && this.hasEndpoint(id));
	}

	/** Counts the events that the CRM lacks by their reasons. */
	outcome(writes: ReadonlyMap<string, number>) {
		const delivered = new Set(
			this.attempts()
				.filter(({ status }) => status === 'delivered')
				.map(({ event_id }) => event_id),
		);
		const missing = [...this.sent].filter(([, { callId }]) => !writes.has(callId));
		const count = (isCounted: (id: string, endpointIds: string[]) => boolean) =>
			missing.filter(([id, { endpointIds }]) => isCounted(id, endpointIds)).length;
		const lostAcknowledged = count((id) => delivered.has(id));
		const withoutEndpoint = count((_, endpointIds) => endpointIds.length === 0);
		const lost = lostAcknowledged + count((id) => !delivered.has(id) && this.hasEndpoint(id));
		return {
			sent: this.count,
			/** Events whose call is in the CRM. */
			saved: this.count - missing.length,
			writtenTwice: [...writes.values()].filter((times) => times > 1).length,
			/** Events without a delivery that n8n answered with a 2xx status. */
			undelivered: this.count - delivered.size,
			/** Events not in the CRM that had no endpoint when they were sent. */
			withoutEndpoint,
			/** Events not in the CRM whose endpoint was removed before their delivery. */
			endpointRemoved: missing.length - lost - withoutEndpoint,
			/** Events not in the CRM, although the service could deliver them. */
			lost,
			/** Lost events that n8n had acknowledged. */
			lostAcknowledged,
			/** The number of endpoints that were created. */
			registered: this.registered.size,
		};
	}

	private attempts() {
		const attempts = [...this.registered].flatMap((id) => this.sandbox.deliveriesOf(id));
		if (attempts.length >= MAX_ATTEMPTS) throw new Error('The service has not kept every attempt');
		return attempts;
	}

	/** Whether an endpoint still exists to which the event was sent. */
	private hasEndpoint(eventId: string): boolean {
		const endpointIds = this.sent.get(eventId)?.endpointIds ?? [];
		return this.sandbox.endpoints().some(({ id }) => endpointIds.includes(id));
	}
}
