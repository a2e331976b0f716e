import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate, trusting } from '../../sandbox/stack/certificates';
import { packConnector } from '../../sandbox/stack/connector';
import { installN8n } from '../../sandbox/stack/install-n8n';
import {
	type Command,
	installPackages,
	type N8nProcess,
	startN8n,
	startN8nProcess,
} from '../../sandbox/stack/n8n';
import { step } from '../../sandbox/stack/progress';
import { startProxy } from '../../sandbox/stack/proxy';
import type { Host } from '../reliability/neighbours';
import { database, queueMode } from './environment';
import { findPrograms } from './programs';
import { startPostgreSql, startRedis } from './servers';

/** n8n in queue mode on this machine. Each process has a folder of its own. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Starts PostgreSQL, Redis, a main, webhook processors, workers and a load balancer. */
export async function startCluster(counts: Record<'webhooks' | 'workers', number>) {
	await using starting = new AsyncDisposableStack();
	await installN8n('2.41');
	const folder = await mkdtemp(join(tmpdir(), 'voice-agent-scale-'));
	starting.defer(() => rm(folder, { recursive: true, force: true }));
	const programs = await step('Find PostgreSQL and Redis', () =>
		findPrograms(join(folder, 'apt.log')),
	);
	const packed = await step('Build and pack the connector', () => packConnector(folder));
	const template = join(folder, 'installed');
	await installPackages(template, [packed]);

	const [postgresql, redis] = await step('Start PostgreSQL and Redis', async () => {
		return [
			await startPostgreSql(programs, starting),
			await startRedis(programs, starting),
		] as const;
	});
	await postgresql.query('postgres', `CREATE DATABASE ${database}`);
	const certificate = await makeCertificate();
	/** The addresses of the webhook processors. */
	const targets: string[] = [];
	const proxy = await startProxy(targets, certificate);
	starting.defer(() => proxy.stop());

	const encryptionKey = randomBytes(24).toString('base64url');
	const env = {
		...queueMode({ postgresql, redis, encryptionKey }),
		...(await trusting(folder, certificate.ca)),
	};
	const makeFolder = async (name: string) => {
		const userFolder = join(folder, name);
		await cp(template, userFolder, { recursive: true });
		return userFolder;
	};
	const optionsOf = async (name: string) => ({
		userFolder: await makeFolder(name),
		webhookUrl: proxy.url,
		env,
	});
	const startAll = (command: Command, count: number) =>
		Promise.all(
			Array.from({ length: count }, async (_, index) => {
				const options = await optionsOf(`${command}-${index + 1}`);
				const started = await startN8nProcess(command, options);
				starting.defer(() => started.kill());
				return started;
			}),
		);
	// The main creates the database's tables.
	const main = await step('Start the main', async () => startN8n(await optionsOf('main')));
	starting.defer(() => main.kill());
	const [webhooks, workers] = await step(
		`Start ${counts.webhooks} webhook processors and ${counts.workers} workers`,
		() => Promise.all([startAll('webhook', counts.webhooks), startAll('worker', counts.workers)]),
	);
	for (const { url } of webhooks) targets.push(url);

	const started = starting.move();
	return {
		...{ main, webhooks, workers, proxy, postgresql, redis },
		/** The authority of the load balancer's certificate (PEM). */
		ca: certificate.ca,
		/** Kills a process, and starts it again after a second. */
		async crash(process: N8nProcess) {
			await process.kill();
			await sleep(1000);
			await process.restart();
		},
		/** Kills the main and deletes its folder, then starts a main whose folder has only the connector. */
		async replaceMain() {
			await main.kill();
			await rm(join(folder, 'main'), { recursive: true });
			await makeFolder('main');
			await main.restart();
		},
		/** Starts the processes that have ended, as a process manager does. */
		async restartEnded() {
			const ended = [main, ...webhooks, ...workers].filter(({ pid }) => pid === undefined);
			for (const process of ended) await process.restart();
		},
		/** Kills all processes, and removes their files. */
		stop: () => started.disposeAsync(),
	};
}

/** @returns the cluster as an n8n whose deliveries can be refused */
export const hostOf = ({ main: { api }, webhooks, proxy, ca }: Cluster): Host => ({
	...{ api, ca, proxy, url: webhooks[0]!.url },
	hasStaticDataInRuns: false,
});
