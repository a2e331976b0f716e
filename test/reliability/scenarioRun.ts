import { isDeepStrictEqual } from 'node:util';
import type { FaultChooser } from '../../sandbox/service';
import { N8nLifecycle } from '../support/n8n/lifecycle';
import { Receiver } from '../support/n8n/receiver';
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

const failToDelete: FaultChooser = ({ method }) =>
	method === 'DELETE' ? { kind: 'status', status: 500, body: { message: 'Fault' } } : undefined;

/** Creates the first endpoint, but drops the connection before the answer. */
export const loseFirstAnswerToCreate = (): FaultChooser => {
	let left = 1;
	return ({ method }) => (method === 'POST' && left-- > 0 ? { kind: 'drop-after' } : undefined);
};

/** The steps of a scenario, applied to one trigger. */
export class ScenarioRun {
	private readonly lifecycle: N8nLifecycle;

	private readonly foreign: unknown[];

	private isPublished = false;

	/** The index of the selected event type. */
	private selected: 0 | 1 = 0;

	private readonly counts = { ...noFaults };

	private readonly steps: Record<string, () => Promise<void> | void> = {
		publish: () => this.publish(),
		'publish with lost answer': () => this.publish(loseFirstAnswerToCreate()),
		'publish others': () => {
			this.selected = this.selected === 0 ? 1 : 0;
			return this.publish();
		},
		unpublish: () => this.unpublish(),
		'unpublish without delete': () => this.unpublish(failToDelete),
		'unpublish while down': () => this.unpublish(() => ({ kind: 'drop-before' })),
		'start 1.x': () => this.withFault(undefined, () => this.lifecycle.startAs1x()),
		'lose static data': () => {
			this.lifecycle.loseStaticData('nothing');
			return this.check();
		},
		// Without a start of n8n. The old URL does not work any more.
		'change URL': () => void (this.trigger.node.webhookBase = `${this.receiver.base}moved/`),
		remove: () => {
			for (const { id } of this.ownEndpoints()) this.trigger.service.removeEndpoint(id);
		},
	};

	private constructor(
		private readonly receiver: Receiver,
		private readonly trigger: ComparedTrigger,
	) {
		const { node, service, eventTypes } = trigger;
		this.lifecycle = new N8nLifecycle(node);
		service.addEndpoint({ url: `${node.webhookUrl()}-of-another`, events: [...eventTypes] });
		this.foreign = service.endpoints();
	}

	/**
	 * Runs all steps of a scenario with a new trigger.
	 *
	 * @param steps their names, such as `publish > unpublish`
	 */
	static async of(steps: string, startTrigger: (receiver: Receiver) => Promise<ComparedTrigger>) {
		const receiver = await Receiver.start();
		const trigger = await startTrigger(receiver);
		try {
			const run = new ScenarioRun(receiver, trigger);
			for (const name of steps.split(' > ')) {
				const step = run.steps[name];
				if (!step) throw new Error(`There is no step "${name}"`);
				await step();
			}
			return run.end();
		} finally {
			await trigger.service.stop();
			await receiver.stop();
		}
	}

	private async publish(fault?: FaultChooser): Promise<void> {
		this.isPublished = true;
		const parameters = this.trigger.parametersFor(this.trigger.eventTypes[this.selected]);
		await this.withFault(fault, () => this.lifecycle.publish(parameters));
	}

	private async unpublish(fault?: FaultChooser): Promise<void> {
		this.isPublished = false;
		await this.withFault(fault, () => this.lifecycle.unpublish());
	}

	private async withFault(fault: FaultChooser | undefined, act: () => Promise<void>) {
		const { service } = this.trigger;
		service.fault = fault;
		await act().catch(() => this.counts['publishes failed']++);
		service.fault = undefined;
		await this.check();
	}

	/** Counts the endpoints, and delivers an event. */
	private async check(): Promise<void> {
		if (!this.isPublished) return;
		const { receiver, lifecycle } = this;
		const { node, service, eventTypes } = this.trigger;
		this.counts.duplicates += Math.max(this.ownEndpoints().length - 1, 0);

		receiver.close();
		if (lifecycle.hasRoute) receiver.open(node);
		lifecycle.load();
		const stored = structuredClone(node.staticData);
		const before = receiver.received.length;
		service.emit(eventTypes[this.selected]);
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
