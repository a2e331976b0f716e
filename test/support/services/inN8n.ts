import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { skippedTime, skipTime } from '../lifecycleFaults';
import { NodeInWorkflow, type CredentialData } from '../n8nCore';
import { N8nLifecycle, type Method } from '../n8nLifecycle';
import type { SentDelivery } from './deliveries';
import { receive, type Outcome } from './receive';

/** Each lifecycle call keeps within ten seconds (design), but for the last wait that it may begin. */
const LONGEST_CALL_MS = 12_000;

/** A delivery that came, and what became of it. */
export interface Taken {
	delivery: SentDelivery;
	outcome: Outcome;
}

/**
 * A trigger node in an n8n: what n8n calls and stores, and where deliveries arrive. What comes while
 * `create` runs is taken by another process, which knows only what was stored before.
 */
export class TriggerInN8n {
	readonly lifecycle: N8nLifecycle;

	/** What came while `create` ran. */
	readonly whileCreating: Taken[] = [];

	/** What came to the test URL, but for what came while `create` ran. */
	readonly atListener: Taken[] = [];

	/** What n8n had stored before the call that is under way. */
	private database: IDataObject = {};

	private isCreating = false;

	/** How often the publish that is under way has failed. */
	private failures = 0;

	private constructor(
		readonly node: NodeInWorkflow,
		private readonly otherProcess: NodeInWorkflow,
	) {
		Object.assign(otherProcess, { workflowId: node.workflowId, webhookId: node.webhookId });
		this.lifecycle = new N8nLifecycle(node, async (method, test) => await this.call(method, test));
	}

	static async create(credential: CredentialData): Promise<TriggerInN8n> {
		const create = async () => await NodeInWorkflow.create('voiceAgentTrigger', { credential });
		return new TriggerInN8n(await create(), await create());
	}

	set parameters(parameters: INodeParameters) {
		this.node.parameters = parameters;
		this.otherProcess.parameters = parameters;
	}

	set credential(credential: CredentialData) {
		this.node.credential = credential;
		this.otherProcess.credential = credential;
	}

	/** Whether a URL is the production URL of the node, or its test URL, whatever the query. */
	isAt(url: string, test: boolean): boolean {
		return url.split('?')[0] === this.node.webhookUrl(test);
	}

	/** Takes a delivery to the test URL, as somebody listens there. */
	async takeAtListener(url: string, delivery: SentDelivery): Promise<Outcome> {
		this.otherProcess.staticData = copy(this.lifecycle.listener ?? {});
		const outcome = await receive(this.otherProcess, url, delivery, 'manual');
		(this.isCreating ? this.whileCreating : this.atListener).push({ delivery, outcome });
		return outcome;
	}

	/** Takes a delivery to the production URL. */
	async take(url: string, delivery: SentDelivery): Promise<Outcome> {
		if (this.isCreating) {
			this.otherProcess.staticData = copy(this.database);
			const outcome = await receive(this.otherProcess, url, delivery, 'webhook');
			this.whileCreating.push({ delivery, outcome });
			return outcome;
		}
		this.lifecycle.load();
		const outcome = await receive(this.node, url, delivery, 'webhook');
		this.lifecycle.save();
		this.database = copy(this.node.staticData);
		return outcome;
	}

	/** Loses all that n8n had stored. */
	loseStaticData(): void {
		this.lifecycle.loseStaticData(true);
		this.database = {};
	}

	private async call(method: Method, test: boolean): Promise<boolean> {
		// As n8n waits: 1, 2, 4, 8 s before it tries again to publish, after a `delete` of its own.
		if (method === 'checkExists' && this.failures > 0) skipTime(2 ** this.failures * 500);
		const from = skippedTime();
		this.isCreating = method === 'create';
		try {
			const result = await this.node.call(method, test);
			if (method === 'create' || (method === 'checkExists' && result)) this.failures = 0;
			if (method === 'delete' && !test) this.database = copy(this.node.staticData);
			return result;
		} catch (error) {
			if (method === 'delete') skipTime(1_000);
			else this.failures++;
			throw error;
		} finally {
			this.isCreating = false;
			const spent = skippedTime() - from;
			if (spent > LONGEST_CALL_MS) this.tookTooLong ??= `${method} took ${spent} ms`;
		}
	}

	/** Says which lifecycle call did not keep within its time, if any. */
	tookTooLong: string | undefined;
}

/** A copy as the database gives it back: JSON. */
function copy(staticData: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}
