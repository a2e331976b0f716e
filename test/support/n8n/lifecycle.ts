import { isDeepStrictEqual } from 'node:util';
import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeParameters,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { isFulfilled } from '../../../sandbox/stack/until';
import { tokenOf } from '../service/callbackTokens';
import { asStored, type Method, type NodeInWorkflow, type StaticData } from './core';
import type { Receiver } from './receiver';
import { receiveRequest } from './request';

/**
 * Calls a webhook method of the trigger, at its production URL or (`test`) at its test URL.
 *
 * @param node the trigger in the calling process
 * @param activation the reason for the call, as n8n tells it to the node
 */
export type Caller = (
	method: Method,
	test: boolean,
	node: NodeInWorkflow<object>,
	activation?: WorkflowActivateMode,
) => Promise<boolean>;

/** Why n8n activates the published triggers of a workflow: it starts, or another main process takes over. */
export type StartMode = Extract<WorkflowActivateMode, 'init' | 'leadershipChange'>;

/** `TRIGGER_ACTIVATION_MAX_ATTEMPTS` in `constants.js`. */
const ACTIVATION_ATTEMPTS = 5;
/** `TRIGGER_TEARDOWN_MAX_ATTEMPTS` there. */
const TEARDOWN_ATTEMPTS = 3;

/**
 * A model of n8n: the order in which n8n calls the methods of one trigger, and when n8n stores static
 * data. The sources are in `dist/workflows/` of n8n 2.41.1:
 *
 * - `publication/workflow-publication-applier.js`, `publication/trigger-diff.js`: the comparison of
 *   triggers by a publish, an unpublish and a start
 * - `publication/workflow-publication-reconciler.service.js`: a start, which activates the triggers with a
 *   poll anew that were activated before
 * - `triggers/workflow-trigger-activator.js`, `triggers/trigger-activation-retry.js`: the attempts
 * - `triggers/webhook-trigger-registrar.js`: `delete` after a failed attempt
 * - `../webhooks/test-webhooks.js`: "Listen for test event"
 *
 * and in n8n 1.123.81 and 2.0.3 (`…As1x`): `dist/active-workflow-manager.js`, `dist/workflows/workflow.service.js`.
 * `test/e2e/suites/trace.ts` compares the model with each of these n8n.
 */
export class N8nLifecycle {
	/** The published parameters, also after a failed publish. */
	published?: INodeParameters;

	/** Whether n8n has the trigger's route for POST. */
	hasRoute = false;
	/** Whether the last publish succeeded, so that n8n has the trigger's route for GET as well. */
	private hasAllRoutes = false;

	/** Whether the database states that the trigger is activated; a start of n8n 2.41 activates no other. */
	isActivated = false;

	/** The node on the `Workflow` object of its last activation; n8n polls on it, until it is killed. */
	activation?: NodeInWorkflow<object>;

	/**
	 * Is called with the items of each execution that a poll starts. Once it is fulfilled, the execution has ended,
	 * and n8n stores the static data; a rejection kills n8n.
	 */
	onStart?: (items: INodeExecutionData[][]) => void | Promise<void>;

	/** Why n8n can start no execution, such as a full disk. */
	refusal?: Error | Promise<Error>;

	/** Whether n8n can't reach its own webhook URL. */
	isUnreachable = false;

	/** The static data of an open test listener; n8n does not store it with the workflow. */
	listener?: IDataObject;

	private stored: StaticData = { staticData: {}, globalData: {} };

	private storedBefore = this.stored;

	/** The static data after the last two activations, the last one at the end. */
	private readonly storedByActivations: StaticData[] = [];

	/**
	 * @param node the trigger in n8n's memory
	 * @param wait is called with n8n's pause before the next attempt (ms)
	 */
	constructor(
		private readonly node: NodeInWorkflow<object>,
		private readonly caller: Caller = async (method, test, on, activation) =>
			await on.call(method, test, activation),
		private readonly wait: (ms: number) => void = () => {},
	) {}

	/**
	 * Publishes.
	 *
	 * @throws the error of the last attempt. The trigger stays published without the route for GET, so
	 *   publishing the same parameters again registers the trigger
	 */
	async publish(parameters: INodeParameters): Promise<void> {
		const isChanged = this.published && !isDeepStrictEqual(this.published, parameters);
		if (this.published && !isChanged && this.hasAllRoutes) return;
		this.load();
		if (isChanged) await this.tearDown();
		this.node.parameters = parameters;
		this.published = parameters;
		await this.register(isChanged ? 'update' : 'activate');
	}

