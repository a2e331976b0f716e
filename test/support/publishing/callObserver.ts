import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import type { RequestRecord } from '../../../sandbox/service';
import { tokenOf } from '../service/callbackTokens';
import { skippedTime } from '../time/clock';
import type { FaultName } from './faults';
import type { LifecycleFixture, StoredEndpoint } from './fixture';
import { hidesTokens, requiresUniqueUrl } from './services';
import type { Method } from '../n8n/core';

const LONGEST_CALL_MS = 10_000;

/** The node sends a DELETE request up to twice until a removal is proved. */
const REMOVAL_ATTEMPTS = 2;
/** The faults after which a DELETE request seems to have removed the endpoint. */
const FALSE_PROOFS: FaultName[] = ['404', 'empty', 'other id', 'not ok'];

/** A call of a webhook method, and the state before it. */
type ObservedCall = ReturnType<CallObserver['start']>;

/**
 * Checks the invariants of each call of a webhook method. The result of the call alone gives the
 * expected number of own endpoints: 1 after `create` and after a `checkExists` that returned true, 0
 * after `delete`, unknown after an error.
 */
export class CallObserver {
	/** The expected number of own endpoints, by whether the URL is the test URL. */
	readonly expectedCounts = new Map<boolean, number>();
	/** The broken invariants of a step. n8n would catch an error, so they are collected. */
	readonly violations: string[] = [];
	/** The time of the last successful list request, by whether the URL is the test URL. */
	readonly listedAt = new Map<boolean, number>();
	/** The start of the last successful `create` or `delete`, which remove leftover endpoints. */
	cleanedUpAt = -Infinity;
	private lastSeenRequest: RequestRecord | undefined;

	/** @param staticData the static data that n8n has stored */
	constructor(
		private readonly fixture: LifecycleFixture,
		private readonly staticData: () => IDataObject,
	) {}

	/**
	 * @param test whether the URL is the test URL
	 * @returns a call that begins now
	 */
	start(method: Method, test: boolean) {
		return {
			...{ method, test },
			/** Whether a delivery has closed the test listener during the call. */
			isListenerClosed: false,
			at: Date.now(),
			skippedMs: skippedTime(),
			faults: this.fixture.faults.injected.length,
			endpoints: this.fixture.ownEndpoints(test),
			lastRequest: this.fixture.sandbox.requests.at(-1),
		};
	}

	/** Checks a call. @param run makes the call */
	async observe(call: ObservedCall, run: () => Promise<boolean>): Promise<boolean> {
		const { method, test } = call;
		const expected = this.expectedCounts.get(test);
		this.expectedCounts.delete(test);
		try {
			const result = await run();
			this.learnTokens();
			// A start keeps the stored endpoint without a request.
			if (method === 'checkExists' && result && this.requestsSince(call).length === 0) {
				if (expected !== undefined) this.expectedCounts.set(test, expected);
				return result;
			}
			this.expectCount(call, result);
			if (method === 'checkExists' && result) this.checkAdopted(test);
			return result;
		} catch (error) {
			const isDisturbed = this.fixture.faults.injected.length > call.faults;
			const isExcused = isDisturbed || this.hitLimit(call) || call.isListenerClosed;
			this.expectInvariant(isExcused, `${method} succeeds without a fault: ${String(error)}`);
			throw error;
		} finally {
			this.checkEnd(call);
		}
	}

	/** Checks during `create` that an own endpoint exists: the new one is created before the old one goes. */
	checkNoGap(call: ObservedCall): void {
		if (call.endpoints.length === 0 || this.mustRemoveFirst(call)) return;
		const exists = this.fixture.ownEndpoints(call.test).length > 0;
		this.expectInvariant(exists, 'create registers the new endpoint before it removes the old one');
	}

	/** @returns the own endpoints that were created since the start of a call */
	createdSince({ endpoints, test }: ObservedCall): StoredEndpoint[] {
		return this.fixture
			.ownEndpoints(test)
			.filter(({ id }) => !endpoints.some((old) => old.id === id));
	}

	expectInvariant(holds: boolean, invariant: string): void {
		if (!holds) this.violations.push(invariant);
	}

