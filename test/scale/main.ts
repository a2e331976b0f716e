/*
 * Tests n8n's queue mode on this machine while processes are killed and restarted: `npm run test:scale`
 *   -- --short             fewer faults and events, in five minutes
 *   -- --seed 1234         other moments for the faults; `random` draws a seed
 *   -- --part Overload     only the parts whose title begins with it
 */
import '../support/jest/noProxy';
import { keepNeighbours } from '../reliability/neighbours';
import { type Part, runScript } from '../reliability/report';
import { randomOf } from '../reliability/schedule';
import { reportCatchUp } from './catchUp';
import { hostOf, startCluster } from './cluster';
import { type Fault, keepEvents, type Round } from './events';
import { measureOverload } from './overload';
import { deliverToPasted } from './pasted';

const replaceMain: Fault = (cluster) => cluster.replaceMain();
const kill =
	(kind: 'webhooks' | 'workers', index: number): Fault =>
	(cluster) =>
		cluster.crash(cluster[kind][index]!);
const restartPostgreSql: Fault = ({ postgresql }) => postgresql.restart();
const restartRedis: Fault = ({ redis }) => redis.restart();
const republish: Fault = (_cluster, workflow) => workflow.republish();

const shortRounds: Round[] = [
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
];

const killsAndRestarts = [
	...[replaceMain, kill('webhooks', 0), kill('webhooks', 1)],
	...[kill('workers', 0), kill('workers', 1), kill('workers', 2)],
	...[restartPostgreSql, restartRedis, republish],
];
const fullRounds = (['finished', 'received'] as const).map(
	(acknowledge): Round => ({
		title: 'kill -9 of each process, a new main with an empty disk, restarts, an unchanged publish',
		acknowledge,
		events: 4000,
		faults: killsAndRestarts,
	}),
);

void runScript(
	'test:scale',
	({ isShort }) => startCluster({ webhooks: 2, workers: isShort ? 2 : 3 }),
	(cluster, { isShort, seed }): Part[] => [
		['Catching up', () => reportCatchUp(cluster)],
		['Neighbours', () => keepNeighbours(hostOf(cluster), isShort ? 2 : 10)],
		['A pasted webhook', () => deliverToPasted(cluster)],
		...(isShort ? shortRounds : fullRounds).map((round, index): Part => {
			const when = round.acknowledge === 'finished' ? 'when finished' : 'at once';
			const random = randomOf(`${seed} ${index}`);
			return [
				`Acknowledged ${when}: ${round.title}`,
				() => keepEvents(cluster, `crm_${index + 1}`, round, random),
			];
		}),
		...(isShort ? [] : [['Overload', () => measureOverload(cluster)] as Part]),
	],
);
