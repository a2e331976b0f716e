import axios from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import { defaultCatalog } from '../../sandbox/service/events';
import { NodeInWorkflow } from '../support/n8n/core';
import { N8nLifecycle } from '../support/n8n/lifecycle';
import { Receiver } from '../support/n8n/receiver';
import { atMost, type Comparison, inTurns, summarise } from './measure';
import { formatNumber, type Section } from './report';

/** A catalog of ten types looks like a full page and causes an extra request for the next page. */
const catalog = [...defaultCatalog, { type: 'fax.received', description: 'A fax has come' }];

/** Measures publishing and unpublishing in workspaces with few and many endpoints, and polls, on n8n-core. */
export async function measurePublishing(rounds: number): Promise<Section> {
	const some = await measureWorkspace(100, rounds);
	const many = await measureWorkspace(10_000, rounds);
	const comparisons = (['publish', 'unpublish'] as const).map((operation): Comparison => {
		const perKB = ({ listKB, [operation]: times }: typeof many) => times.map((ms) => ms / listKB);
		return {
			name: `${operation}, 10,000 endpoints, per kB listed`,
			baseline: '100 endpoints',
			unit: 'ms',
			ours: perKB(many),
			baselineValues: perKB(some),
			goal: { ...atMost(1.1), text: 'at most 1.1 (linear)' },
		};
	});
	const medianMs = (times: number[]) => summarise(times).median;
	return {
		name: 'publishing',
		comparisons: [...comparisons, await measurePolls(rounds)],
		record: [
			['foreign endpoints', 'list, kB', 'publish, ms', 'unpublish, ms'],
			...[some, many].map(({ foreignEndpoints, listKB, publish, unpublish }) => [
				foreignEndpoints.toLocaleString('en'),
				...[listKB, medianMs(publish), medianMs(unpublish)].map(formatNumber),
			]),
		],
	};
}

/** @returns a function that measures `count` calls of an operation, and returns the time of one (ms) */
const timed =
	(operation: () => Promise<unknown>, count = 1) =>
	async (): Promise<number> => {
		const started = performance.now();
		for (let index = 0; index < count; index++) await operation();
		return (performance.now() - started) / count;
	};

/** Measures polls of a trigger whose log shows no missed event. */
async function measurePolls(rounds: number): Promise<Comparison> {
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
		reading: timed(() => reader.poll()),
		idle: timed(() => idlePoller.poll(), 1000),
	};
	await inTurns(1, polls);
	const { reading, idle } = await inTurns(rounds, polls);
	const microseconds = (times: number[]) => times.map((ms) => ms * 1000);
	return {
		...{ name: 'poll between two readings', baseline: 'poll, nothing missed', unit: 'µs' },
		...{ ours: microseconds(idle), baselineValues: microseconds(reading), goal: atMost(0.01) },
	};
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
	const publish = timed(() => node.publish());
	const unpublish = timed(() => node.call('delete'));
	const measured = { publish: [] as number[], unpublish: [] as number[] };
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
