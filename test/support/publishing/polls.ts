import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { presentEndpoint, type TriggerState } from '../../../nodes/VoiceAgent/state/triggerState';
import { skipTime } from '../time/clock';
import { hidesSecrets, hidesTokens } from './services';
import type { LifecycleCalls } from './calls';
import type { LifecycleInvariants } from './invariants';
import { tokenOf } from '../service/callbackTokens';
import { asStored } from '../n8n/core';
import type { NodePackage } from '../n8n/nodePackage';

/** A poll time of every minute, with which each poll reads the log, also for events that were just missed. */
export const pollOften = { pollTimes: { item: [{ mode: 'everyMinute' }] }, minAgeMinutes: 0 };

/** Lets events be missed, and checks the invariants of polls. */
export class LifecyclePolls {
	/** The events that were caught up, by call. */
	private readonly caughtUp = new Map<string, IDataObject>();
	private missed = 0;
	/** What only a person can mend, as the executions say that polls have let fail. */
	readonly reports: string[] = [];

	constructor(
		private readonly calls: LifecycleCalls,
		private readonly invariants: LifecycleInvariants,
		/** A process of n8n that receives deliveries only. */
		private readonly processor: NodePackage,
	) {
		calls.lifecycle.onStart = (items) => this.checkStart(items);
	}

	/** Misses an event; then one of three polls without a fault starts it, and a redelivery is a duplicate. */
	async catchUp(): Promise<void> {
		const { fixture, observer } = this.calls;
		const { faults } = fixture;
		const call = await this.miss();
		for (let polls = 0; polls < 3; polls += faults.injected.length > 0 ? 0 : 1) {
			faults.injected = [];
			await this.poll();
			if (faults.injected.length > 0) faults.end();
		}
		if (!call) return;
		const isCaughtUp = this.caughtUp.has(call);
		observer.expectInvariant(isCaughtUp, 'one of three polls starts a missed event');
		if (!isCaughtUp) return;
		await this.redeliver(this.caughtUp.get(call)!);
		await this.poll();
	}

	/** Lets polls with faults, then polls without a fault mend the endpoint: then there is exactly one. */
	async mend(): Promise<void> {
		const { lifecycle, fixture, observer } = this.calls;
		const isPolled = lifecycle.activation && presentEndpoint(this.calls.written());
		if (!isPolled) return;
		observer.expectedCounts.delete(false);
		// A second replacement needs a person for six hours.
		skipTime(7 * 60 * 60_000);
		for (const hasFaults of [true, false]) {
			if (!hasFaults) fixture.faults.end();
			for (let minute = 0; minute < 12; minute += 2) {
				skipTime(2 * 60_000);
				await this.poll();
			}
		}
		// A new endpoint needs a secret that a poll can't store, and an ID that the list shows with its URL.
		const { kind, foreign } = fixture;
		if (hidesSecrets(kind) || hidesTokens(kind) || kind.limit !== undefined) return;
		const isMoved = foreign.some(({ url }) => fixture.keyOfToken.has(tokenOf(url)));
		// A person mends what was moved, and what the service has refused.
		const isReported = this.reports.some((text) => text.includes('publish it again'));
		if (isReported && (isMoved || fixture.faults.injected.length > 0)) return;
		observer.expectedCounts.set(false, 1);
	}