	/**
	 * Starts, or takes over as another main process. A trigger without a poll is not activated anew.
	 *
	 * @throws the error of the last attempt. Then n8n has not registered the trigger, and the next start
	 *   does not register it either
	 */
	async start(mode: StartMode = 'init'): Promise<void> {
		if (!this.published || !this.isActivated) return;
		this.load();
		await this.register(mode);
	}

	/** Unpublishes. After a failed `delete`, n8n only logs a warning. */
	async unpublish(): Promise<void> {
		if (!this.published) return;
		this.load();
		await this.tearDown();
		this.published = undefined;
	}

	/**
	 * Saves and publishes as n8n 1.x does: each save of a published workflow removes its triggers and
	 * registers them again, with one attempt each. After an error the workflow is unpublished.
	 *
	 * @throws the error of the attempt
	 */
	async publishAs1x(parameters: INodeParameters): Promise<void> {
		await this.unpublishAs1x();
		this.load();
		this.node.parameters = parameters;
		this.published = parameters;
		try {
			await this.registerAs1x('activate', 1);
		} catch (error) {
			this.published = undefined;
			throw error;
		}
	}

	/** Unpublishes as n8n 1.x does: with one attempt, whose error is only logged. */
	async unpublishAs1x(): Promise<void> {
		if (!this.published) return;
		await this.clearAs1x().catch(() => {});
		this.hasRoute = false;
		this.published = undefined;
	}

	/**
	 * Starts as n8n 1.x does, which calls `checkExists` of each published trigger.
	 *
	 * @throws the error of the fifth attempt, with which the model ends; n8n 1.x makes further attempts
	 */
	async startAs1x(mode: StartMode = 'init'): Promise<void> {
		if (!this.published) return;
		this.load();
		await this.registerAs1x(mode);
	}

	/** Polls, as n8n does each minute. @returns each started execution, or its error */
	async poll() {
		return (await this.activation?.poll()) ?? [];
	}

	/**
	 * Opens a test listener, or closes the open one.
	 *
	 * @throws the error of `checkExists`, `create` or `delete`
	 */
	async toggleListener(): Promise<void> {
		const production = this.node.staticData;
		this.node.staticData = this.listener ?? {};
		const isOpening = this.listener === undefined;
		this.listener = undefined;
		try {
			if (!isOpening) {
				await this.caller('delete', true, this.node);
				return;
			}
			try {
				if (!(await this.caller('checkExists', true, this.node)))
					await this.caller('create', true, this.node);
				this.listener = asStored(this.node.staticData);
			} catch (error) {
				await this.caller('delete', true, this.node);
				throw error;
			}
		} finally {
			this.node.staticData = production;
		}
	}

	/** @returns the node in a process that receives a request, with the stored static data */
	receiver(test: boolean): NodeInWorkflow<object> {
		const receiver = this.inDatabase();
		if (test) receiver.staticData = asStored(this.listener ?? {});
		return receiver;
	}

	/** Opens the routes at which other processes of n8n receive requests, also while no trigger is published. */
	openRoutes(receiver: Receiver): void {
		for (const isTest of [false, true]) {
			const webhookUrl = () => this.node.webhookUrl(isTest);
			const receive: NodeInWorkflow['receive'] = async (...received) =>
				await this.receiver(isTest).receive(...received);
			receiver.open({ webhookUrl, receive }, isTest ? 'manual' : 'webhook');
		}
	}

	/** Reads the static data from the database. */
	load(node = this.node): void {
		Object.assign(node, asStored(this.stored));
	}

	/** Writes the static data to the database. */
	save({ staticData, globalData }: StaticData = this.node): void {
		this.storedBefore = this.stored;
		this.stored = asStored({ staticData, globalData });
	}

	/** Replaces the stored static data with a copy of another workflow's. */
	become(copied: IDataObject): void {
		this.stored = asStored({ staticData: copied, globalData: {} });
		this.load();
	}

	/** Restores the static data before the last write or before the last activation, or deletes all of it. */
	loseStaticData(to: 'nothing' | 'last write' | 'earlier activation'): void {
		const nothing = { staticData: {}, globalData: {} };
		const [earlier = nothing] = this.storedByActivations;
		const older = { nothing, 'last write': this.storedBefore, 'earlier activation': earlier };
		this.stored = older[to];
		this.load();
	}

