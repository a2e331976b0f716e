/*
 * Tests n8n's queue mode on this machine while processes are killed and restarted: `npm run test:scale`
 *   -- --short         fewer faults and events, in five minutes
 *   -- --events 500    all faults, with fewer events
 *   -- --seed 1234     other moments for the faults; `random` draws a seed
 *   -- --throughput    only measures deliveries per second
 *   -- --part Catching runs the parts whose title begins with it
 */
import '../support/noProxy';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { step } from '../../sandbox/stack/progress';
import { type Part, runParts, runScript } from '../reliability/report';
import { randomOf } from '../reliability/schedule';
import { type Counts, startCluster } from './cluster';
import { type Fault, keepEvents, type Round } from './events';
import { reportCatchUp } from './catchUp';
import { measureThroughput } from './throughput';
import { refuseWrongTokens } from './wrongTokens';

const killMain: Fault = (cluster) => cluster.crash(cluster.main);
const replaceMain: Fault = (cluster) => cluster.replaceMain();
const kill =
	(kind: 'webhooks' | 'workers', index: number): Fault =>
	async (cluster) => {
		const process = cluster[kind][index];
		if (process) await cluster.crash(process);
	};
const restartPostgreSql: Fault = ({ postgresql }) => postgresql.restart();
const restartRedis: Fault = ({ redis }) => redis.restart();
const republish: Fault = (_cluster, workflow) => workflow.republish('unchanged');

interface Plan extends Counts {
	rounds: Round[];
	/** The number of requests with a wrong token to each webhook processor. */
	wrongTokens: number;
}

const short: Plan = {
	webhooks: 2,
	workers: 2,
	rounds: [
		{
			title: 'kill -9 of a worker and a webhook processor, an unchanged publish',
			acknowledge: 'finished',
			events: 400,
			faults: [kill('workers', 0), kill('webhooks', 0), republish],
		},
		{
			title: 'kill -9 of a worker',
			acknowledge: 'received',
			events: 100,
			faults: [kill('workers', 1)],
		},
	],
	wrongTokens: 100,
};

const killsAndRestarts = [
	killMain,
	...[0, 1].map((index) => kill('webhooks', index)),
	...[0, 1, 2].map((index) => kill('workers', index)),
	...[restartPostgreSql, restartRedis, republish],
];
const full: Plan = {
	webhooks: 2,
	workers: 3,
	rounds: [
		...(['finished', 'received'] as const).map((acknowledge) => ({
			title: 'kill -9 of each process, restarts, an unchanged publish',
			acknowledge,
			events: 4000,
			faults: killsAndRestarts,
		})),
		{
			title: 'five changed publishes, and a new main with an empty disk',
			acknowledge: 'finished',
			events: 2000,
			faults: [replaceMain],
			changes: 5,
		},
	],
	wrongTokens: 300,
};

async function main(): Promise<string[]> {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: '20261122' },
			short: { type: 'boolean', default: false },
			events: { type: 'string' },
			throughput: { type: 'boolean', default: false },
			part: { type: 'string', default: '' },
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
				['Wrong tokens', () => refuseWrongTokens(cluster, plan.wrongTokens)],
				['Catching up', () => reportCatchUp(cluster)],
				...rounds.map((round, index): Part => {
					const when = round.acknowledge === 'finished' ? 'when finished' : 'at once';
					const random = randomOf(`${seed} ${index}`);
					return [
						`Acknowledged ${when}: ${round.title}`,
						(showProgress) => keepEvents(cluster, `crm_${index + 1}`, round, random, showProgress),
					];
				}),
			];
	try {
		return await runParts(parts.filter(([title]) => title.startsWith(values.part)));
	} finally {
		await step('Stop everything', () => cluster.stop());
	}
}

/** Scales the rounds' numbers of events to a sum. */
function scaled(rounds: Round[], events: string | undefined): Round[] {
	if (events === undefined) return rounds;
	if (!/^[1-9]\d*$/.test(events))
		throw new Error(`--events requires a positive number, not ${events}`);
	const share = Number(events) / rounds.reduce((sum, round) => sum + round.events, 0);
	return rounds.map((round) => ({ ...round, events: Math.ceil(round.events * share) }));
}

void runScript('test:scale', main);
