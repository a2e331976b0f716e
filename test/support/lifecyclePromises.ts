import { strict as assert } from 'node:assert';
import type { IDataObject } from 'n8n-workflow';

import type { RequestRecord } from '../../sandbox/service';
import { skippedTime, skipTime } from './lifecycleFaults';
import { happened, newToken, tokenOf, type Scene, type StoredEndpoint } from './lifecycleScene';
import { hidesTokens, takesOnce } from './lifecycleServices';
import type { NodeInWorkflow } from './n8nCore';
import type { Method, N8nLifecycle } from './n8nLifecycle';

/** How old an endpoint at a test URL gets before it counts as left from a dead listener. */
const LISTENER_LIFE_MS = 12 * 60_000;

/** What a call is compared with. */
interface Beginning {
	at: number;
	skipped: number;
	strikes: number;
	endpoints: StoredEndpoint[];
	lastRequest: RequestRecord | undefined;
}

/**
 * What must be true of a trigger, while n8n calls it and after. How many endpoints there have to be,
 * follows from how n8n's last call ended alone: one after a `checkExists` that was true and after a
 * `create`, none after a `delete`, and after a throw nobody knows.
 */
export class Promises {
	/** How many endpoints of ours there have to be, at the production and the test URL. */
	readonly expected = new Map<boolean, number>();

	/** Whether several processes call at once: then what one sees, another may have done. */
	atOnce = false;

	/** What was broken during a step, where n8n would have caught the error. */
	private broken: string[] = [];

	/** When the last list went out that the service answered, by URL. */
	private readonly listedAt = new Map<boolean, number>();

	/** When a call began that has cleaned up. */
	private sweptAt = -Infinity;

	/**
	 * What static data was after a `delete`, since what one that threw has left is not adopted, and after
	 * a `checkExists` that threw, which n8n answers with `delete`: the next `checkExists` asks nothing.
	 */
	private readonly deleted = new Set<string>();

	/** Endpoints that a list hid from a call that would have removed them. */
	private readonly hidden = new Set<string>();

	/** The last request that was looked at. */
	private lastSeen: RequestRecord | undefined;

	constructor(private readonly scene: Scene) {}

	/**
	 * Watches a call.
	 *
	 * @param run makes the call
	 * @param isDisturbed whether the endpoint was taken away under it
	 */
	async watch(
		method: Method,
		test: boolean,
		node: NodeInWorkflow<object>,
		run: () => Promise<boolean>,
		isDisturbed: () => boolean,
	): Promise<boolean> {
		const begun = this.begin(test);
		const state = JSON.stringify(node.staticData);
		this.expected.delete(test);
		try {
			const result = await run();
			this.learnTokens();
			this.succeed(method, test, result, begun, isDisturbed());
			if (method === 'checkExists' && result) this.assertAdoptable(test);
			if (method === 'delete') this.deleted.add(JSON.stringify(node.staticData));
			return result;
		} catch (error) {
			// Where an address is taken only once, one of two calls may find it taken twice.
			const isRace = this.atOnce && takesOnce(this.scene.kind);
			const isExcused = this.strikes(begun) > 0 || this.isRefused(begun) || isRace || isDisturbed();
			this.promise(isExcused, `${method} succeeds at a service that is well: ${String(error)}`);
			if (method !== 'create') this.deleted.add(JSON.stringify(node.staticData));
			throw error;
		} finally {
			// What n8n does meanwhile takes its own time.
			if (isDisturbed()) begun.skipped = Infinity;
			this.end(method, test, begun);
			if (method === 'checkExists' && this.deleted.has(state)) {
				happened('a check after a confirmed delete');
				const isSilent = this.atOnce || this.requests(begun).length === 0;
				this.promise(isSilent, 'a confirmed delete needs no question');
			}
		}
	}

	/** Looks at a request of a `create` whether one of ours is there: new first, old after. */
	assertNoGap(test: boolean, begun: Beginning): void {
		if (begun.endpoints.length === 0 || this.atOnce || this.hasToGoFirst(begun)) return;
		const isThere = this.scene.ours(test).length > 0;
		this.promise(isThere, 'create removes no endpoint before it has another');
	}

	/** What a call that begins now is compared with. */
	begin(test: boolean): Beginning {
		return {
			at: Date.now(),
			skipped: skippedTime(),
			strikes: this.scene.faults.struck.length,
			endpoints: this.scene.ours(test),
			lastRequest: this.scene.sandbox.requests.at(-1),
		};
	}

	/** Our endpoints that have come since. */
	newSince(begun: Beginning, test: boolean): StoredEndpoint[] {
		return this.scene.ours(test).filter(({ id }) => !begun.endpoints.some((old) => old.id === id));
	}

	/** Whether static data says that there is no endpoint, so that nobody asks for one. */
	isDeletedBy(staticData: IDataObject): boolean {
		return this.deleted.has(JSON.stringify(staticData));
	}

	promise(isKept: boolean, promised: string): void {
		if (!isKept) this.broken.push(promised);
	}

