import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/service';
import type { Line } from '../../../sandbox/stack/install-n8n';
import { skipTime } from '../time/clock';
import type { CallObserver } from './callObserver';
import { LifecycleCalls } from './calls';
import type { FaultInjector } from './faults';
import { LifecycleFixture, type StoredEndpoint } from './fixture';
import { LifecycleInvariants } from './invariants';
import { LifecycleManualSteps } from './manualSteps';
import { LifecyclePolls, pollOften } from './polls';
import { hidesTokens, isSigning, type ServiceKind } from './services';
import { undisturbed, type StartStep, type Step } from './steps';
import { NodeInWorkflow } from '../n8n/core';
import type { N8nLifecycle, StartMode } from '../n8n/lifecycle';
import { loadInProcess, type NodePackage } from '../n8n/nodePackage';
import type { Receiver } from '../n8n/receiver';

const EVENTS = ['call.completed'];

/** Runs steps on a trigger, and checks the invariants after each step. */
export class LifecycleModel {
	private readonly observer: CallObserver;
	private readonly calls: LifecycleCalls;
	private readonly lifecycle: N8nLifecycle;
	private readonly invariants: LifecycleInvariants;
	private readonly manual: LifecycleManualSteps;
	readonly polls: LifecyclePolls;
	private events = EVENTS;
	/** How many processes of n8n have run. */
	private processes = 1;
	/** The main process that another one has taken over from. */
	private standby?: NodePackage;

	private constructor(
		private readonly fixture: LifecycleFixture,
		private readonly line: Line,
		processor: NodePackage,
	) {
		this.calls = new LifecycleCalls(fixture);
		this.observer = this.calls.observer;
		this.lifecycle = this.calls.lifecycle;
		this.invariants = new LifecycleInvariants(this.calls);
		this.polls = new LifecyclePolls(this.calls, this.invariants, processor);
		this.manual = new LifecycleManualSteps(this.calls);
	}

