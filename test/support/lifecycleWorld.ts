import { strict as assert } from 'node:assert';
import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/service';
import type { Line } from '../../sandbox/stack/install-n8n';
import { skipTime, type Faults } from './lifecycleFaults';
import { Promises } from './lifecyclePromises';
import { happened, Scene, type StoredEndpoint } from './lifecycleScene';
import { hidesTokens, listsAll, takesOnce, type ServiceKind } from './lifecycleServices';
import { neighbours, worthHaving, type Step, type Trouble } from './lifecycleSteps';
import { Turns } from './lifecycleTurns';
import { NodeInWorkflow } from './n8nCore';
import type { Receiver } from './receiver';
import { N8nLifecycle, type Method, type Processes } from './n8nLifecycle';

/** Where the triggers of a world live. */
export interface Place {
	kind: ServiceKind;
	sandbox: Sandbox;
	faults: Faults;
	/** The public side of n8n, for services that challenge it. */
	receiver: Receiver;
}

const EVENTS = ['call.completed'];

/** A trigger in an n8n at a service, and what must be true of them after each step. */
export class LifecycleWorld {
	private readonly promises: Promises;

	private events = EVENTS;

	/** Whether the service delivers while `create` runs. */
	private early = false;

	/** Whether a delivery has closed the listener that is being opened. */
	private isListenerClosed = false;

	private readonly lifecycle: N8nLifecycle;

	private constructor(
		private readonly scene: Scene,
		private readonly receiver: Receiver,
		private readonly line: Line,
	) {
		this.promises = new Promises(scene);
		this.lifecycle = new N8nLifecycle(
			scene.node,
			async (method, test, node) => await this.call(method, test, node),
			skipTime,
		);
	}

