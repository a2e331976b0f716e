import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from '../../sandbox/service';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { brokenOf, type Report, table } from './report';
import { countRuns, startTrial, type Trial, type TrialOptions } from './trial';

/** Something that happens to n8n while events come in. */
interface Disturbance {
	/** Once so many events have been made. */
	after: number;
	/** @param caughtUp resolves once all that were made before are in the CRM */
	happen: (trial: Trial, caughtUp: () => Promise<void>) => Promise<void>;
}

/** What became of the events of a trial. */
interface Outcome {
	made: number;
	/** Events that ran to a successful end at least once. */
	run: number;
	runTwice: number;
	/** Events that the CRM got more than once. */
	writtenTwice: number;
	/** Events without a successful run. */
	lost: number;
	/** Of these, those for which the service had no endpoint. */
	unsubscribed: number;
	/** Of these, those which the service took for delivered. */
	acknowledged: number;
	/** Answered by an n8n that starts, and taken for delivered. */
	startingUp: number;
	/** At the end, while the workflow is published. */
	endpoints: number;
	/** Endpoints once it is unpublished. */
	leftBehind: number;
}

const PACE_MS = 80;

/** Events that are on their way; a machine that can't keep up gets no more. */
const MOST_ON_THEIR_WAY = 150;

/** How many of each, for the two halves of {@link loseNoEvent}. */
export interface Sizes {
	events: number;
	republishes: number;
	replacements: number;
	restarts: number;
	kills: number;
}

/**
 * Part A: no event is lost, whatever happens to n8n, behind a proxy with the gate and with a service
 * that delivers again. Half of the events meet publishes of an unchanged trigger, of another one in its
 * place, and orderly restarts; the other half, acknowledged after the workflow has finished, crashes and failing runs.
 *
 * @param seed decides when what happens
 */
export async function loseNoEvent(stack: Stack, sizes: Sizes, seed: string): Promise<Report> {
	const random = randomOf(seed);
	const events = Math.ceil(sizes.events / 2);
	const outcomes = {
		'publishes and restarts': await run(
			stack,
			{ dialect: { retrySchedule: 'backoff' } },
			events,
			scatter(random, events, [
				...Array.from({ length: sizes.republishes }, () => republishUnchanged),
				...Array.from({ length: sizes.replacements }, () => replaceTrigger),
				...Array.from({ length: sizes.restarts }, () => restartBehindClosedGate(stack)),
			]),
		),
		'crashes and failing runs': await run(
			stack,
			{
				dialect: { retrySchedule: 'backoff' },
				options: { acknowledge: 'finished' },
				refusedAtFirst: new Set(
					Array.from({ length: Math.ceil(events / 20) }, () => Math.floor(random() * events)),
				),
			},
			events,
			scatter(
				random,
				events,
				Array.from({ length: sizes.kills }, () => crash),
			),
		),
	};
	const both = Object.values(outcomes);
	return {
		lines: [
			`seed ${seed}: ${sizes.republishes} publishes of an unchanged trigger, ${sizes.replacements} of another in its place and ${sizes.restarts} restarts; then ${sizes.kills} kill -9, and one run in 20 fails at first`,
			...table([
				[
					'',
					'made',
					'run',
					'run twice',
					'twice in the CRM',
					'lost',
					'endpoints wanted',
					'found',
					'left behind',
				],
				...Object.entries(outcomes).map(([name, outcome]) => [
					name,
					outcome.made,
					outcome.run,
					outcome.runTwice,
					outcome.writtenTwice,
					outcome.lost,
					1,
					outcome.endpoints,
					outcome.leftBehind,
				]),
			]),
		],
		broken: brokenOf({
			'every event has run': both.every(({ lost }) => lost === 0),
			'each trigger has one endpoint': both.every(({ endpoints }) => endpoints === 1),
			'no endpoint is left behind': both.every(({ leftBehind }) => leftBehind === 0),
		}),
	};
}

/**
 * What n8n itself imposes, with and without a service that delivers again: measured, and no bound.
 *
 * @param edits how often the trigger is changed and published
 */
