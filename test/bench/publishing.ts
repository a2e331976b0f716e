import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import axios from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import { defaultCatalog } from '../../sandbox/service/events';
import { type Comparison, type Goal, noMore, summarise } from './measure';
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
		return [
			{
				name: `${operation}, calls to the service`,
				baseline: 'required calls',
				unit: '',
				ours: results.flatMap((result) => result[operation].calls),
				baselineValues: [REQUIRED_CALLS[operation]],
				goal: noMore,
			},
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
		comparisons,
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
