import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import axios from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import { defaultCatalog } from '../../sandbox/service/events';
import { type Comparison, type Goal, noMore, summarise } from './measure';
import type { Published, Span } from './publisher';
import { inDigits, type Section } from './report';

/** How many endpoints of others the workspace has. */
const OTHERS = [1, 100, 10_000];

/**
 * The calls that the design needs: to find what is there, register, find it again, and read the
 * catalog; and to find it, remove it, and see that it is gone.
 */
const NEEDED = { publish: 4, unpublish: 3 };

/** One more than a page usually has, which would be asked for a next one. */
const catalog = [...defaultCatalog, { type: 'fax.received', description: 'A fax has come' }];

const notDearer: Goal = {
	text: 'at most 1.1, which is linear',
	isMet: ({ ratio }) => ratio <= 1.1,
};

/** What was done in a workspace; without the first time, which warms up. */
interface Workspace {
	others: number;
	/** How large its list of endpoints is. */
	listKB: number;
	megabytes: number;
	publish: Deeds;
	unpublish: Deeds;
}

/** By the times that it was done. */
interface Deeds {
	ms: number[];
	calls: number[];
}

/** Measures publishing and unpublishing on n8n-core, beside few and many endpoints of others. */
export async function measurePublishing(rounds: number): Promise<Section> {
	const workspaces: Workspace[] = [];
	for (const others of OTHERS) workspaces.push(await measure(others, rounds));
	const [, some, many] = workspaces as [Workspace, Workspace, Workspace];
	const perKB = ({ ms }: Deeds, { listKB }: Workspace) => ms.map((figure) => figure / listKB);
	const deeds = ['publish', 'unpublish'] as const;
	const comparisons = deeds.flatMap((deed): Comparison[] => [
		{
			what: `${deed}, calls to the service`,
			beside: 'what the design needs',
			unit: '',
			ours: workspaces.flatMap((workspace) => workspace[deed].calls),
			other: [NEEDED[deed]],
			goal: noMore,
		},
		{
			what: `${deed}, 10,000 others, for each kB listed`,
			beside: '100 others',
			unit: 'ms',
			ours: perKB(many[deed], many),
			other: perKB(some[deed], some),
			goal: notDearer,
		},
	]);
	return {
		name: 'publishing',
		title: 'Publishing and unpublishing',
		comparisons,
		record: [
			['others', 'list, kB', 'publish, ms', 'unpublish, ms', 'most memory, MB'],
			...workspaces.map(({ others, listKB, publish, unpublish, megabytes }) => [
				others.toLocaleString('en'),
				...[listKB, summarise(publish.ms).median, summarise(unpublish.ms).median, megabytes].map(
					inDigits,
				),
			]),
		],
	};
}

async function measure(others: number, rounds: number): Promise<Workspace> {
	const sandbox = await startSandbox({ catalog });
	try {
		for (let at = 0; at < others; at++) {
			const url = `https://crm.example.com/hooks/${at}`;
			sandbox.addEndpoint({ url, events: ['call.completed', 'call.failed'] });
		}
		const { data } = await axios.get<ArrayBuffer>(`${sandbox.baseUrl}/webhooks`, {
			headers: { authorization: `Bearer ${sandbox.adminKey}` },
			responseType: 'arraybuffer',
		});
		const { publish, unpublish, megabytes } = await publishInProcess(sandbox, rounds + 1);
		const deedsIn = (spans: Span[]): Deeds => ({
			ms: spans.slice(1).map(({ from, to }) => to - from),
			calls: spans
				.slice(1)
				.map(({ from, to }) => callsIn(sandbox, Math.floor(from), Math.ceil(to))),
		});
		return {
			others,
			listKB: data.byteLength / 1000,
			megabytes,
			publish: deedsIn(publish),
			unpublish: deedsIn(unpublish),
		};
	} finally {
		await sandbox.stop();
	}
}

const callsIn = ({ requests }: Sandbox, from: number, to: number) =>
	requests.filter(({ at }) => at >= from && at <= to).length;

async function publishInProcess(sandbox: Sandbox, rounds: number): Promise<Published> {
	const { baseUrl, adminKey: apiKey } = sandbox;
	const script = join(__dirname, 'publisher.ts');
	const { stdout } = await promisify(execFile)(process.execPath, [
		...['--import', 'tsx'],
		...[script, JSON.stringify({ baseUrl, apiKey, rounds })],
	]);
	return JSON.parse(stdout) as Published;
}