	/** Runs a step while a poll waits for the log. */
	async during(step: () => Promise<void>): Promise<void> {
		const { calls } = this;
		const { lifecycle, fixture, observer } = calls;
		await this.poll();
		const [type] = (lifecycle.published?.events ?? []) as string[];
		const call = await this.miss();
		const before = calls.written();
		let resume = () => {};
		const poll = await new Promise<{ end: Promise<unknown> }>((resolve) => {
			fixture.faults.delayLog = async () => {
				fixture.faults.delayLog = undefined;
				resolve({ end });
				await new Promise<void>((end) => (resume = end));
			};
			const end = lifecycle.poll();
			void end.finally(() => resolve({ end }));
		});
		// The first poll after a publish may read the log, too.
		fixture.faults.delayLog = undefined;
		await step();
		resume();
		await poll.end;
		const after = presentEndpoint(calls.written());
		if (!call || !after) return;
		// What a removed endpoint had missed is started by the polls of the next one.
		for (let polls = 0; polls < 2; polls++) await this.poll();
		const isReplaced = after.id !== presentEndpoint(before)?.id;
		const events = lifecycle.published?.events as string[];
		const isSelected = events.includes(type!) || events.includes('*');
		const isExcused = !isSelected || (isReplaced && fixture.faults.injected.length > 0);
		const invariant = 'an event that was missed before a publish is started after it';
		observer.expectInvariant(this.caughtUp.has(call) || isExcused, invariant);
	}

	/** Forgets what was caught up, as n8n does if it restores older static data. */
	forget(): void {
		this.caughtUp.clear();
	}

	/** Polls, and checks that n8n stores nothing but what the poll records. */
	private async poll(): Promise<void> {
		const { lifecycle, observer } = this.calls;
		const before = this.storedState();
		const started = await lifecycle.poll();
		const failed = started.filter((one) => one instanceof Error);
		this.reports.push(...failed.map(({ message }) => message));
		const isSame = isDeepStrictEqual(this.storedState(), before);
		observer.expectInvariant(isSame, 'a poll stores nothing but settled events');
	}

	private storedState(): TriggerState {
		const { staticData } = this.calls.lifecycle.receiver(false);
		// A repair records the ID of the new endpoint, and the hash of its token.
		const ofRepair = { endpoints: undefined, tokenHashes: undefined };
		const stored = { settled: undefined, since: undefined, ...ofRepair };
		return asStored({ ...staticData, ...stored });
	}

	/** @returns the call of an event that n8n had no route for; undefined unless polls have to catch up on it */
	private async miss(): Promise<string | undefined> {
		const { calls, invariants } = this;
		const { lifecycle, fixture } = calls;
		const endpoint = fixture.ownEndpoints().at(-1);
		const isPolled = presentEndpoint(calls.written())?.id === endpoint?.id;
		if (!endpoint || !isPolled || !invariants.isReachable() || !lifecycle.activation) {
			return undefined;
		}
		const [type = 'chat.completed'] = lifecycle.published?.events as string[];
		const call = `missed ${++this.missed}`;
		await fixture.receiver.whileClosed(
			async () => await fixture.sandbox.deliver(endpoint.id, type, { call_id: call }),
		);
		skipTime(1_000);
		return call;
	}

	private async redeliver(body: IDataObject): Promise<void> {
		const { lifecycle, fixture, observer } = this.calls;
		const endpoint = fixture.ownEndpoints().at(-1)!;
		const receiver = lifecycle.receiver(false);
		receiver.types = this.processor;
		const { staticData } = receiver;
		// Nothing is stored for static data that lack the endpoint, and another process remembers nothing.
		if (!presentEndpoint(staticData)) return;
		if (!fixture.canAdopt(endpoint, staticData)) return;
		if (!fixture.hasSecret(endpoint.id, staticData)) return;
		skipTime(10_000);
		const answer = await fixture.deliver(receiver, endpoint, '', { body });
		const isDuplicate = answer.status === 200 && !answer.isStarted;
		observer.expectInvariant(isDuplicate, 'a redelivery of a caught-up event is a duplicate');
	}

	private checkStart([[{ json } = { json: {} }] = []]: INodeExecutionData[][]): void {
		const { calls } = this;
		const { lifecycle, observer } = calls;
		const body = asStored({ ...json, callDetails: undefined });
		const [call] = /missed \d+/.exec(JSON.stringify(json))!;
		observer.expectInvariant(!this.caughtUp.has(call), 'an event is caught up once');
		this.caughtUp.set(call, body);
		observer.expectInvariant(!!lifecycle.published, 'a poll starts nothing after an unpublish');
	}
}