	static async create({ kind, sandbox, faults, receiver }: Place, line: Line) {
		const isChallenged = kind.dialect.challenge !== undefined;
		const node = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: parametersFor(EVENTS, kind),
			credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey },
			webhookBase: isChallenged ? receiver.base : undefined,
		});
		const world = new LifecycleWorld(new Scene(node, sandbox, kind, faults), receiver, line);
		world.limitEndpoints();
		if (isChallenged) world.openRoutes();
		return world;
	}

	/**
	 * Takes a step, then checks what must be true.
	 *
	 * @throws AssertionError that says what was promised
	 */
	async take(step: Step): Promise<void> {
		const { scene, lifecycle, promises } = this;
		// People take their time: a list that is behind has caught up meanwhile.
		skipTime((scene.kind.lagMs ?? 0) + 1_000);
		const adoptable = this.adoptable(step);
		const { faults = [], killedAfter, early = false } = step as Partial<Trouble>;
		this.early = early;
		const killed = scene.faults.plan(faults, killedAfter).then(() => true);
		const isKilled = await Promise.race([killed, this.do(step).then(() => false)]);
		const isWell = !isKilled && scene.faults.struck.length === 0;
		this.countLostAnswers();
		void scene.faults.plan([]);
		if (isKilled) this.loseListener();
		try {
			await promises.check(lifecycle);
			if (adoptable && isWell) {
				assert.equal(scene.ours()[0]?.id, adoptable, 'an endpoint that fits is adopted');
			}
		} catch (error) {
			throw new Error(`After "${step.do}": ${(error as Error).message}`);
		}
	}

	/** Ends everything on a service that is well, and checks that every kind of trace goes. */
	async end(): Promise<void> {
		const { scene, lifecycle } = this;
		const well = { faults: [], early: false };
		if (lifecycle.listener) await this.take({ do: 'toggle listener', ...well });
		await this.take({ do: 'unpublish', ...well });
		await this.take({ do: 'let time pass', minutes: 13 });
		await this.take({ do: 'publish', events: 'same', ...well });
		await this.take({ do: 'unpublish', ...well });
		if (scene.ours(true).some((one) => hidesTokens(scene.kind) || !scene.hasPresentToken(one))) {
			// Its token proves whose it is and how old, where the list shows it and the key is the same.
			await this.take({ do: 'toggle listener', ...well });
			await this.take({ do: 'toggle listener', ...well });
		}
		assert.deepEqual(scene.sandbox.endpoints(), scene.foreign, 'no endpoint of ours is left');
	}

	/** Empties the service for the next world. */
	clear(): void {
		for (const { id } of this.scene.sandbox.endpoints()) this.scene.sandbox.removeEndpoint(id);
		this.receiver.close();
		// What was removed is not shown to the next world.
		skipTime(60_000);
	}

	private async do(step: Step): Promise<void> {
		const { lifecycle, scene, promises } = this;
		const { sandbox } = scene;
		switch (step.do) {
			case 'publish':
				return await this.publish(step.events);
			case 'publish twice':
				return await this.publish(step.events, this.inTurns(step.order));
			case 'unpublish':
				return await (this.line === '2.41' ? lifecycle.unpublish() : lifecycle.unpublishAs1x());
			case 'start 1.x':
				return await this.afterFaultsOnly(async () => await lifecycle.startAs1x());
			case 'toggle listener':
				return await this.toggleListener();
			case 'kill listener':
				return this.loseListener();
			case 'let time pass':
				// n8n closes a listener after two minutes.
				if (lifecycle.listener) await lifecycle.toggleListener();
				return skipTime(step.minutes * 60_000);
			case 'lose static data':
				return lifecycle.loseStaticData(step.all);
			case 'remove by hand': {
				const [oldest] = scene.ours();
				if (oldest) sandbox.removeEndpoint(oldest.id);
				return void promises.expected.delete(false);
			}
			case 'move by hand': {
				const [oldest] = scene.ours();
				if (!oldest) return;
				sandbox.moveEndpoint(oldest.id, neighbours.host(oldest.url));
				happened('an endpoint was pointed elsewhere');
				this.keepAsForeign(oldest.id);
				return void promises.expected.delete(false);
			}
			case 'duplicate by hand': {
				if (takesOnce(scene.kind)) return;
				const { url, events } = scene.ours().at(-1) ?? { url: scene.someUrl(), events: undefined };
				sandbox.addEndpoint({ url: step.token === 'same' ? url : scene.someUrl(), events });
				return void promises.expected.delete(false);
			}
			case 'disable': {
				const [endpoint] = scene.ours();
				if (!endpoint) return;
				sandbox.disableEndpoint(endpoint.id, step.shown);
				// What it shows now stands in place of what it showed before.
				if (worthHaving.includes(step.shown)) return void scene.disabled.delete(endpoint.id);
				scene.disabled.add(endpoint.id);
				return happened('the service disabled the endpoint');
			}
			case 'rotate key': {
				const apiKey = sandbox.createKey('Rotated', ['workspace:admin']);
				scene.node.credential = { ...scene.node.credential, apiKey };
				return happened('the endpoint outlived its API key', scene.ours().length);
			}
			case 'become a copy':
				return await this.becomeCopy();
			case 'add foreign': {
				// Another n8n with a copy of the workflow and the same API key makes tokens as good as ours.
				const url = scene.ours().at(-1)?.url ?? scene.someUrl();
				const id = sandbox.addEndpoint({ url: neighbours[step.beside](url) });
				return this.keepAsForeign(id);
			}
			case 'receive': {
				lifecycle.load();
				if (!promises.isReachable(lifecycle)) return;
				await scene.deliver(scene.node, scene.ours().at(-1)!, this.events[0] ?? 'chat.completed');
				return lifecycle.save();
			}
		}
	}

	private async publish(events: string[] | 'same', processes?: Processes): Promise<void> {
		const { lifecycle, scene } = this;
		if (events !== 'same') this.events = events;
		else if (lifecycle.published) this.events = lifecycle.published.events as string[];
		const parameters = parametersFor(this.events, scene.kind);
		await (this.line === '2.41'
			? this.afterFaultsOnly(async () => await lifecycle.publish(parameters, processes))
			: this.afterFaultsOnly(async () => await lifecycle.publishAs1x(parameters, processes), {
					triesOnce: true,
				}));
	}

	/** n8n shows a failure to the user, which only a service that is not well, or is full, may cause. */
	private async afterFaultsOnly(
		attempt: () => Promise<void>,
		{ triesOnce = false } = {},
	): Promise<void> {
		const { faults, kind } = this.scene;
		const { limit = Infinity } = kind;
		const room = limit - this.scene.ours(true).length;
		// With one try, the first no of a service that is full is the last.
		const isFull = room < 1 || (limit < Infinity && triesOnce);
		await attempt().catch((error: unknown) =>
			this.promises.promise(
				isFull || faults.struck.length > 0,
				`n8n's tries are enough at a service that is well: ${String(error)}`,
			),
		);
	}

	private async toggleListener(): Promise<void> {
		this.isListenerClosed = false;
		await this.lifecycle.toggleListener().catch(() => {});
		if (this.isListenerClosed) this.lifecycle.listener = undefined;
	}

	/** Calls a method for n8n, and watches it. */
	private async call(
		method: Method,
		test: boolean,
		node: NodeInWorkflow<object>,
	): Promise<boolean> {
		const { scene, promises } = this;
		const begun = promises.begin(test);
		const atTestUrl = scene.ours(true).length;
		let isDisturbed = false;
		const look = async () => {
			if (isDisturbed) return;
			promises.assertNoGap(test, begun);
			const [fresh] = promises.newSince(begun, test);
			if (!fresh || !this.early) return;
			this.early = false;
			isDisturbed = await this.deliverEarly(fresh, test);
		};
		scene.faults.watcher = method === 'create' && !promises.atOnce ? look : undefined;
		const run = async () => await node.call(method, test);
		try {
			return await promises.watch(method, test, node, run, () => isDisturbed);
		} finally {
			scene.faults.watcher = undefined;
			if (method === 'create' && !isDisturbed) promises.assertNoGap(test, begun);
			if (!test && scene.ours(true).length < atTestUrl) {
				happened("a killed listener's endpoint was removed after its time");
			}
		}
	}

	/**
	 * Delivers to an endpoint whose `create` still runs, so that n8n has stored nothing of it.
	 *
	 * @returns whether n8n closed its listener for that
	 */
	private async deliverEarly(endpoint: StoredEndpoint, test: boolean): Promise<boolean> {
		const { scene, promises, lifecycle } = this;
		const [type = 'chat.completed'] = scene.node.parameters.events as string[];
		const receiver = lifecycle.receiver(test);
		const { status, isStarted } = await scene.deliver(receiver, endpoint, type, { test });
		happened(test ? 'a delivery at a listener while create ran' : 'a delivery while create ran');
		const isRight = scene.isVerifying ? status === 503 && !isStarted : status === 200 && isStarted;
		promises.promise(isRight, `a delivery that comes while create runs counts, not ${status}`);
		if (!test || !isStarted) return false;
		this.isListenerClosed = true;
		await this.call('delete', true, receiver).catch(() => {});
		// What its list hid is left as if the listener had died.
		if (scene.kind.lagMs !== undefined) promises.expected.delete(true);
		return true;
	}

	/** Two processes that take turns, where there is room for both, and the list shows both. */
	private inTurns(order: boolean[]): Processes | undefined {
		const { scene, promises } = this;
		const { lagMs, limit } = scene.kind;
		if (lagMs !== undefined || limit !== undefined || hidesTokens(scene.kind)) return undefined;
		// With the one try of n8n 1.x, one of two calls gives up where an address is taken only once.
		if (takesOnce(scene.kind) && this.line === '1.123') return undefined;
		return async (run) => {
			const before = scene.keyOfToken.size;
			const turns = new Turns([...order]);
			scene.faults.turns = turns;
			promises.atOnce = true;
			try {
				await turns.run(
					[scene.node, scene.node.twin({ ...scene.node.staticData })].map(
						(node) => async () => await run(node),
					),
				);
			} finally {
				scene.faults.turns = undefined;
				promises.atOnce = false;
			}
			if (scene.keyOfToken.size - before > 1) happened('two creates sent a POST each');
		};
	}

	/** The endpoint that a step has to adopt, if nothing goes wrong meanwhile. */
	private adoptable(step: Step): string | undefined {
		const { scene, promises, lifecycle } = this;
		const isKept = this.line === '2.41' && step.do === 'publish' && step.events === 'same';
		if (step.do !== 'start 1.x' && !isKept) return undefined;
		// A late list may still show what was removed, beside the one that fits.
		if (scene.kind.lagMs !== undefined) return undefined;
		lifecycle.load();
		const [endpoint] = scene.ours();
		const { staticData } = scene.node;
		if (!endpoint || !promises.isReachable(lifecycle) || promises.isDeletedBy(staticData)) {
			return undefined;
		}
		const isRemembered = scene.isRemembered(endpoint, staticData);
		const hasToken = hidesTokens(scene.kind) ? isRemembered : scene.hasPresentToken(endpoint);
		// Without `events`, it may be subscribed to every one, or the list does not say.
		const hasEvents = this.events.length > 0 || listsAll(scene.kind) || isRemembered;
		const fits = hasToken && hasEvents && scene.hasSecret(endpoint.id, staticData);
		return fits && !scene.disabled.has(endpoint.id) ? endpoint.id : undefined;
	}

	private loseListener(): void {
		const { scene, promises, lifecycle } = this;
		lifecycle.listener = undefined;
		promises.expected.delete(true);
		happened("a killed listener's endpoint stayed", scene.ours(true).length);
	}

	/** The node comes with the static data of another one, which is published. */
	private async becomeCopy(): Promise<void> {
		const { scene, lifecycle } = this;
		const { parameters, credential, webhookBase } = scene.node;
		const options = { parameters, credential, webhookBase };
		const original = await NodeInWorkflow.create('voiceAgentTrigger', options);
		this.receiver.open(original);
		const before = scene.sandbox.endpoints().map(({ id }) => id);
		scene.sandbox.setQuota(undefined);
		await original.publish();
		const published = scene.sandbox.endpoints().filter(({ id }) => !before.includes(id));
		for (const { id } of published) this.keepAsForeign(id);
		lifecycle.become(original.staticData);
		happened('a copy began with the state of another');
	}

	private keepAsForeign(id: string): void {
		const { foreign, sandbox } = this.scene;
		const ids = [...foreign.map((endpoint) => endpoint.id), id];
		const kept = sandbox.endpoints().filter((endpoint) => ids.includes(endpoint.id));
		foreign.splice(0, foreign.length, ...kept);
		this.limitEndpoints();
	}

	private limitEndpoints(): void {
		const { kind, sandbox, foreign } = this.scene;
		if (kind.limit === undefined) return;
		sandbox.setQuota({ endpoints: foreign.length + kind.limit, status: 403 });
	}

	/** Answers the service's challenges, from a process that knows what n8n has stored. */
	private openRoutes(): void {
		const { scene, lifecycle, receiver } = this;
		const route: Parameters<Receiver['open']>[0] = {
			webhookUrl: (test) => scene.node.webhookUrl(test),
			receive: async (request, response, mode) =>
				await lifecycle.receiver(mode === 'manual').receive(request, response, mode),
		};
		receiver.open(route);
		receiver.open(route, 'manual');
	}

	private countLostAnswers(): void {
		const { isVerifying, faults } = this.scene;
		const lost = faults.struck.filter(
			({ call, fault }) => call === 'create' && /after|cut|receipt/.test(fault),
		);
		if (isVerifying) happened('an answer was lost while signatures are verified', lost.length);
	}
}

/** Asks for no sample, which would come while the next step is under way. */
function parametersFor(events: string[], { dialect }: ServiceKind): INodeParameters {
	const verification = dialect.signature && {
		signature: { settings: { scheme: 'standardWebhooks' } },
	};
	return { events, options: { testEvent: 'real', ...verification } };
}
