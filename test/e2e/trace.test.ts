import { readFileSync } from 'node:fs';

import type { INodeParameters } from 'n8n-workflow';

import { type FaultChooser, type Sandbox, startSandbox } from '../../sandbox/service';
import { type Line, testedLines } from '../../sandbox/stack/install-n8n';
import { startStack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { NodeInWorkflow } from '../support/n8nCore';
import { type Method, N8nLifecycle } from '../support/n8nLifecycle';
import { chain, nodeOf, triggerNode } from '../support/triggerNode';

const lines = testedLines();

/** How a line goes about publishing: as 1.x does it, n8n 2.0 does too. */
type Ways = '2.41' | '1.123';
const waysOf = (line: Line): Ways => (line === '2.41' ? '2.41' : '1.123');

/** What a person does in n8n; `save` publishes again, with a change in another node only. */
type Deed = 'publish' | 'save' | 'unpublish' | 'restart';

interface Chapter {
	deed: Deed;
	/** Other events to choose first. */
	events?: string[];
	/** What the service does not do, in words. */
	trouble?: string;
	/** Made anew for each telling, for a fault may count. */
	fault?: () => FaultChooser;
	/** The methods that n8n calls. */
	calls: Record<Ways, Method[]>;
}

const times = (count: number, ...methods: Method[]): Method[] =>
	Array.from({ length: count }, () => methods).flat();
const both = (...methods: Method[]): Record<Ways, Method[]> => ({
	'2.41': methods,
	'1.123': methods,
});

/** 401 is an answer after which the node itself does not try again, so that n8n's tries show. */
const refusal = { kind: 'status', status: 401, body: { error: { message: 'Not now' } } } as const;

/** Refuses the first so many requests, or all. */
const refuse = (count = Infinity) => {
	let left = count;
	return () => (left-- > 0 ? refusal : undefined);
};

/** Carries out the first creation, and never answers it. */
const loseFirstCreation = () => {
	let left = 1;
	return ({ method }: { method: string }) =>
		method === 'POST' && left-- > 0 ? ({ kind: 'drop-after' } as const) : undefined;
};

const story: Chapter[] = [
	{ deed: 'publish', calls: both('checkExists', 'create') },
	{ deed: 'save', calls: { '2.41': [], '1.123': ['delete', 'checkExists', 'create'] } },
	{
		deed: 'publish',
		events: ['call.completed', 'call.failed'],
		calls: both('delete', 'checkExists', 'create'),
	},
	{ deed: 'restart', calls: { '2.41': [], '1.123': ['checkExists'] } },
	{ deed: 'unpublish', calls: both('delete') },
	{
		// The unpublish before it was confirmed, so `checkExists` asks nothing.
		deed: 'publish',
		trouble: 'refuses one request',
		fault: () => refuse(1),
		calls: {
			'2.41': ['checkExists', 'create', 'delete', 'checkExists', 'create'],
			'1.123': ['checkExists', 'create', 'delete'],
		},
	},
	{ deed: 'publish', calls: { '2.41': [], '1.123': ['checkExists', 'create'] } },
	{
		deed: 'unpublish',
		trouble: 'refuses all',
		fault: () => refuse(),
		calls: { '2.41': times(3, 'delete'), '1.123': ['delete'] },
	},
	// What a removal that failed halfway may have left is not adopted; n8n 1.x forgets that it was tried.
	{ deed: 'publish', calls: { '2.41': ['checkExists', 'create'], '1.123': ['checkExists'] } },
	{ deed: 'unpublish', calls: both('delete') },
	{
		deed: 'publish',
		trouble: 'creates, and does not answer',
		fault: loseFirstCreation,
		calls: {
			'2.41': ['checkExists', 'create', 'delete', 'checkExists', 'create'],
			'1.123': ['checkExists', 'create', 'delete'],
		},
	},
	{ deed: 'unpublish', calls: { '2.41': ['delete'], '1.123': [] } },
	{
		deed: 'publish',
		trouble: 'refuses all',
		fault: () => refuse(),
		calls: {
			'2.41': times(5, 'checkExists', 'create', 'delete'),
			'1.123': ['checkExists', 'create', 'delete'],
		},
	},
	{ deed: 'save', calls: both('checkExists', 'create') },
	{ deed: 'unpublish', calls: both('delete') },
];

/** One telling of the story: to a real n8n, or to the model of it. */
interface Teller {
	sandbox: Sandbox;
	/** @throws where n8n says that a publish has failed */
	tell: (deed: Deed, parameters: INodeParameters) => Promise<void>;
}

/** What a chapter made of the service. */
interface Trace {
	chapter: string;
	failed: boolean;
	requests: string[];
	endpoints: number;
}

async function trace({ sandbox, tell }: Teller): Promise<Trace[]> {
	let events = ['call.completed'];
	const traces: Trace[] = [];
	for (const { deed, events: chosen, trouble, fault } of story) {
		events = chosen ?? events;
		const from = sandbox.requests.length;
		sandbox.fault = fault?.();
		const failed = await tell(deed, { events, options: {} }).then(
			() => false,
			() => true,
		);
		sandbox.fault = undefined;
		traces.push({
			chapter: [deed, chosen && 'with other events', trouble && `while the service ${trouble}`]
				.filter(Boolean)
				.join(' '),
			failed,
			requests: sandbox.requests.slice(from).map(describeRequest),
			endpoints: sandbox.endpoints().length,
		});
	}
	return traces;
}

function describeRequest({ method, path, status, fault }: Sandbox['requests'][number]): string {
	const isLost = fault !== undefined && fault !== 'status';
	return `${method} ${path.replace(/[\da-f-]{36}/, 'ID')} ${isLost ? fault : status}`;
}

async function traceN8n(line: Line): Promise<Trace[]> {
	const stack = await startStack({ line });
	const sandbox = await startSandbox();
	try {
		const { api, logFile } = stack.n8n;
		const starts = () => readFileSync(logFile, 'utf8').split('Editor is now accessible').length;
		const credentialId = await api.createCredential('Service', 'voiceAgentApi', {
			baseUrl: sandbox.baseUrl,
			apiKey: sandbox.adminKey,
		});
		const trigger = triggerNode(credentialId, {});
		const other = nodeOf('Other', 'n8n-nodes-base.noOp');
		let note = 0;
		const nodes = (parameters: INodeParameters) => [
			{ ...trigger, parameters },
			{ ...other, notes: String(note) },
		];
		const { id } = await api.createWorkflow({
			name: 'Traced',
			nodes: nodes({ events: ['call.completed'], options: {} }),
			connections: chain('Trigger', 'Other'),
		});
		return await trace({
			sandbox,
			async tell(deed, parameters) {
				if (deed === 'restart') {
					const before = starts();
					await stack.n8n.restart();
					// An n8n before 2.41 answers earlier than it has gone through its triggers; then it logs this.
					await until('n8n to have started', 60, () => starts() > before);
					return;
				}
				if (deed === 'unpublish') return await api.unpublish(id);
				if (deed === 'save') note++;
				await api.updateWorkflow(id, { nodes: nodes(parameters) });
				await api.publish(id);
			},
		});
	} finally {
		await sandbox.stop();
		await stack.stop();
	}
}

/** The same story, told to the model; also which methods it called in each chapter. */
async function traceModel(ways: Ways): Promise<Array<Trace & { calls: Method[] }>> {
	const sandbox = await startSandbox();
	try {
		const node = await NodeInWorkflow.create('voiceAgentTrigger', {
			credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey },
		});
		const calls: Method[][] = [];
		const model = new N8nLifecycle(node, async (method) => {
			calls.at(-1)?.push(method);
			return await node.call(method);
		});
		const traces = await trace({
			sandbox,
			async tell(deed, parameters) {
				calls.push([]);
				if (ways === '1.123') {
					if (deed === 'restart') return await model.startAs1x();
					if (deed === 'unpublish') return await model.unpublishAs1x();
					return await model.publishAs1x(parameters);
				}
				if (deed === 'unpublish') return await model.unpublish();
				await model.publish(parameters);
			},
		});
		return traces.map((chapter, index) => ({ ...chapter, calls: calls[index] ?? [] }));
	} finally {
		await sandbox.stop();
	}
}

describe('the order in which n8n calls the methods of a trigger is that of the model', () => {
	const real = new Map<Line, Promise<Trace[]>>();
	beforeAll(() => {
		// All at once, for most of it is waiting; each test takes the failure of its own.
		for (const line of lines) {
			const traces = traceN8n(line);
			traces.catch(() => {});
			real.set(line, traces);
		}
	});

	test.each(lines)(
		'n8n %s',
		async (line) => {
			const model = await traceModel(waysOf(line));
			const traces = (await real.get(line)) ?? [];
			const rows = traces.map(({ chapter, requests }, index) =>
				[`${chapter}: ${model[index]?.calls.join(', ') || 'nothing'}`, ...requests].join('\n    '),
			);
			console.log([`n8n ${line}`, ...rows].join('\n  '));
			expect(model).toMatchObject(traces);
			expect(model.map(({ calls }) => calls)).toEqual(
				story.map(({ calls }) => calls[waysOf(line)]),
			);
		},
		5 * 60_000,
	);
});
