import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeInWorkflow } from './n8nCore';

/** A webhook method of a trigger, as n8n names it. */
export type Method = 'checkExists' | 'create' | 'delete';

/**
 * Calls a webhook method of the trigger, at its production URL or (`test`) at its test URL.
 *
 * @param node the trigger as the calling process holds it
 */
export type Caller = (
	method: Method,
	test: boolean,
	node: NodeInWorkflow<object>,
) => Promise<boolean>;

/** In how many processes something is done, and how these take turns; by default in one. */
export type Processes = (run: (node: NodeInWorkflow<object>) => Promise<void>) => Promise<void>;

/** `TRIGGER_ACTIVATION_MAX_ATTEMPTS` in `constants.js`. */
const ACTIVATION_TRIES = 5;
/** `TRIGGER_TEARDOWN_MAX_ATTEMPTS` there. */
const TEARDOWN_TRIES = 3;

/**
 * The order in which n8n calls the methods of one trigger, and when it stores their static data. Read in the compiled code of n8n 2.41.1, in `dist/workflows/`:
 *
 * - `publication/workflow-publication-applier.js`, `publication/trigger-diff.js`: what a publish,
 *   an unpublish and a start compare, and what follows from it
 * - `triggers/workflow-trigger-activator.js`, `triggers/trigger-activation-retry.js`: the tries
 * - `triggers/webhook-trigger-registrar.js`: `delete` after a failed try
 * - `../webhooks/test-webhooks.js`: "Listen for test event"
 *
 * and of n8n 1.123.81 and 2.0.3 (`…As1x`): `dist/active-workflow-manager.js`, `dist/workflows/workflow.service.js`.
 * `test/e2e/trace.test.ts` compares it with each of them, running.
 */
export class N8nLifecycle {
	/** The parameters that n8n holds as published, be it that publishing them failed. */
	published?: INodeParameters;

	/** Whether deliveries are led to the node. */
	hasRoute = false;
	/** Whether the last publish succeeded, so that n8n has the trigger's route for GET, too. */
	private hasAllRoutes = false;

	/** The static data of an open test listener, which is never stored with the workflow. */
	listener?: IDataObject;

	private stored: IDataObject = {};

	private storedBefore: IDataObject = {};

	/**
	 * @param node whose `staticData` is what n8n holds in memory at the moment
	 * @param wait takes how long n8n waits before a further try (ms); without it, it does not wait
	 */
	constructor(
		private readonly node: NodeInWorkflow<object>,
		private readonly caller: Caller,
		private readonly wait: (ms: number) => void = () => {},
	) {}

	/**
	 * Publishes; also what a start of n8n 2.41 does with the parameters that are published already.
	 *
	 * @throws the error of the last try; n8n then shows the trigger as failed, and holds it as
	 *   published all the same. The route for GET, which comes last, is missing then, so that
	 *   publishing the same again registers the trigger
	 */
	async publish(parameters: INodeParameters, processes = this.oneProcess): Promise<void> {
		const isChanged = this.published && !isDeepStrictEqual(this.published, parameters);
		if (this.published && !isChanged && this.hasAllRoutes) return;
		this.load();
		if (isChanged) await this.tearDown();
		this.node.parameters = parameters;
		this.published = parameters;
		try {
			await processes(
				async (node) =>
					await this.activate(node, async () => {
						await this.caller('delete', false, node);
						this.save(node);
					}),
			);
		} catch (error) {
			this.save();
			throw error;
		}
	}

	/** Unpublishes. n8n only warns of a failure, and leaves behind what is there. */
	async unpublish(): Promise<void> {
		if (!this.published) return;
		this.load();
		await this.tearDown();
		this.published = undefined;
	}

	/**
	 * Saves and publishes as n8n 1.x does: every save of a published workflow, changed or not, removes
	 * its triggers and adds them again. One try each; a failed publish leaves it unpublished.
	 *
	 * @throws the error of the try
	 */
	async publishAs1x(parameters: INodeParameters, processes = this.oneProcess): Promise<void> {
		await this.unpublishAs1x();
		this.load();
		this.node.parameters = parameters;
		this.published = parameters;
		try {
			await processes(
				async (node) => await this.activate(node, async () => await this.clearAs1x(node), 1),
			);
		} catch (error) {
			this.published = undefined;
			throw error;
		}
	}

