/*
 * n8n's queue mode, whole and real, while its parts are killed: `npm run test:scale`, or with a seed
 * `npm run test:scale -- --seed 1234` (`random` draws one). `-- --short` does the least of it, in minutes; `-- --events 500`
 * all of it with fewer events; `-- --throughput` only measures how much runs through.
 */
import '../support/noProxy';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { step } from '../../sandbox/stack/progress';
import { randomOf } from '../reliability/events';
import { conclude, type Part, proveAll } from '../reliability/report';
import { type Counts, startCluster } from './cluster';
import { type Fault, keepEvents, type Round } from './events';
import { reportMissedEvents } from './missedEvents';
import { repelStrangers } from './strangers';
import { measureThroughput } from './throughput';

const killMain: Fault = (cluster) => cluster.crash(cluster.main);
const replaceMain: Fault = (cluster) => cluster.replaceMain();
const killWebhook =
	(place: number): Fault =>
	async (cluster) => {
		const process = cluster.webhooks[place];
		if (process) await cluster.crash(process);
	};
const killWorker =
	(place: number): Fault =>
	async (cluster) => {
		const process = cluster.workers[place];
		if (process) await cluster.crash(process);
	};
const restartPostgreSql: Fault = ({ postgresql }) => postgresql.restart();
const restartRedis: Fault = ({ redis }) => redis.restart();
const republish: Fault = (_cluster, publication) => publication.republish('unchanged');

interface Plan extends Counts {
	rounds: Round[];
	/** How many requests each webhook processor is flooded with. */
	strangers: number;
}

const short: Plan = {
	webhooks: 2,
	workers: 2,
	rounds: [
		{
			title: 'kill -9 of a worker and a webhook processor, an unchanged publish',
			acknowledge: 'finished',
			events: 400,
			faults: [killWorker(0), killWebhook(0), republish],
			changes: 0,
		},
		{
			title: 'kill -9 of a worker',
			acknowledge: 'received',
			events: 100,
			faults: [killWorker(1)],
			changes: 0,
		},
	],
	strangers: 100,
};

const everyKill = [killMain, ...[0, 1].map(killWebhook), ...[0, 1, 2].map(killWorker)];
const restarts = [restartPostgreSql, restartRedis];
const full: Plan = {
	webhooks: 2,
	workers: 3,
	rounds: [
		{
			title: 'kill -9 of each process, restarts, an unchanged publish',
			acknowledge: 'finished',
			events: 4000,
			faults: [...everyKill, ...restarts, republish],
			changes: 0,
		},
		{
			title: 'kill -9 of each process, restarts, an unchanged publish',
			acknowledge: 'received',
			events: 4000,
			faults: [...everyKill, ...restarts, republish],
			changes: 0,
		},
		{
			title: 'five changed publishes, and another main that takes over with an empty disk',
			acknowledge: 'finished',
			events: 2000,
			faults: [replaceMain],
			changes: 5,
		},
	],
	strangers: 300,
};

async function main(): Promise<string[]> {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: '20261122' },
			short: { type: 'boolean', default: false },
			events: { type: 'string' },
			throughput: { type: 'boolean', default: false },
		},
	});
	const seed = values.seed === 'random' ? String(randomInt(1e6)) : values.seed;
	const plan = values.short ? short : full;
	const rounds = scaled(plan.rounds, values.events);
	console.log(
		`Seed ${seed}. One main, ${plan.webhooks} webhook processors, ${plan.workers} workers`,
	);
	const cluster = await startCluster(plan);
	const parts: Part[] = values.throughput
		? [['Throughput', () => measureThroughput(cluster, 30)]]
		: [
				['Strangers', () => repelStrangers(cluster, plan.strangers)],
				['Missed events', () => reportMissedEvents(cluster)],
				...rounds.map((round, place): Part => {
					const when = round.acknowledge === 'finished' ? 'when finished' : 'at once';
					const random = randomOf(`${seed} ${place}`);
					return [
						`Acknowledged ${when}: ${round.title}`,
						(say) => keepEvents(cluster, `crm_${place + 1}`, round, random, say),
					];
				}),
			];
	try {
		return await proveAll(parts);
	} finally {
		await step('Stop everything', () => cluster.stop());
	}
}

/** Gives rounds as many events in all, each as large a part of them as before. */
function scaled(rounds: Round[], events: string | undefined): Round[] {
	if (events === undefined) return rounds;
	if (!/^[1-9]\d*$/.test(events)) throw new Error(`--events takes a number, and not ${events}`);
	const share = Number(events) / rounds.reduce((sum, round) => sum + round.events, 0);
	return rounds.map((round) => ({ ...round, events: Math.ceil(round.events * share) }));
}

void conclude('test:scale', main);
