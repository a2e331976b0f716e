import { isFulfilled, until } from '../../sandbox/stack/until';
import { outcomeTable, sendEvents } from '../reliability/eventStream';
import type { Report } from '../reliability/report';
import { scatter } from '../reliability/schedule';
import type { CrmWorkflow } from '../reliability/workflow';
import type { Cluster } from './cluster';
import { type Acknowledge, publishTestWorkflow } from './workflow';

/** Disturbs n8n while events are sent. */
export type Fault = (cluster: Cluster, workflow: CrmWorkflow) => Promise<unknown>;

/** Events for one published trigger, and the faults meanwhile. */
export interface Round {
	/** Describes the faults. */
	title: string;
	acknowledge: Acknowledge;
	/** The least number of events. Further events are sent until the last fault is over. */
	events: number;
	faults: Fault[];
}

/** Keeps all processes busy, and the length of a gap measurable. */
const PACE = { intervalMs: 20, maxPending: 40 };

/**
 * Tests that the call of each event is in the CRM after the faults of a round.
 *
 * @param name the database of the round's CRM
 * @param random decides the moments of the faults
 */
export async function keepEvents(
	cluster: Cluster,
	name: string,
	{ title, acknowledge, events, faults }: Round,
	random: () => number,
): Promise<Report> {
	await using workflow = await publishTestWorkflow(cluster, name, acknowledge);
	const schedule = scatter(random, events, faults).map(({ after, disturb }) => ({
		after,
		async disturb() {
			await disturb(cluster, workflow);
			const request = () => workflow.api.workflow(workflow.workflowId);
			await until('the main to answer', 180, async () => {
				await cluster.restartEnded();
				return await isFulfilled(request());
			});
		},
	}));
	const outcome = await sendEvents(workflow, {
		...{ events, ...PACE, schedule },
		onWait: () => cluster.restartEnded(),
	});
	const { lost, lostAcknowledged, withoutEndpoint, endpointRemoved } = outcome;
	return {
		lines: outcomeTable({ [title]: outcome }),
		bounds: {
			'acknowledged when finished, every event that could be delivered is in the CRM':
				acknowledge === 'received' || lost === 0,
			'acknowledged at once, every lost event was acknowledged': lost === lostAcknowledged,
			'no event lacks an endpoint': withoutEndpoint + endpointRemoved === 0,
			'no other endpoint is created': outcome.registered === 1,
			'the published trigger has one endpoint': outcome.endpoints === 1,
			'no endpoint is left behind': outcome.leftBehind === 0,
		},
	};
}
