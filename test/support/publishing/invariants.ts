import { strict as assert } from 'node:assert';

import type { TriggerState } from '../../../nodes/VoiceAgent/state/triggerState';
import { newToken } from '../service/callbackTokens';
import { skipTime } from '../time/clock';
import type { LifecycleCalls } from './calls';
import type { StoredEndpoint } from './fixture';
import { hidesTokens, isSigning, showsAllEvents } from './services';

/** The age at which an endpoint at the test URL counts as left behind by a killed listener. */
const LISTENER_LIFETIME_MS = 12 * 60_000;
/** The node reads one page of the list a second at most to verify tokens. */
const LOOKUP_PAUSE_MS = 10_000;
/** An event type that the catalog lacks; such events start the workflow. */
const UNKNOWN_TYPE = 'fax.arrived';

/** The invariants between two steps. */
export class LifecycleInvariants {
	constructor(private readonly calls: LifecycleCalls) {}

	/** @throws an AssertionError that names the broken invariant */
	async check(): Promise<void> {
		const { fixture, observer, lifecycle } = this.calls;
		observer.learnTokens();
		assert.deepEqual(observer.violations, []);
		const own = [...fixture.ownEndpoints(), ...fixture.ownEndpoints(true)].map(({ id }) => id);
		const foreign = fixture.sandbox.endpoints().filter(({ id }) => !own.includes(id));
		assert.deepEqual(foreign, fixture.foreign, 'no foreign endpoint changes');

		this.checkCount(false, 'a published trigger has one endpoint, an unpublished trigger none');
		this.checkCount(true, 'an open test listener has one endpoint, a closed one none');
		const left = this.leftovers(observer.cleanedUpAt - LISTENER_LIFETIME_MS - 1_000);
		assert.deepEqual(left, [], 'a cleanup removes the endpoint of a killed listener');
		lifecycle.load();
		this.checkSecrets();
		if (this.isReachable()) await this.checkDeliveries();
	}

	/** Whether the trigger is published and certainly has one endpoint. */
	isReachable(): boolean {
		const { published, hasRoute } = this.calls.lifecycle;
		return !!published && hasRoute && this.calls.observer.expectedCounts.get(false) === 1;
	}

	/** @returns the ID of the endpoint that `checkExists` has to adopt unless a fault is injected */
	adoptable(events: string[]): string | undefined {
		const { fixture, lifecycle } = this.calls;
		// A delayed list may still show a removed endpoint.
		if (fixture.kind.lagMs) return undefined;
		lifecycle.load();
		const [endpoint] = fixture.ownEndpoints();
		const { staticData } = fixture.node;
		if (!endpoint || !this.isReachable() || !!staticData.removal) return undefined;
		// The endpoint of a killed listener is own: with it, `create` has to remove one of two.
		if (this.leftovers(Date.now() - LISTENER_LIFETIME_MS + 1_000).length > 0) return undefined;
		const isStored = fixture.isStored(endpoint, staticData);
		const hasToken = hidesTokens(fixture.kind) ? isStored : fixture.canAdopt(endpoint, staticData);
		// A record without `events` may be subscribed to all event types.
		const hasEvents = !events.includes('*') || showsAllEvents(fixture.kind) || isStored;
		// Without a state, it is unknown whether the endpoint has a secret of its own.
		const isVerifiable = !isSigning(fixture.kind) || !!staticData.endpoints;
		const isUsable =
			fixture.hasSecret(endpoint.id, staticData) && !fixture.disabledIds.has(endpoint.id);
		return hasToken && hasEvents && isVerifiable && isUsable ? endpoint.id : undefined;
	}

	/** Whether a start keeps the endpoints while the service is silent: the static data holds an own one. */
	isKept(): boolean {
		const { lifecycle, fixture } = this.calls;
		lifecycle.load();
		const { owner, endpoints, removal } = fixture.node.staticData as TriggerState;
		const isOwn = owner?.includes(fixture.node.workflowId);
		return !!lifecycle.published && !!isOwn && !!endpoints?.length && !removal;
	}