export async function measureLimits(stack: Stack, edits: number): Promise<Report> {
	const cases: Array<[string, TrialOptions, number, Disturbance[]]> = [
		[
			`${edits} publishes of a changed trigger`,
			{},
			edits * 40,
			Array.from({ length: edits }, (_, edit) => ({
				after: edit * 40 + 20,
				happen: (trial) =>
					trial.republish({ events: ['call.completed', ...(edit % 2 ? [] : ['call.failed'])] }),
			})),
		],
		['a restart', {}, 60, [{ after: 20, happen: restart }]],
		['a restart without the gate', { gate: false }, 60, [{ after: 20, happen: restart }]],
		['a kill -9, default acknowledgement', { crmDelayMs: 500 }, 60, [{ after: 40, happen: crash }]],
	];
	const rows: Array<Array<string | number>> = [];
	for (const [name, options, events, disturbances] of cases) {
		for (const retrySchedule of ['once', 'backoff'] as const) {
			const outcome = await run(
				stack,
				{ ...options, dialect: { retrySchedule } },
				events,
				disturbances,
			);
			const { made, run: ran, lost, unsubscribed, acknowledged, startingUp } = outcome;
			rows.push([
				name,
				retrySchedule === 'once' ? 'none' : 'yes',
				made,
				ran,
				lost,
				unsubscribed,
				acknowledged - startingUp,
				startingUp,
				lost - unsubscribed - acknowledged,
			]);
		}
	}
	return {
		lines: [
			...table([
				[
					'',
					'retries',
					'made',
					'run',
					'lost',
					'no endpoint',
					'acknowledged',
					'"starting up"',
					'refused',
				],
				...rows,
			]),
			'To set against it: change a trigger when few calls end; let webhooks through only while',
			'/healthz/readiness answers 200, and none any more before n8n is stopped, for it takes on',
			'runs until it ends; or have the trigger acknowledge after the workflow has finished.',
		],
		broken: [],
	};
}

/** Makes events, up to 12 a second, while what is to happen happens, and says what became of them. */
async function run(
	stack: Stack,
	options: TrialOptions,
	events: number,
	disturbances: Disturbance[],
): Promise<Outcome> {
	const trial = await startTrial(stack, options);
	const { sandbox } = trial;
	try {
		const ids: string[] = [];
		const unsubscribed = new Set<string>();
		const endpointIds = new Set<string>();
		const onTheirWay = () => ids.length - unsubscribed.size - trial.records.length;
		const caughtUp = async () => {
			const made = ids.slice();
			await until('what was made before', 300, () => {
				const written = new Set(trial.records);
				return made.every((id, number) => written.has(number) || unsubscribed.has(id));
			});
		};
		let over = false;
		const stream = (async () => {
			while (!over) {
				for (const { id } of sandbox.endpoints()) endpointIds.add(id);
				const { id, deliveries } = sandbox.emit('call.completed', { number: ids.length });
				if (deliveries.length === 0) unsubscribed.add(id);
				ids.push(id);
				do await sleep(PACE_MS);
				while (!over && onTheirWay() > MOST_ON_THEIR_WAY);
			}
		})();
		try {
			for (const { after, happen } of disturbances) {
				await until(`event ${after}`, 600, () => ids.length >= after);
				await happen(trial, caughtUp);
			}
			await until(`event ${events}`, 600, () => ids.length >= events);
		} finally {
			over = true;
			await stream;
		}
		await trial.settled();

		const runs = countRuns(trial);
		const lost = ids.filter((_, number) => !runs.has(number));
		const delivered = [...endpointIds]
			.flatMap((id) => sandbox.deliveriesOf(id))
			.filter(({ status }) => status === 'delivered');
		const endpoints = sandbox.endpoints().length;
		await trial.unpublish();
		const isLost = ({ event_id }: Attempt) => lost.includes(event_id);
		return {
			made: ids.length,
			run: runs.size,
			runTwice: [...runs.values()].filter((times) => times > 1).length,
			writtenTwice: trial.records.length - new Set(trial.records).size,
			lost: lost.length,
			unsubscribed: lost.filter((id) => unsubscribed.has(id)).length,
			acknowledged: delivered.filter(isLost).length,
			startingUp: delivered.filter(
				(attempt) => isLost(attempt) && attempt.response_body?.includes('starting up'),
			).length,
			endpoints,
			leftBehind: sandbox.endpoints().length,
		};
	} finally {
		await trial.stop();
	}
}

type Happening = Disturbance['happen'];

const republishUnchanged: Happening = (trial) => trial.republish({ note: crypto.randomUUID() });

/** Avoids the gap of changed events. An event that comes meanwhile may run twice. */
const replaceTrigger: Happening = (trial, caughtUp) => trial.replaceTrigger(caughtUp);

/** As it is to be done: n8n takes on runs while it stops, so nothing may come any more. */
function restartBehindClosedGate({ n8n, proxy }: Stack) {
	return async () => {
		await proxy.close();
		await n8n.restart();
		proxy.open();
	};
}

const restart: Happening = ({ n8n }) => n8n.restart();

const crash: Happening = async ({ n8n }) => {
	await n8n.kill();
	await n8n.restart();
};

/** Numbers from 0 to 1 that the seed decides. */
export function randomOf(seed: string): () => number {
	let drawn = 0;
	return () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE() / 2 ** 32;
}

/** Spreads what is to happen over the events, in any order, one in each of so many equal parts. */
export function scatter<Happening>(
	random: () => number,
	events: number,
	happenings: Happening[],
): Array<{ after: number; happen: Happening }> {
	return happenings
		.map((happen) => ({ happen, place: random() }))
		.sort((one, other) => one.place - other.place)
		.map(({ happen }, index) => ({
			after: Math.floor(((index + random()) * events) / happenings.length),
			happen,
		}));
}
