import type { INodeParameters } from 'n8n-workflow';
import type { Dialect } from '../../sandbox/dialects';
import type { Stack } from '../../sandbox/stack/stack';
import { LOGGING_DIALECT, OFTEN } from '../support/publishing/caughtUpEvents';
import { type Disturbance, outcomeTable, sendEvents } from './eventStream';
import { countExecutions } from './publishedTrigger';
import type { Report } from './report';
import { randomOf, type Scheduled, scatter } from './schedule';
import { publishCrmWorkflow, replaceTrigger, startCrm } from './workflow';

interface WorkflowOptions {
	dialect: Partial<Dialect>;
	parameters?: INodeParameters;
	isRefusedAtFirst?: (callId: string) => boolean;
}

/** Twelve events a second. */
const PACE = { intervalMs: 80, maxPending: 150 };
const WHEN_FINISHED = { options: { acknowledge: 'finished' } };

/**
 * Tests that no event is lost if the service retries refused deliveries and the proxy refuses
 * deliveries while n8n starts. Publishes and restarts disturb the first half of the events. Crashes
 * and failing executions disturb the second half, with `acknowledge` set to `finished`.
 *
 * @param times the number of each disturbance
 * @param seed decides their order and their moments
 */
export async function loseNoEvent(
	stack: Stack,
	events: number,
	times: number,
	seed: string,
): Promise<Report> {
	const random = randomOf(seed);
	const half = Math.ceil(events / 2);
	const scattered = (...disturbances: Disturbance[]) =>
		scatter(random, half, Array<Disturbance[]>(times).fill(disturbances).flat());
	const dialect = { retrySchedule: 'backoff' } as const;
	const outcomes = {
		'publishes and restarts': await sendDisturbed(
			stack,
			{ dialect },
			half,
			scattered(
				(workflow) => workflow.republish(),
				replaceTrigger,
				restartBehindClosedProxy(stack),
			),
		),
		'crashes, and one execution in ten fails at first': await sendDisturbed(
			stack,
			{ dialect, parameters: WHEN_FINISHED, isRefusedAtFirst: (callId) => callId.endsWith('7') },
			half,
			scattered(crash(stack)),
		),
	};
	const both = Object.values(outcomes);
	return {
		lines: [
			`seed ${seed}: ${times} times each a publish of an unchanged trigger, a replacement of the trigger, a restart and a kill -9`,
			...outcomeTable(outcomes),
		],
		bounds: {
			'the call of every event is in the CRM': both.every(({ sent, saved }) => saved === sent),
			'each trigger has one endpoint': both.every(({ endpoints }) => endpoints === 1),
			'no endpoint is left behind': both.every(({ leftBehind }) => leftBehind === 0),
		},
	};
}

/**
 * Tests that no event is lost if the service sends each event once and the trigger reads its log often.
 * A kill between the end of an execution and its answer may start an event a second time.
 *
 * @param events the number of events for each outage
 */
export async function catchUpOnAll(stack: Stack, events: number): Promise<Report> {
	const parameters = { ...OFTEN, ...WHEN_FINISHED };
	const options = { dialect: LOGGING_DIALECT, parameters };
	const duringOutage = async (disturb: Disturbance) =>
		await sendDisturbed(stack, options, events, [{ after: Math.ceil(events / 3), disturb }]);
	const kill = await duringOutage(crash(stack));
	const restarted = await duringOutage(restartBehindClosedProxy(stack));
	const both = [kill, restarted];
	return {
		lines: outcomeTable({ 'a kill -9': kill, 'a restart behind a closed proxy': restarted }),
		bounds: {
			'the call of every logged event is in the CRM': both.every(
				({ sent, saved }) => saved === sent,
			),
			'events are caught up, none of them twice': both.every(
				({ caughtUp, undelivered }) => caughtUp > 0 && caughtUp <= undelivered,
			),
			'an event that n8n took in is not caught up': restarted.writtenTwice === 0,
		},
	};
}

/** Sends events to a new workflow, and counts the executions that a poll started, too. */
async function sendDisturbed(
	{ n8n, certificate: { ca } }: Stack,
	{ dialect, parameters, isRefusedAtFirst }: WorkflowOptions,
	events: number,
	schedule: Array<Scheduled<Disturbance>>,
) {
	const crm = await startCrm(isRefusedAtFirst);
	await using workflow = await publishCrmWorkflow(n8n.api, crm, { dialect, ca }, parameters);
	const outcome = await sendEvents(workflow, { events, ...PACE, schedule });
	const { api, workflowId } = workflow;
	const byPolls = { workflowId, mode: 'trigger', status: ['success'] };
	return { ...outcome, caughtUp: await countExecutions(api, byPolls) };
}

/** The recommended restart: a stopping n8n accepts deliveries whose executions it then loses. */
function restartBehindClosedProxy({ n8n, proxy }: Stack): Disturbance {
	return async () => {
		await proxy.close();
		await n8n.restart();
		proxy.open();
	};
}

function crash({ n8n }: Stack): Disturbance {
	return async () => {
		await n8n.kill();
		await n8n.restart();
	};
}