	private checkCount(test: boolean, invariant: string): void {
		const { fixture, observer } = this.calls;
		const count = observer.expectedCounts.get(test);
		if (count === undefined) return;
		const own = fixture.ownEndpoints(test);
		const extra = own.length - count;
		const listedUntil = (observer.listedAt.get(test) ?? -Infinity) - (fixture.kind.lagMs ?? 0);
		const hidden = own.filter((endpoint) => fixture.createdAt(endpoint) > listedUntil);
		// An endpoint that the list did not show yet stays until the next cleanup.
		if (extra > 0 && extra <= hidden.length) return;
		assert.equal(own.length, count, invariant);
		const [endpoint] = own;
		if (test || !endpoint) return;
		const events = fixture.node.parameters.events as string[];
		const expected = events.includes('*') ? undefined : events;
		assert.deepEqual(endpoint.events, expected, 'the endpoint has the selected event types');
	}

	/** @returns the endpoints of killed listeners from before a time, as far as their tokens prove them */
	private leftovers(before: number): StoredEndpoint[] {
		const { fixture } = this.calls;
		if (hidesTokens(fixture.kind)) return [];
		return (
			fixture
				.ownEndpoints(true)
				// With another API key, only the next listener removes the endpoint.
				.filter((endpoint) => fixture.hasCurrentToken(endpoint))
				.filter((endpoint) => fixture.createdAt(endpoint) < before)
		);
	}

	/** Exported workflows contain static data. */
	private checkSecrets(): void {
		const { fixture, lifecycle } = this.calls;
		const stored = JSON.stringify([lifecycle.receiver(false).staticData, lifecycle.listener]);
		for (const token of fixture.keyOfToken.keys()) {
			assert(!stored.includes(token), 'static data holds no token');
		}
		assert(!stored.includes(fixture.node.credential.apiKey), 'static data holds no API key');
	}

	private async checkDeliveries(): Promise<void> {
		const { fixture, lifecycle } = this.calls;
		const endpoint = fixture.ownEndpoints().at(-1)!;
		const receiver = lifecycle.receiver(false);
		const selected = lifecycle.published?.events as string[];
		const [type = 'chat.completed'] = selected;
		const { tokenHashes = [], endpoints } = receiver.staticData as TriggerState;
		// The state holds the catalog.
		const isUnknown = (name: string) => !endpoints || name === UNKNOWN_TYPE;
		const refusal = tokenHashes.length > 0 ? 401 : 503;
		skipTime(LOOKUP_PAUSE_MS);
		if (fixture.canAdopt(endpoint, receiver.staticData)) {
			const isVerifiable = fixture.hasSecret(endpoint.id, receiver.staticData);
			for (const one of [...(fixture.kind.types ?? [type]), UNKNOWN_TYPE]) {
				const isStarted = isUnknown(one) || selected.includes('*') || selected.includes(one);
				assert.deepEqual(
					await fixture.deliver(receiver, endpoint, one),
					isVerifiable ? { status: 200, isStarted } : { status: 503, isStarted: false },
					`only selected and unknown events start the workflow, and none without the secret: ${one}`,
				);
			}
			if (isSigning(fixture.kind) && isVerifiable) {
				const unsigned = await fixture.deliver(receiver, endpoint, type, { isSigned: false });
				assert.equal(unsigned.status, refusal, `an unsigned delivery is answered ${refusal}`);
			}
		}
		skipTime(LOOKUP_PAUSE_MS);
		const forged = await fixture.deliver(receiver, endpoint, type, { token: newToken() });
		assert(!forged.isStarted, 'a request with an unknown token starts no workflow');
		assert.equal(forged.status, refusal, `a request with an unknown token is answered ${refusal}`);
	}
}
