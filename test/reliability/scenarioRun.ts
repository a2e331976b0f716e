import { isDeepStrictEqual } from 'node:util';
import type { FaultChooser } from '../../sandbox/service';
import { N8nLifecycle } from '../support/n8nLifecycle';
import { Receiver } from '../support/receiver';
import type { ComparedTrigger } from './comparedTriggers';

/** The faults of a trigger, counted in one or more scenarios. */
export const noFaults = {
	/** Endpoints above one while the workflow is published. */
	duplicates: 0,
	/** Endpoints at the end, when the workflow is unpublished. */
	'left behind': 0,
	/** Changed or removed endpoints of other clients. */
	'others touched': 0,
	/** Events that started no execution: without an endpoint, or with a refused delivery. */
	'events lost': 0,
	/** Publishes and starts that n8n gave up. */
	'publishes failed': 0,
};
export type FaultCounts = typeof noFaults;

/** The steps of a scenario, applied to one trigger. */
export class ScenarioRun {
	private readonly lifecycle: N8nLifecycle;

	private readonly foreign: unknown[];

	private isPublished = false;

	private eventType: string;

	private readonly counts = { ...noFaults };

	private constructor(
		private readonly receiver: Receiver,
		private readonly trigger: ComparedTrigger,
	) {
		const { node, service, eventTypes } = trigger;
		this.lifecycle = new N8nLifecycle(node);
		this.eventType = eventTypes[0];
		service.addEndpoint({ url: `${node.webhookUrl()}-of-another`, events: [...eventTypes] });
		this.foreign = service.endpoints();
	}

	/** Runs all steps of a scenario with a new trigger. */
	static async of(
		steps: Array<(run: ScenarioRun) => Promise<void> | void>,
		startTrigger: (receiver: Receiver) => Promise<ComparedTrigger>,
	): Promise<FaultCounts> {
		const receiver = await Receiver.start();
		const trigger = await startTrigger(receiver);
		try {
			const run = new ScenarioRun(receiver, trigger);
			for (const step of steps) await step(run);
			return run.end();
		} finally {
			await trigger.service.stop();
			await receiver.stop();
		}
	}

	/**
	 * Publishes the workflow.
	 *
	 * @param selection the index of the selected event type; by default as before
	 */
	async publish({
		selection,
		fault,
	}: { selection?: 0 | 1; fault?: FaultChooser } = {}): Promise<void> {
		if (selection !== undefined) this.eventType = this.trigger.eventTypes[selection];
		this.isPublished = true;
		const parameters = this.trigger.parametersFor(this.eventType);
		await this.withFault(fault, async () => await this.lifecycle.publish(parameters));
	}

	async unpublish({ fault }: { fault?: FaultChooser } = {}): Promise<void> {
		this.isPublished = false;
		await this.withFault(fault, async () => await this.lifecycle.unpublish());
	}

	async startAs1x(): Promise<void> {
		await this.withFault(undefined, async () => await this.lifecycle.startAs1x());
	}

	async loseStaticData(): Promise<void> {
		this.lifecycle.loseStaticData('nothing');
		await this.check();
	}

	/** Changes `WEBHOOK_URL`, without a start of n8n. The old URL does not work any more. */
	changeWebhookUrl(): void {
		this.trigger.node.webhookBase = `${this.receiver.base}moved/`;
	}

	removeByHand(): void {
		for (const { id } of this.ownEndpoints()) this.trigger.service.removeEndpoint(id);
	}

	private async withFault(fault: FaultChooser | undefined, act: () => Promise<void>) {
		const { service } = this.trigger;
		service.fault = fault;
		try {
			await act();
		} catch {
			this.counts['publishes failed']++;
		} finally {
			service.fault = undefined;
		}
		await this.check();
	}

	/** Counts the endpoints, and delivers an event. */
	private async check(): Promise<void> {
		if (!this.isPublished) return;
		const { receiver, lifecycle } = this;
		const { node, service } = this.trigger;
		this.counts.duplicates += Math.max(this.ownEndpoints().length - 1, 0);

		receiver.close();
		if (lifecycle.hasRoute) receiver.open(node);
		lifecycle.load();
		const stored = structuredClone(node.staticData);
		const before = receiver.received.length;
		service.emit(this.eventType);
		await service.settled();
		if (!isDeepStrictEqual(node.staticData, stored)) lifecycle.save();
		const isExecuted = receiver.received.slice(before).some(({ items }) => items.length > 0);
		if (!isExecuted) this.counts['events lost']++;
	}

	private end(): FaultCounts {
		const endpoints = this.trigger.service.endpoints();
		const touched = this.foreign.filter(
			(foreign) => !endpoints.some((endpoint) => isDeepStrictEqual(endpoint, foreign)),
		);
		return {
			...this.counts,
			'left behind': this.ownEndpoints().length,
			'others touched': touched.length,
		};
	}

	private ownEndpoints() {
		const { node, service } = this.trigger;
		return service
			.endpoints()
			.filter(({ url }) => new URL(url).pathname.endsWith(`/${node.webhookId}/webhook`));
	}
}