	/**
	 * Checks what must be true between two steps.
	 *
	 * @throws AssertionError that says what was promised
	 */
	async check(lifecycle: N8nLifecycle): Promise<void> {
		const { scene } = this;
		this.learnTokens();
		assert.deepEqual(this.broken, []);
		const own = [...scene.ours(), ...scene.ours(true)].map(({ id }) => id);
		const foreign = scene.sandbox.endpoints().filter(({ id }) => !own.includes(id));
		assert.deepEqual(foreign, scene.foreign, 'endpoints of others are not touched');

		this.checkCount(false, 'exactly one endpoint, or none');
		this.checkCount(true, 'one endpoint for an open listener, and else none');
		this.checkDeadListeners();
		lifecycle.load();
		this.checkSecrets(lifecycle);
		if (this.isReachable(lifecycle)) await this.checkDeliveries(lifecycle);
	}

	/** Whether the trigger is published and has its one endpoint, as far as n8n can know. */
	isReachable({ published, hasRoute }: N8nLifecycle): boolean {
		return !!published && hasRoute && this.expected.get(false) === 1;
	}

	private succeed(
		method: Method,
		test: boolean,
		result: boolean,
		begun: Beginning,
		isDisturbed: boolean,
	): void {
		if (method !== 'checkExists') this.sweptAt = begun.at;
		const hasLied = this.hasLied(begun);
		if (hasLied) this.sweptAt = -Infinity;
		if (isDisturbed || hasLied) return;
		if (method === 'delete') this.expected.set(test, 0);
		else if (method === 'create' || (result && !this.isStale())) this.expected.set(test, 1);
	}

	/**
	 * Whether a list still shows what was removed a moment ago. n8n 1.x keeps nothing of a `delete` that
	 * removed the endpoint and failed afterwards, so that the next `checkExists` can't know.
	 */
	private isStale(): boolean {
		const { kind, sandbox } = this.scene;
		if (kind.lagMs === undefined) return false;
		const since = Date.now() - kind.lagMs;
		return sandbox.requests.some(
			({ method, status = 0, at }) => method === 'DELETE' && isOk(status) && at > since,
		);
	}

	private end(method: Method, test: boolean, begun: Beginning): void {
		const { scene } = this;
		this.learnTokens();
		for (const request of this.requests(begun)) {
			const { method: verb, path, status = 0, at } = request;
			if (path !== '/webhooks') continue;
			if (verb === 'GET' && isOk(status)) this.listedAt.set(test, at);
			if (verb === 'POST') this.countAnswer(status, begun);
		}
		this.countRemovals(method, begun);
		if (method === 'checkExists' && !this.atOnce) {
			const isSame = JSON.stringify(scene.ours(test)) === JSON.stringify(begun.endpoints);
			this.promise(isSame, 'checkExists changes nothing at the service');
		}
		this.promise(skippedTime() - begun.skipped <= 10_000, `${method} keeps within ten seconds`);
	}

	/** Keeps which API key made which token. */
	private learnTokens(): void {
		const { keyOfToken, node, sandbox } = this.scene;
		for (const { method, path, body } of this.requests({ lastRequest: this.lastSeen })) {
			if (method !== 'POST' || path !== '/webhooks') continue;
			// Of a request that was cut off there is no body.
			const url = (body as { url?: string } | undefined)?.url;
			if (url) keyOfToken.set(tokenOf(url), node.credential.apiKey);
		}
		this.lastSeen = sandbox.requests.at(-1);
	}

	private countAnswer(status: number, { endpoints }: Beginning): void {
		const { dialect, limit } = this.scene.kind;
		if (isOk(status) && dialect.challenge === 'post') happened('a challenge while create ran');
		if (isOk(status) && dialect.recordEnvelope === 'request') {
			happened('a record beside a foreign id');
		}
		if (isOk(status) && dialect.sameUrl === 'old record' && endpoints.length > 0) {
			happened('an old record for the same address');
		}
		if (status === 409 && dialect.sameUrl === '409') happened('409 for the same address');
		if (status === 422 && dialect.sameUrl === '422') happened('422 for the same address');
		if (status === 403 && limit !== undefined) happened('a limit of endpoints');
	}

	private countRemovals(method: Method, { endpoints }: Beginning): void {
		const { disabled, sandbox } = this.scene;
		for (const { id } of endpoints) {
			if (sandbox.detailsOf(id)) continue;
			if (this.hidden.has(id)) happened('what a lagging list had hidden was removed');
			if (method === 'create' && disabled.has(id)) {
				happened('a disabled endpoint was registered anew');
			}
		}
	}

	/** What was adopted was worth it. */
	private assertAdoptable(test: boolean): void {
		const { scene } = this;
		const [endpoint] = scene.ours(test);
		if (!endpoint) return;
		happened('an endpoint was adopted');
		this.promise(!scene.disabled.has(endpoint.id), 'a disabled endpoint is not adopted');
		this.promise(
			hidesTokens(scene.kind) || scene.hasPresentToken(endpoint),
			'an endpoint whose token the present API key did not make is not adopted',
		);
	}

