/*
 * n8n's queue mode, whole and real, while its parts are killed: `npm run test:scale`, or with a seed
 * `npm run test:scale -- 1234`. `npm run test:scale -- --short` does the least of it, in minutes;
 * `npm run test:scale -- --throughput` only measures how much runs through.
 */
import '../support/noProxy';
import { randomInt } from 'node:crypto';
import { step } from '../../sandbox/stack/progress';
import { randomOf } from '../reliability/events';
import type { Report } from '../reliability/report';
import { type Counts, startCluster } from './cluster';
import { type Fault, keepEvents, type Round } from './events';
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
const republish =
	(change: 'changed' | 'unchanged'): Fault =>
	(_cluster, publication) =>
		publication.republish(change);

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
			title: 'kill -9 of a worker and of a webhook processor, an unchanged publish',
			acknowledge: 'finished',
			events: 400,
			faults: [killWorker(0), killWebhook(0), republish('unchanged')],
		},
		{
			title: 'kill -9 of a worker',
			acknowledge: 'received',
			events: 100,
			faults: [killWorker(1)],
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
			faults: [...everyKill, ...restarts, republish('unchanged')],
		},
		{
			title: 'kill -9 of each process, restarts, an unchanged publish',
			acknowledge: 'received',
			events: 4000,
			faults: [...everyKill, ...restarts, republish('unchanged')],
		},
		{
			title: 'five changed publishes, and another main that takes over with an empty disk',
			acknowledge: 'finished',
			events: 2000,
			faults: [replaceMain, ...Array.from({ length: 5 }, () => republish('changed'))],
		},
	],
	strangers: 500,
};

type Part = [title: string, prove: (report: (text: string) => void) => Promise<Report>];

async function main(): Promise<string[]> {
	const args = process.argv.slice(2);
	const plan = args.includes('--short') ? short : full;
	const seed = args.find((arg) => !arg.startsWith('--')) ?? String(randomInt(1e6));
	console.log(
		`Seed ${seed}. One main, ${plan.webhooks} webhook processors, ${plan.workers} workers`,
	);
	const cluster = await startCluster(plan);
	const parts: Part[] = args.includes('--throughput')
		? [['Throughput', () => measureThroughput(cluster, 30)]]
		: [
				['Strangers', () => repelStrangers(cluster, plan.strangers)],
				['Events', (report) => keepEvents(cluster, plan.rounds, randomOf(seed), report)],
			];
	try {
		return await proveAll(parts);
	} finally {
		await step('Stop everything', () => cluster.stop());
	}
}

/** Shows the figures of each part, and gives the bounds that did not hold. */
async function proveAll(parts: Part[]): Promise<string[]> {
	const broken: string[] = [];
	for (const [title, prove] of parts) {
		const report = await step(title, prove);
		console.log(report.lines.map((line) => `    ${line}`).join('\n'));
		broken.push(...report.broken);
	}
	return broken;
}

main().then(
	(broken) => {
		for (const bound of broken) console.log(`BROKEN: ${bound}`);
		console.log(
			broken.length > 0
				? `test:scale: ${broken.length} bound(s) broken`
				: 'test:scale: every bound holds',
		);
		process.exitCode = broken.length > 0 ? 1 : 0;
	},
	(error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	},
);