	private inDatabase(): NodeInWorkflow<object> {
		const inDatabase = this.node.twin({});
		this.load(inDatabase);
		return inDatabase;
	}

	/** Calls `delete` with static data from the database; static data in memory does not change. */
	private async clearAs1x(): Promise<void> {
		const inDatabase = this.inDatabase();
		await this.caller('delete', false, inDatabase);
		this.save(inDatabase);
	}

	/** Activates as n8n 2.41 does: with a poll at the same time. It stores the static data in any case. */
	private async register(mode: WorkflowActivateMode): Promise<void> {
		const activation = this.activate(mode);
		const clear = async () => {
			await this.caller('delete', false, activation);
			this.saveChanges(activation);
		};
		const poll = activation.poll();
		try {
			await this.attempt(activation, mode, clear);
			this.isActivated = true;
		} catch (error) {
			this.isActivated = false;
			throw error;
		} finally {
			await poll;
			this.saveActivation(activation);
		}
	}

	/** Activates as n8n 1.x does: with a poll after the webhooks. */
	private async registerAs1x(mode: WorkflowActivateMode, maxAttempts?: number): Promise<void> {
		const activation = this.activate(mode);
		await this.attempt(activation, mode, async () => await this.clearAs1x(), maxAttempts);
		await activation.poll();
		this.saveActivation(activation);
	}

	private activate(mode: WorkflowActivateMode) {
		const activation = this.node.activation(
			mode,
			async (items) => {
				this.saveChanges(activation);
				return await this.run(items);
			},
			async (options) => await this.receiveOwn(options),
		);
		this.activation = activation;
		return activation;
	}

	/** Runs an execution with the static data of its start, which n8n stores at its end. */
	private async run(items: INodeExecutionData[][]): Promise<INodeExecutionData[][] | Error> {
		if (this.refusal) return await this.refusal;
		const execution = this.inDatabase();
		const before = asStored(execution.staticData);
		const output = await execution.runTrigger(items);
		await this.onStart?.(items);
		if (!isDeepStrictEqual(before, asStored(execution.staticData))) this.save(execution);
		return output;
	}

	/** Answers a request of n8n to its own webhook URL. */
	private async receiveOwn({ url, body, headers }: IHttpRequestOptions): Promise<unknown> {
		if (!this.hasRoute || this.isUnreachable) throw new Error('connect ECONNREFUSED');
		const receiver = this.receiver(false);
		const sent = { token: tokenOf(url), headers, text: body as string };
		const { status, answer } = await receiveRequest(receiver, sent);
		this.save(receiver);
		if (status >= 400) throw new Error(`status ${status}`);
		return answer;
	}

	/** Stores the static data of an activation, as a poll and the end of an activation do. */
	private saveChanges(activation: NodeInWorkflow<object>): void {
		const changes = activation.takeChanges();
		if (changes) this.save(changes);
	}

	private saveActivation(activation: NodeInWorkflow<object>): void {
		this.saveChanges(activation);
		this.storedByActivations.splice(0, this.storedByActivations.length - 1);
		this.storedByActivations.push(this.stored);
	}

	/** All attempts share one `Workflow` object. */
	private async attempt(
		activation: NodeInWorkflow<object>,
		mode: WorkflowActivateMode,
		clear: () => Promise<void>,
		maxAttempts = ACTIVATION_ATTEMPTS,
	): Promise<void> {
		for (let attempt = 1; ; attempt++) {
			this.hasRoute = true;
			this.hasAllRoutes = false;
			try {
				if (!(await this.caller('checkExists', false, activation, mode))) {
					await this.caller('create', false, activation, mode);
				}
				this.hasAllRoutes = true;
				return;
			} catch (error) {
				// n8n logs the error of `clear`, and continues with the error of the attempt.
				this.hasRoute = !(await isFulfilled(clear()));
				if (attempt === maxAttempts) throw error;
				this.wait(1_000 * 2 ** (attempt - 1));
			}
		}
	}

	/** Removes the routes first; the error of the last attempt is only logged. */
	private async tearDown(): Promise<void> {
		this.hasRoute = false;
		this.hasAllRoutes = false;
		this.isActivated = false;
		for (let attempt = 1; attempt <= TEARDOWN_ATTEMPTS; attempt++) {
			if (await isFulfilled(this.caller('delete', false, this.node))) break;
			if (attempt < TEARDOWN_ATTEMPTS) this.wait(1_000 * attempt);
		}
		this.save();
	}
}