	static async create(
		kind: ServiceKind,
		sandbox: Sandbox,
		faults: FaultInjector,
		receiver: Receiver,
		line: Line,
	): Promise<LifecycleModel> {
		const node = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: parametersFor(EVENTS, kind),
			credential: { ...sandbox.credential, ...kind.credential },
			webhookBase: receiver.base,
		});
		const fixture = new LifecycleFixture(node, sandbox, kind, faults, receiver);
		fixture.foreign.push(...sandbox.endpoints());
		const model = new LifecycleModel(fixture, line, await loadInProcess(0));
		model.manual.limitEndpoints();
		model.lifecycle.openRoutes(receiver);
		return model;
	}

	/**
	 * Runs a step, then checks the invariants.
	 *
	 * @throws an Error that names the step and the broken invariant
	 */
	async run(step: Step): Promise<void> {
		const { fixture } = this;
		// The list shows the changes of a step before the user takes the next step.
		skipTime((fixture.kind.lagMs ?? 0) + 1_000);
		const isPublish = step.do === 'publish' && step.events === 'same';
		if (step.do === 'start' && step.data === 'older') {
			this.lifecycle.loseStaticData('earlier activation');
			this.polls.forget();
		}
		const mayAdopt = step.do === 'start' || (isPublish && this.line === '2.41');
		const adoptable = mayAdopt ? this.invariants.adoptable(this.events) : undefined;
		const { faults = [], killedAfter, deliversEarly = false } = step as Partial<StartStep>;
		this.calls.deliversEarly = deliversEarly;
		const killed = fixture.faults.plan(faults, killedAfter).then(() => true);
		const isKilled = await Promise.race([killed, this.perform(step).then(() => false)]);
		const isUndisturbed = !isKilled && fixture.faults.injected.length === 0;
		void fixture.faults.plan([]);
		if (isKilled) await this.kill();
		try {
			await this.invariants.check();
			if (adoptable && isUndisturbed) {
				const [endpoint] = fixture.ownEndpoints();
				assert.equal(endpoint?.id, adoptable, 'a matching endpoint is adopted');
			}
		} catch (error) {
			throw new Error(`After "${step.do}": ${(error as Error).message}`);
		}
	}

	/** Unpublishes without faults, and checks that no own endpoint is left, at the test URL either. */
	async finish(): Promise<void> {
		const { fixture, lifecycle } = this;
		if (lifecycle.listener) await this.run({ do: 'toggle listener', ...undisturbed });
		await this.run({ do: 'unpublish', ...undisturbed });
		await this.run({ do: 'let time pass', minutes: 13 });
		await this.run({ do: 'publish', events: 'same', ...undisturbed });
		await this.run({ do: 'unpublish', ...undisturbed });
		const mayBeLeft = (endpoint: StoredEndpoint) =>
			hidesTokens(fixture.kind) || !fixture.hasCurrentToken(endpoint);
		if (fixture.ownEndpoints(true).some(mayBeLeft)) {
			// Without a listed token of the current API key, only the next listener removes an endpoint.
			await this.run({ do: 'toggle listener', ...undisturbed });
			await this.run({ do: 'toggle listener', ...undisturbed });
		}
		assert.deepEqual(fixture.sandbox.endpoints(), fixture.foreign, 'no own endpoint is left');
	}

	private async perform(step: Step): Promise<void> {
		const { lifecycle, fixture } = this;
		switch (step.do) {
			case 'publish':
				return await this.publish(step.events);
			case 'unpublish':
				return await this.polls.during(
					async () =>
						await (this.line === '2.41' ? lifecycle.unpublish() : lifecycle.unpublishAs1x()),
				);
			case 'start':
				return await this.start(step);
			case 'toggle listener':
				this.calls.isListenerClosed = false;
				await lifecycle.toggleListener().catch(() => {});
				if (this.calls.isListenerClosed) lifecycle.listener = undefined;
				return;
			case 'miss an event':
				return await this.polls.catchUp();
			case 'let polls mend':
				if (lifecycle.listener) await lifecycle.toggleListener().catch(() => {});
				return await this.polls.mend();
			case 'publish during a poll':
				return await this.polls.during(async () => await this.publish(step.events));
			case 'kill listener':
				return this.killListener();
			case 'let time pass':
				// n8n closes a listener after two minutes.
				if (lifecycle.listener) await lifecycle.toggleListener();
				return skipTime(step.minutes * 60_000);
			case 'lose static data':
				this.polls.forget();
				return lifecycle.loseStaticData(step.to);
			case 'receive': {
				lifecycle.load();
				if (!this.invariants.isReachable()) return;
				const endpoint = fixture.ownEndpoints().at(-1)!;
				await fixture.deliver(fixture.node, endpoint, this.events[0] ?? 'chat.completed');
				return lifecycle.save();
			}
			case 'become a copy':
				this.polls.forget();
				return await this.manual.run(step);
			default:
				return await this.manual.run(step);
		}
	}

	private async publish(events: string[] | 'same'): Promise<void> {
		const { lifecycle, fixture } = this;
		if (events !== 'same') this.events = events;
		else if (lifecycle.published) this.events = lifecycle.published.events as string[];
		const parameters = parametersFor(this.events, fixture.kind);
		await (this.line === '2.41'
			? this.expectSuccess(async () => await lifecycle.publish(parameters))
			: this.expectSuccess(async () => await lifecycle.publishAs1x(parameters), 1));
	}

	private async start({ mode, faults, again }: StartStep): Promise<void> {
		const { lifecycle, invariants, observer, fixture } = this;
		if (this.line === '2.41' && !lifecycle.isActivated) return;
		const isSilent = faults.some(({ seconds }) => seconds !== undefined);
		const isKept = isSilent && invariants.isKept();
		const adoptable = invariants.adoptable(this.events);
		const before = fixture.ownEndpoints().map(({ id }) => id);
		const expectSame = (invariant: string) => {
			const after = fixture.ownEndpoints().map(({ id }) => id);
			observer.expectInvariant(isDeepStrictEqual(after, before), invariant);
		};
		const startOnce = async () => {
			await this.changeProcess(mode);
			await (this.line === '2.41' ? lifecycle.start(mode) : lifecycle.startAs1x(mode));
		};
		if (isKept) {
			await startOnce();
			expectSame('a start keeps the endpoint while the service is silent');
		} else {
			await this.expectSuccess(startOnce);
		}
		if (!again) return;
		fixture.faults.end();
		await this.expectSuccess(startOnce);
		if (isKept && adoptable) expectSame('the next start adopts the kept endpoint');
	}

	/** Checks that n8n shows an error only after a fault, or if the service has no room. */
	private async expectSuccess(run: () => Promise<void>, attempts?: 1): Promise<void> {
		const { faults, kind } = this.fixture;
		const { limit = Infinity } = kind;
		const room = limit - this.fixture.ownEndpoints(true).length;
		// At its limit, the service refuses the first attempt; the `delete` after it makes room.
		const isFull = room < 1 || (limit < Infinity && attempts === 1);
		await run().catch((error: unknown) =>
			this.observer.expectInvariant(
				isFull || faults.injected.length > 0,
				`n8n's attempts succeed without a fault: ${String(error)}`,
			),
		);
	}

	/** Kills n8n. */
	private async kill(): Promise<void> {
		this.killListener();
		this.lifecycle.activation = undefined;
		await this.changeProcess('init');
	}

	/** Moves the trigger to the other main process, or to a new process. */
	private async changeProcess(mode: StartMode): Promise<void> {
		const { node } = this.fixture;
		const isTakeover = mode === 'leadershipChange';
		const next = (isTakeover && this.standby) || (await loadInProcess(this.processes++));
		if (isTakeover) this.standby = node.types;
		node.types = next;
	}

	private killListener(): void {
		const { observer, lifecycle } = this;
		lifecycle.listener = undefined;
		observer.expectedCounts.delete(true);
	}
}

function parametersFor(events: string[], kind: ServiceKind): INodeParameters {
	const options = { testEvent: kind.testEvent ?? 'real', verifySignature: isSigning(kind) };
	return { events, ...pollOften, options };
}
