import axios from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import { defaultCatalog } from '../../sandbox/service/events';
import { NodeInWorkflow } from '../support/n8n/core';
import { N8nLifecycle } from '../support/n8n/lifecycle';
import { Receiver } from '../support/n8n/receiver';
import { atMost, type Comparison, inTurns, summarise } from './measure';
import { formatNumber, type Section } from './report';

/** Publish: list, POST, list. Unpublish: the list beside the log, of which missed events are kept; DELETE, list. */
const REQUIRED_CALLS = { publish: 3, unpublish: 4 };
/** The log, and the list, by which a poll mends the webhook once in a quarter of an hour. */
const CALLS_OF_POLL = 2;

/** A catalog of ten types looks like a full page and causes an extra request for the next page. */
const catalog = [...defaultCatalog, { type: 'fax.received', description: 'A fax has come' }];

/** One round of an operation. */
interface Measured {
	ms: number;
	/** To the service. */
	calls: number;
}

/** Measures publishing and unpublishing in workspaces with few and many endpoints, and polls, on n8n-core. */
export async function measurePublishing(rounds: number): Promise<Section> {
	const some = await measureWorkspace(100, rounds);
	const many = await measureWorkspace(10_000, rounds);
	const comparisons = (['publish', 'unpublish'] as const).flatMap((operation): Comparison[] => {
		const perKB = ({ listKB, [operation]: measured }: typeof many) =>
			measured.map(({ ms }) => ms / listKB);
		return [
			compareCalls(operation, [...some[operation], ...many[operation]], REQUIRED_CALLS[operation]),
			{
				name: `${operation}, 10,000 endpoints, per kB listed`,
				baseline: '100 endpoints',
				unit: 'ms',
				ours: perKB(many),
				baselineValues: perKB(some),
				goal: { ...atMost(1.1), text: 'at most 1.1 (linear)' },
			},
		];
	});
	const medianMs = (measured: Measured[]) => summarise(measured.map(({ ms }) => ms)).median;
	return {
		name: 'publishing',
		comparisons: [...comparisons, ...(await measurePolls(rounds))],
		record: [
			['foreign endpoints', 'list, kB', 'publish, ms', 'unpublish, ms'],
			...[some, many].map(({ foreignEndpoints, listKB, publish, unpublish }) => [
				foreignEndpoints.toLocaleString('en'),
				...[listKB, medianMs(publish), medianMs(unpublish)].map(formatNumber),
			]),
		],
	};
}

const compareCalls = (name: string, measured: Measured[], required: number): Comparison => ({
	...{ name: `${name}, calls to the service`, baseline: 'required calls', unit: '' },
	...{ ours: measured.map(({ calls }) => calls), baselineValues: [required], goal: atMost(1) },
});

/** @returns a function that measures `count` calls of an operation; its time is that of one call */
const timed =
	(sandbox: Sandbox, operation: () => Promise<unknown>, count = 1) =>
	async (): Promise<Measured> => {
		const [before, started] = [sandbox.requests.length, performance.now()];
		for (let index = 0; index < count; index++) await operation();
		const ms = (performance.now() - started) / count;
		return { ms, calls: sandbox.requests.length - before };
	};

/** Measures polls of a trigger whose log shows no missed event. */
async function measurePolls(rounds: number): Promise<Comparison[]> {
	await using starting = new AsyncDisposableStack();
	const receiver = await Receiver.start();
	starting.defer(() => receiver.stop());
	await using sandbox = await startSandbox({ ca: receiver.certificate.ca });
	const node = await createTrigger(sandbox, receiver.base);
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
	const polls = {
		reading: timed(sandbox, () => reader.poll()),
		idle: timed(sandbox, () => idlePoller.poll(), 1000),
	};
	await inTurns(1, polls);
	const { reading, idle } = await inTurns(rounds, polls);
	const microseconds = (measured: Measured[]) => measured.map(({ ms }) => ms * 1000);
	const [name, idleName] = ['poll, nothing missed', 'poll between two readings'];
	return [
		compareCalls(name, reading, CALLS_OF_POLL),
		compareCalls(idleName, idle, 0),
		{
			...{ name: idleName, baseline: name, unit: 'µs', goal: atMost(0.01) },
			...{ ours: microseconds(idle), baselineValues: microseconds(reading) },
		},
	];
}

async function measureWorkspace(foreignEndpoints: number, rounds: number) {
	await using sandbox = await startSandbox({ catalog });
	for (let index = 0; index < foreignEndpoints; index++) {
		const url = `https://crm.example.com/hooks/${index}`;
		sandbox.addEndpoint({ url, events: ['call.completed', 'call.failed'] });
	}
	const { data } = await axios.get<ArrayBuffer>(`${sandbox.baseUrl}/webhooks`, {
		headers: { authorization: `Bearer ${sandbox.adminKey}` },
		responseType: 'arraybuffer',
	});
	const node = await createTrigger(sandbox);
	const publish = timed(sandbox, () => node.publish());
	const unpublish = timed(sandbox, () => node.call('delete'));
	const measured = { publish: [] as Measured[], unpublish: [] as Measured[] };
	for (let round = 0; round <= rounds; round++) {
		const [published, unpublished] = [await publish(), await unpublish()];
		// The first round warms up.
		if (round === 0) continue;
		measured.publish.push(published);
		measured.unpublish.push(unpublished);
	}
	return { foreignEndpoints, listKB: data.byteLength / 1000, ...measured };
}

async function createTrigger(sandbox: Sandbox, webhookBase?: string) {
	return await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'], options: {} },
		credential: sandbox.credential,
		webhookBase,
	});
}
