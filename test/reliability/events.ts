import type { Stack } from '../../sandbox/stack/stack';
import { OFTEN } from '../support/caughtUpEvents';
import { type Disturbance, type Outcome, type Scheduled, sendEvents } from './eventStream';
import { type Report, table, violationsOf } from './report';
import { randomOf, scatter } from './schedule';
import type { WorkflowOptions } from './workflow';

/** The number of events, and of each disturbance. */
export interface Sizes {
	events: number;
	republishes: number;
	replacements: number;
	restarts: number;
	kills: number;
}

/**
 * Tests that no event is lost if the service retries refused deliveries and the proxy refuses
 * deliveries while n8n starts. Publishes and restarts disturb the first half of the events. Crashes
 * and failing executions disturb the second half, with `acknowledge` set to `finished`.
 *
 * @param seed decides the order and the moments of the disturbances
 */
export async function loseNoEvent(stack: Stack, sizes: Sizes, seed: string): Promise<Report> {
	const random = randomOf(seed);
	const events = Math.ceil(sizes.events / 2);
	const dialect = { retrySchedule: 'backoff' } as const;
	const repeat = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);
	const publishesAndRestarts = await sendEvents(
		stack,
		{ dialect },
		events,
		scatter(random, events, [
			...repeat(sizes.republishes, republishUnchanged),
			...repeat(sizes.replacements, replaceTrigger),
			...repeat(sizes.restarts, restartBehindClosedProxy(stack)),
		]),
	);
	const refusedAtFirst = new Set(
		Array.from({ length: Math.ceil(events / 20) }, () => Math.floor(random() * events)),
	);
	const crashesAndFailures = await sendEvents(
		stack,
		{ dialect, options: { acknowledge: 'finished' }, refusedAtFirst },
		events,
		scatter(random, events, repeat(sizes.kills, crash)),
	);
	const both = [publishesAndRestarts, crashesAndFailures];
	const row = (name: string, outcome: Outcome) => [
		...[name, outcome.sent, outcome.executed, outcome.executedTwice, outcome.writtenTwice],
		...[outcome.lost, 1, outcome.endpoints, outcome.leftBehind],
	];
	return {
		lines: [
			`seed ${seed}: ${sizes.republishes} publishes of an unchanged trigger, ${sizes.replacements} replacements of the trigger and ${sizes.restarts} restarts; then ${sizes.kills} kill -9, and one execution in 20 fails at first`,
			...table([
				[
					...['', 'sent', 'executed', 'executed twice', 'twice in the CRM'],
					...['lost', 'endpoints expected', 'found', 'left behind'],
				],
				row('publishes and restarts', publishesAndRestarts),
				row('crashes and failing executions', crashesAndFailures),
			]),
		],
		violations: violationsOf({
			'every event has a successful execution': both.every(({ lost }) => lost === 0),
			'each trigger has one endpoint': both.every(({ endpoints }) => endpoints === 1),
			'no endpoint is left behind': both.every(({ leftBehind }) => leftBehind === 0),
		}),
	};
}

/**
 * Tests that no event is lost if the service sends each event once and the trigger reads its log often.
 * A kill between the end of an execution and its answer may start an event a second time.
 *
 * @param events the number of events for each outage
 */
export async function catchUpOnAll(stack: Stack, events: number): Promise<Report> {
	const options: WorkflowOptions = {
		dialect: { retrySchedule: 'once', loggedEvent: 'payload' },
		parameters: OFTEN,
		options: { acknowledge: 'finished' },
	};
	const outages: Array<[string, Disturbance]> = [
		['a kill -9', crash],
		['a restart behind a closed proxy', restartBehindClosedProxy(stack)],
	];
	const outcomes: Array<Outcome & { name: string }> = [];
	for (const [name, disturb] of outages) {
		const schedule = [{ after: Math.ceil(events / 3), disturb }];
		outcomes.push({ name, ...(await sendEvents(stack, options, events, schedule)) });
	}
	return {
		lines: table([
			[
				...['', 'sent', 'delivered', 'caught up', 'caught up twice'],
				...['executed', 'executed twice', 'twice in the CRM', 'lost'],
			],
			...outcomes.map((one) => [
				...[one.name, one.sent, one.delivered, one.caughtUp, one.caughtUpTwice],
				...[one.executed, one.executedTwice, one.writtenTwice, one.lost],
			]),
		]),
		violations: violationsOf({
			'every logged event has a successful execution': outcomes.every(({ lost }) => lost === 0),
			'events are caught up': outcomes.every(({ caughtUp }) => caughtUp > 0),
			'no event is caught up twice': outcomes.every(({ caughtUpTwice }) => caughtUpTwice === 0),
			'an event that n8n took in is not caught up': outcomes[1]?.executedTwice === 0,
		}),
	};
}

/**
 * Measures the losses that n8n itself causes, with and without retries of the service. No bound applies.
 *
 * @param edits how often the trigger is changed and published
 */
export async function measureLimits(stack: Stack, edits: number): Promise<Report> {
	const cases: Array<[string, WorkflowOptions, number, Scheduled[]]> = [
		[
			`${edits} publishes of a changed trigger`,
			{},
			edits * 40,
			Array.from({ length: edits }, (_, edit) => ({
				after: edit * 40 + 20,
				disturb: (workflow) =>
					workflow.republish({ events: ['call.completed', ...(edit % 2 ? [] : ['call.failed'])] }),
			})),
		],
		['a restart', {}, 60, [{ after: 20, disturb: restart }]],
		[
			'a restart without the readiness check',
			{ gate: false },
			60,
			[{ after: 20, disturb: restart }],
		],
		[
			'a kill -9, default acknowledgement',
			{ crmDelayMs: 500 },
			60,
			[{ after: 40, disturb: crash }],
		],
	];
	const rows: Array<Array<string | number>> = [];
	for (const [name, options, events, schedule] of cases) {
		for (const retrySchedule of ['once', 'backoff'] as const) {
			const { sent, executed, lost, withoutEndpoint, acknowledged, startingUp } = await sendEvents(
				stack,
				{ ...options, dialect: { retrySchedule } },
				events,
				schedule,
			);
			rows.push([
				...[name, retrySchedule === 'once' ? 'no' : 'yes', sent, executed, lost, withoutEndpoint],
				...[acknowledged - startingUp, startingUp, lost - withoutEndpoint - acknowledged],
			]);
		}
	}
	return {
		lines: [
			...table([
				[
					...['', 'retries', 'sent', 'executed', 'lost', 'no endpoint'],
					...['acknowledged', '"starting up"', 'refused'],
				],
				...rows,
			]),
			'To avoid losses: change a trigger when few calls end; let webhooks through only while',
			'/healthz/readiness answers 200, and none before n8n is stopped, because n8n accepts deliveries',
			'until it ends; or set the trigger to acknowledge when the workflow has finished.',
		],
		violations: [],
	};
}

const republishUnchanged: Disturbance = (workflow) =>
	workflow.republish({ note: crypto.randomUUID() });

/** Avoids the gap of a changed trigger. An event during the replacement may be executed twice. */
const replaceTrigger: Disturbance = (workflow, processed) => workflow.replaceTrigger(processed);

/** The recommended restart: a stopping n8n accepts deliveries whose executions it then loses. */
function restartBehindClosedProxy({ n8n, proxy }: Stack): Disturbance {
	return async () => {
		await proxy.close();
		await n8n.restart();
		proxy.open();
	};
}

const restart: Disturbance = ({ n8n }) => n8n.restart();

const crash: Disturbance = async ({ n8n }) => {
	await n8n.kill();
	await n8n.restart();
};