	/** Stores the API key of each token that was sent to the service. */
	learnTokens(): void {
		const { keyOfToken, node, sandbox } = this.fixture;
		const unseen = this.requestsSince({ lastRequest: this.lastSeenRequest });
		for (const { method, path, body } of unseen) {
			if (method !== 'POST' || path !== '/webhooks') continue;
			// A dropped request has no body.
			const url = (body as { url?: string } | undefined)?.url;
			if (url) keyOfToken.set(tokenOf(url), node.credential.apiKey);
		}
		this.lastSeenRequest = sandbox.requests.at(-1);
	}

	private expectCount(call: ObservedCall, result: boolean): void {
		const { method, test } = call;
		if (method !== 'checkExists') this.cleanedUpAt = call.at;
		const isDeceived = this.isRemovalDeceived(call);
		if (isDeceived) this.cleanedUpAt = -Infinity;
		if (call.isListenerClosed || isDeceived) return;
		if (method === 'delete') this.expectedCounts.set(test, 0);
		else if (method === 'create' || (result && !this.isListStale()))
			this.expectedCounts.set(test, 1);
	}

	/**
	 * Whether the list still shows a removed endpoint. n8n 1.x does not store static data after a failed
	 * `delete`, so the next `checkExists` has only the list.
	 */
	private isListStale(): boolean {
		const { kind, sandbox } = this.fixture;
		if (!kind.lagMs) return false;
		const since = Date.now() - kind.lagMs;
		return sandbox.requests.some(
			({ method, status = 0, at }) => method === 'DELETE' && isOk(status) && at > since,
		);
	}

	private checkEnd(call: ObservedCall): void {
		const { test } = call;
		this.learnTokens();
		for (const { method, path, status = 0, at } of this.requestsSince(call)) {
			const isList = method === 'GET' && path === '/webhooks';
			if (isList && isOk(status)) this.listedAt.set(test, at);
		}
		if (call.method === 'checkExists') {
			const isSame = isDeepStrictEqual(this.fixture.ownEndpoints(test), call.endpoints);
			this.expectInvariant(isSame, 'checkExists changes no endpoint');
		}
		// The `delete` of a closed listener adds its own time.
		const isInTime = call.isListenerClosed || skippedTime() - call.skippedMs <= LONGEST_CALL_MS;
		this.expectInvariant(isInTime, `${call.method} ends within ten seconds`);
	}

	private checkAdopted(test: boolean): void {
		const { fixture } = this;
		const [endpoint] = fixture.ownEndpoints(test);
		if (!endpoint) return;
		const isEnabled = !fixture.disabledIds.has(endpoint.id);
		this.expectInvariant(isEnabled, 'checkExists adopts no disabled endpoint');
		this.expectInvariant(
			hidesTokens(fixture.kind) || fixture.canAdopt(endpoint, this.staticData()),
			'checkExists adopts no endpoint whose token neither is stored nor proves itself',
		);
	}

	private requestsSince({ lastRequest }: Pick<ObservedCall, 'lastRequest'>): RequestRecord[] {
		const { requests } = this.fixture.sandbox;
		return requests.slice(lastRequest ? requests.lastIndexOf(lastRequest) + 1 : 0);
	}

	/** Whether the endpoint limit refused a creation. */
	private hitLimit(call: ObservedCall): boolean {
		return (
			this.fixture.kind.limit !== undefined &&
			this.requestsSince(call).some(({ method, status }) => method === 'POST' && status === 403)
		);
	}

	/** Whether a URL can have one endpoint only, or a response to a creation may state so. */
	private mustRemoveFirst(call: ObservedCall): boolean {
		const isConflict = ({ method, status = 0 }: RequestRecord) =>
			method === 'POST' && [400, 402, 409, 422].includes(status);
		return requiresUniqueUrl(this.fixture.kind) || this.requestsSince(call).some(isConflict);
	}

	/** Whether every attempt of a removal got a response that falsely proves the removal. */
	private isRemovalDeceived({ faults }: ObservedCall): boolean {
		// Of a disabled endpoint, a refusal is enough: some services disable what is deleted.
		const isDisabled = this.fixture.disabledIds.size > 0;
		const proofs = isDisabled ? [...FALSE_PROOFS, '409'] : FALSE_PROOFS;
		const deceptions = this.fixture.faults.injected
			.slice(faults)
			.filter(({ request, fault }) => request === 'delete' && proofs.includes(fault));
		return deceptions.length >= (isDisabled ? 1 : REMOVAL_ATTEMPTS);
	}
}

function isOk(status: number): boolean {
	return status >= 200 && status < 300;
}
