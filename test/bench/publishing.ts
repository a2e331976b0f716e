import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import axios from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import { defaultCatalog } from '../../sandbox/service/events';
import { N8nLifecycle } from '../support/n8nLifecycle';
import { NodeInWorkflow } from '../support/n8nCore';
import { Receiver } from '../support/receiver';
import { atMost, type Comparison, type Goal, inTurns, noMore, summarise } from './measure';
import type { Published, TimeSpan } from './publisher';
import { formatNumber, type Section } from './report';

/** Numbers of endpoints that belong to other clients of the workspace. */
const FOREIGN_ENDPOINTS = [1, 100, 10_000];

/** Publish: list, POST, list, catalog. Unpublish: list, DELETE, list. */
const REQUIRED_CALLS = { publish: 4, unpublish: 3 };

/** A catalog of ten types looks like a full page and causes an extra request for the next page. */
const catalog = [...defaultCatalog, { type: 'fax.received', description: 'A fax has come' }];

const atMostLinear: Goal = {
	text: 'at most 1.1 (linear)',
	isMet: ({ ratio }) => ratio <= 1.1,
};

interface WorkspaceResult {
	foreignEndpoints: number;
	/** The size of the list of endpoints. */
	listKB: number;
	peakMB: number;
	publish: Measured;
	unpublish: Measured;
}

/** One value per round, without the first round, which warms up. */
interface Measured {
	ms: number[];
	calls: number[];
}

/** Measures publishing and unpublishing on n8n-core, in workspaces with few and many endpoints. */
export async function measurePublishing(rounds: number): Promise<Section> {
	const results: WorkspaceResult[] = [];
	for (const count of FOREIGN_ENDPOINTS) results.push(await measureWorkspace(count, rounds));
	const [, some, many] = results as [WorkspaceResult, WorkspaceResult, WorkspaceResult];
	const operations = ['publish', 'unpublish'] as const;
	const comparisons = operations.flatMap((operation): Comparison[] => {
		const perKB = (result: WorkspaceResult) =>
			result[operation].ms.map((value) => value / result.listKB);
		const calls = results.flatMap((result) => result[operation].calls);
		return [
			compareCalls(operation, calls, REQUIRED_CALLS[operation]),
			{
				name: `${operation}, 10,000 endpoints, per kB listed`,
				baseline: '100 endpoints',
				unit: 'ms',
				ours: perKB(many),
				baselineValues: perKB(some),
				goal: atMostLinear,
			},
		];
	});
	return {
		name: 'publishing',
		title: 'Publishing and unpublishing',
		comparisons: [...comparisons, ...(await measurePolls(rounds))],
		record: [
			['foreign endpoints', 'list, kB', 'publish, ms', 'unpublish, ms', 'peak memory, MB'],
			...results.map(({ foreignEndpoints, listKB, publish, unpublish, peakMB }) => [
				foreignEndpoints.toLocaleString('en'),
				...[listKB, summarise(publish.ms).median, summarise(unpublish.ms).median, peakMB].map(
					formatNumber,
				),
			]),
		],
	};
}

const compareCalls = (name: string, ours: number[], required: number): Comparison => ({
	...{ name: `${name}, calls to the service`, baseline: 'required calls', unit: '' },
	...{ ours, baselineValues: [required], goal: noMore },
});

/** Measures polls of a trigger whose log shows no missed event. */
async function measurePolls(rounds: number): Promise<Comparison[]> {
	await using starting = new AsyncDisposableStack();
	const receiver = await Receiver.start();
	starting.defer(() => receiver.stop());
	const sandbox = await startSandbox({ ca: receiver.certificate.ca });
	starting.defer(() => sandbox.stop());
	const node = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'], options: {} },
		credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey },
		webhookBase: receiver.base,
	});
	receiver.open(node);
	const lifecycle = new N8nLifecycle(node);
	await lifecycle.publish(node.parameters);
	const idlePoller = lifecycle.activation!;
	const id = sandbox.endpoints()[0]?.id ?? '';
	// A log of 50 looks like a full page.
	for (let call = 0; call < 51; call++) await sandbox.deliver(id, 'call.completed', { call });
	node.parameters.pollTimes = { item: [{ mode: 'everyMinute' }] };
	await lifecycle.start();
	const reader = lifecycle.activation!;
	const timed = (doPoll: () => Promise<unknown>, count: number) => async () => {
		const [before, from] = [sandbox.requests.length, performance.now()];
		for (let index = 0; index < count; index++) await doPoll();
		const us = ((performance.now() - from) * 1000) / count;
		return { us, calls: sandbox.requests.length - before };
	};
	const polls = {
		reading: timed(() => reader.poll(), 1),
		idle: timed(() => idlePoller.poll(), 1000),
	};
	await inTurns(1, polls);
	const { reading, idle } = await inTurns(rounds, polls);
	const valuesOf = (results: typeof idle, metric: 'us' | 'calls') =>
		results.map((result) => result[metric]);
	const [name, idleName] = ['poll, nothing missed', 'poll between two readings'];
	return [
		compareCalls(name, valuesOf(reading, 'calls'), 1),
		compareCalls(idleName, valuesOf(idle, 'calls'), 0),
		{
			...{ name: idleName, baseline: name, unit: 'µs', goal: atMost(0.01) },
			...{ ours: valuesOf(idle, 'us'), baselineValues: valuesOf(reading, 'us') },
		},
	];
}

async function measureWorkspace(foreignEndpoints: number, rounds: number) {
	const sandbox = await startSandbox({ catalog });
	try {
		for (let index = 0; index < foreignEndpoints; index++) {
			const url = `https://crm.example.com/hooks/${index}`;
			sandbox.addEndpoint({ url, events: ['call.completed', 'call.failed'] });
		}
		const { data } = await axios.get<ArrayBuffer>(`${sandbox.baseUrl}/webhooks`, {
			headers: { authorization: `Bearer ${sandbox.adminKey}` },
			responseType: 'arraybuffer',
		});
		const { publish, unpublish, peakMB } = await publishInProcess(sandbox, rounds + 1);
		const countCalls = (from: number, to: number) =>
			sandbox.requests.filter(({ at }) => at >= from && at <= to).length;
		const measured = ([, ...spans]: TimeSpan[]): Measured => ({
			ms: spans.map(({ from, to }) => to - from),
			calls: spans.map(({ from, to }) => countCalls(Math.floor(from), Math.ceil(to))),
		});
		return {
			foreignEndpoints,
			listKB: data.byteLength / 1000,
			peakMB,
			publish: measured(publish),
			unpublish: measured(unpublish),
		};
	} finally {
		await sandbox.stop();
	}
}

async function publishInProcess(sandbox: Sandbox, rounds: number): Promise<Published> {
	const { baseUrl, adminKey: apiKey } = sandbox;
	const script = join(__dirname, 'publisher.ts');
	const { stdout } = await promisify(execFile)(process.execPath, [
		...['--import', 'tsx'],
		...[script, JSON.stringify({ baseUrl, apiKey, rounds })],
	]);
	return JSON.parse(stdout) as Published;
}
