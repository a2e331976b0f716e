import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from '../../sandbox/service';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import {
	countExecutions,
	publishTestWorkflow,
	type TestWorkflow,
	type WorkflowOptions,
} from './workflow';

/**
 * Restarts, crashes or publishes while events are sent.
 *
 * @param processed resolves once all events that were sent before are in the CRM
 */
export type Disturbance = (workflow: TestWorkflow, processed: () => Promise<void>) => Promise<void>;

/** A disturbance, and the number of events that are sent before it. */
export interface Scheduled {
	after: number;
	disturb: Disturbance;
}

/** Numbers of events, unless stated otherwise. */
export interface Outcome {
	sent: number;
	/** Events with at least one successful execution. */
	executed: number;
	executedTwice: number;
	/** Events with a delivery that was answered with a 2xx status. */
	delivered: number;
	/** Events with a successful execution that a poll started. */
	caughtUp: number;
	/** Events with several such executions. */
	caughtUpTwice: number;
	/** Events that the CRM accepted more than once. */
	writtenTwice: number;
	/** Events without a successful execution. */
	lost: number;
	/** Lost events for which the service had no endpoint. */
	withoutEndpoint: number;
	/** Lost events that n8n answered with a 2xx status. */
	acknowledged: number;
	/** Lost events that a starting n8n answered with 200. */
	startingUp: number;
	/** The number of endpoints at the end, while the workflow is published. */
	endpoints: number;
	/** The number of endpoints after the workflow is unpublished. */
	leftBehind: number;
}

const INTERVAL_MS = 80;

/** The limit of events that are not yet in the CRM. At the limit, no further event is sent. */
const MAX_PENDING = 150;

/** Sends up to 12 events a second to a new workflow during the disturbances, and counts the losses. */
export async function sendEvents(
	stack: Stack,
	options: WorkflowOptions,
	events: number,
	schedule: Scheduled[],
): Promise<Outcome> {
	const workflow = await publishTestWorkflow(stack, options);
	const { sandbox } = workflow;
	try {
		const ids: string[] = [];
		const withoutEndpoint = new Set<string>();
		const endpointIds = new Set<string>();
		const countPending = () => ids.length - withoutEndpoint.size - workflow.records.length;
		const processed = async () => {
			const sent = ids.slice();
			await until('the events sent before', 300, () => {
				const written = new Set(workflow.records);
				return sent.every((id, number) => written.has(number) || withoutEndpoint.has(id));
			});
		};
		let isOver = false;
		const stream = (async () => {
			while (!isOver) {
				for (const { id } of sandbox.endpoints()) endpointIds.add(id);
				const { id, deliveries } = sandbox.emit('call.completed', { number: ids.length });
				if (deliveries.length === 0) withoutEndpoint.add(id);
				ids.push(id);
				do await sleep(INTERVAL_MS);
				while (!isOver && countPending() > MAX_PENDING);
			}
		})();
		try {
			for (const { after, disturb } of schedule) {
				await until(`event ${after}`, 600, () => ids.length >= after);
				await disturb(workflow, processed);
			}
			await until(`event ${events}`, 600, () => ids.length >= events);
		} finally {
			isOver = true;
			await stream;
		}
		await workflow.settled();
		if (options.parameters?.pollTimes) {
			// An event that is not caught up in this time is counted as lost.
			await processed().catch(() => undefined);
			await workflow.settled();
		}

		const executions = countExecutions(workflow);
		const caughtUp = countExecutions(workflow, 'trigger');
		const lost = ids.filter((_, number) => !executions.has(number));
		const isLost = ({ event_id }: Attempt) => lost.includes(event_id);
		const delivered = [...endpointIds]
			.flatMap((id) => sandbox.deliveriesOf(id))
			.filter(({ status }) => status === 'delivered');
		const acknowledged = delivered.filter(isLost);
		const endpoints = sandbox.endpoints().length;
		await workflow.unpublish();
		return {
			sent: ids.length,
			executed: executions.size,
			executedTwice: countRepeated(executions),
			delivered: new Set(delivered.map(({ event_id }) => event_id)).size,
			caughtUp: caughtUp.size,
			caughtUpTwice: countRepeated(caughtUp),
			writtenTwice: workflow.records.length - new Set(workflow.records).size,
			lost: lost.length,
			withoutEndpoint: lost.filter((id) => withoutEndpoint.has(id)).length,
			acknowledged: acknowledged.length,
			startingUp: acknowledged.filter(({ response_body }) => response_body?.includes('starting up'))
				.length,
			endpoints,
			leftBehind: sandbox.endpoints().length,
		};
	} finally {
		await workflow.stop();
	}
}

const countRepeated = (counts: Map<number, number>) =>
	[...counts.values()].filter((count) => count > 1).length;