	private checkCount(test: boolean, promised: string): void {
		const { scene } = this;
		const count = this.expected.get(test);
		if (count === undefined) return;
		const ours = scene.ours(test);
		const extra = ours.length - count;
		const hidden = this.hiddenFrom(ours, test);
		if (extra > 0 && extra <= hidden.length) {
			happened('an endpoint that a lagging list hid stayed');
			for (const { id } of hidden) this.hidden.add(id);
			return;
		}
		assert.equal(ours.length, count, promised);
		const [endpoint] = ours;
		if (test || !endpoint) return;
		const events = scene.node.parameters.events as string[];
		assert.deepEqual(endpoint.events, events.length > 0 ? events : undefined, 'chosen events');
	}

	/** The endpoints that were too new for the last list that was read. */
	private hiddenFrom(endpoints: StoredEndpoint[], test: boolean): StoredEndpoint[] {
		const { lagMs = 0 } = this.scene.kind;
		const listed = this.listedAt.get(test) ?? -Infinity;
		return endpoints.filter((endpoint) => this.scene.createdAt(endpoint) > listed - lagMs);
	}

	/** Nothing is left at the test URL after its time, once a call could clean up. */
	private checkDeadListeners(): void {
		const { scene } = this;
		if (hidesTokens(scene.kind)) return;
		const left = scene
			.ours(true)
			// Only the present API key proves whose it is; with another, the next listener removes it.
			.filter((endpoint) => scene.hasPresentToken(endpoint))
			.filter((endpoint) => scene.createdAt(endpoint) < this.sweptAt - LISTENER_LIFE_MS - 1_000);
		assert.deepEqual(left, [], "a dead listener's endpoint goes after its time");
	}

	/** Static data travels with exported workflows. */
	private checkSecrets(lifecycle: N8nLifecycle): void {
		const { scene } = this;
		const stored = JSON.stringify([lifecycle.receiver(false).staticData, lifecycle.listener]);
		for (const token of scene.keyOfToken.keys()) {
			assert(!stored.includes(token), 'static data holds no token');
		}
		assert(!stored.includes(scene.node.credential.apiKey), 'static data holds no API key');
	}

	private async checkDeliveries(lifecycle: N8nLifecycle): Promise<void> {
		const { scene } = this;
		const endpoint = scene.ours().at(-1)!;
		const receiver = lifecycle.receiver(false);
		const type = (lifecycle.published?.events as string[])[0] ?? 'chat.completed';
		// The node asks for no more than one page of the list a second, here and below.
		skipTime(10_000);
		if (scene.knowsToken(endpoint, receiver.staticData)) {
			const isVerifiable = scene.hasSecret(endpoint.id, receiver.staticData);
			assert.deepEqual(
				await scene.deliver(receiver, endpoint, type),
				isVerifiable ? { status: 200, isStarted: true } : { status: 503, isStarted: false },
				'a delivery starts the workflow, or is asked to come again',
			);
			if (scene.isVerifying && isVerifiable) {
				const unsigned = await scene.deliver(receiver, endpoint, type, { isSigned: false });
				assert.equal(unsigned.status, 401, 'an unsigned delivery is refused');
			}
		}
		skipTime(10_000);
		const stranger = await scene.deliver(receiver, endpoint, type, { token: newToken() });
		assert(!stranger.isStarted, 'a stranger starts nothing');
		const refusals = hidesTokens(scene.kind) ? [401, 503] : [401];
		assert(refusals.includes(stranger.status), `a stranger is refused, not ${stranger.status}`);
	}

	private strikes({ strikes }: Beginning): number {
		return this.scene.faults.struck.length - strikes;
	}

	private requests({ lastRequest }: Pick<Beginning, 'lastRequest'>): RequestRecord[] {
		const { requests } = this.scene.sandbox;
		return requests.slice(lastRequest ? requests.lastIndexOf(lastRequest) + 1 : 0);
	}

	/** Whether the service has as many endpoints as it may: n8n's next try comes after a `delete`. */
	private isRefused(begun: Beginning): boolean {
		return (
			this.scene.kind.limit !== undefined &&
			this.requests(begun).some(({ method, status }) => method === 'POST' && status === 403)
		);
	}

	/** Whether the service has said that it takes an address only once. */
	private hasToGoFirst(begun: Beginning): boolean {
		const isConflict = ({ method, status = 0 }: RequestRecord) =>
			method === 'POST' && [400, 402, 409, 422].includes(status);
		return takesOnce(this.scene.kind) || this.requests(begun).some(isConflict);
	}

	/** Whether the service said, as often as the node asks again, that what it kept was removed or not there. */
	private hasLied({ strikes }: Beginning): boolean {
		const lies = this.scene.faults.struck
			.slice(strikes)
			.filter(({ call, fault }) => call === 'delete' && isLie(fault));
		return lies.length > 2;
	}
}

function isOk(status: number): boolean {
	return status >= 200 && status < 300;
}

function isLie(fault: string): boolean {
	return ['404', 'empty', 'receipt'].includes(fault);
}