	/** Unpublishes as n8n 1.x does: one try, whose failure is only logged. */
	async unpublishAs1x(): Promise<void> {
		if (!this.published) return;
		await this.clearAs1x().catch(() => {});
		this.hasRoute = false;
		this.published = undefined;
	}

	/**
	 * Starts as n8n 1.x does: every published trigger is asked for its endpoint.
	 *
	 * @throws the error of the fifth try, where this stops watching; n8n 1.x goes on, ever more rarely
	 */
	async startAs1x(): Promise<void> {
		if (!this.published) return;
		this.load();
		await this.activate(this.node, async () => await this.clearAs1x());
	}

	/**
	 * Opens a test listener, or closes the open one.
	 *
	 * @throws what `checkExists`, `create` or the one `delete` threw
	 */
	async toggleListener(): Promise<void> {
		const production = this.node.staticData;
		this.node.staticData = this.listener ?? {};
		const isOpening = this.listener === undefined;
		this.listener = undefined;
		try {
			if (!isOpening) {
				await this.call('delete', true);
				return;
			}
			try {
				if (!(await this.call('checkExists', true))) await this.call('create', true);
				this.listener = asStored(this.node.staticData);
			} catch (error) {
				await this.call('delete', true);
				throw error;
			}
		} finally {
			this.node.staticData = production;
		}
	}

	/** The node as it is in a process that answers a request: with the static data of the moment. */
	receiver(test: boolean): NodeInWorkflow<object> {
		return this.node.twin(asStored(test ? (this.listener ?? {}) : this.stored));
	}

	/** Reads the static data from the database. */
	load(node = this.node): void {
		node.staticData = asStored(this.stored);
	}

	/** Writes the static data to the database. */
	save(node = this.node): void {
		this.storedBefore = this.stored;
		this.stored = asStored(node.staticData);
	}

	/** Takes over the static data of another workflow, of which this one is a copy. */
	become(copied: IDataObject): void {
		this.stored = asStored(copied);
		this.load();
	}

	/** Crashes before the last write to the database, or with the loss of everything in it. */
	loseStaticData(all: boolean): void {
		this.stored = all ? {} : this.storedBefore;
		this.load();
	}

	private readonly oneProcess: Processes = async (run) => await run(this.node);

	private async call(method: Method, test: boolean): Promise<boolean> {
		return await this.caller(method, test, this.node);
	}

	/** Calls `delete` on a workflow that is read anew: what is in memory stays as it is. */
	private async clearAs1x(node = this.node): Promise<void> {
		const inMemory = node.staticData;
		try {
			this.load(node);
			await this.caller('delete', false, node);
			this.save(node);
		} finally {
			node.staticData = inMemory;
		}
	}

	private async activate(
		node: NodeInWorkflow<object>,
		clear: () => Promise<void>,
		maxTries = ACTIVATION_TRIES,
	): Promise<void> {
		for (let tries = 1; ; tries++) {
			this.hasRoute = true;
			this.hasAllRoutes = false;
			try {
				if (!(await this.caller('checkExists', false, node))) {
					await this.caller('create', false, node);
				}
				this.save(node);
				this.hasAllRoutes = true;
				return;
			} catch (error) {
				await clear().then(
					() => (this.hasRoute = false),
					// n8n logs this one, and goes on with the error of the try.
					() => {},
				);
				if (tries === maxTries) throw error;
				this.wait(1_000 * 2 ** (tries - 1));
			}
		}
	}

	/** Routes go first; the failure of the last try is only logged. */
	private async tearDown(): Promise<void> {
		this.hasRoute = false;
		this.hasAllRoutes = false;
		for (let tries = 1; tries <= TEARDOWN_TRIES; tries++) {
			const isDone = await this.call('delete', false).then(
				() => true,
				() => false,
			);
			if (isDone) break;
			if (tries < TEARDOWN_TRIES) this.wait(1_000 * tries);
		}
		this.save();
	}
}

/** A copy as the database gives it back: JSON. */
function asStored(staticData: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}
