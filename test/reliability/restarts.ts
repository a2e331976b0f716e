import type { Fault } from '../../sandbox/service';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { LOGGING_DIALECT, readEvery } from '../support/publishing/caughtUpEvents';
import { settledWrites } from './eventStream';
import { countExecutions } from './publishedTrigger';
import { type Report, table } from './report';
import {
	emitCalls,
	pollTwice,
	publishTestWorkflow,
	type TestWorkflow,
	type WorkflowOptions,
} from './workflow';

export interface RestartSizes {
	/** The missed events of the trigger that n8n is killed in catching up for. */
	caughtUp: number;
	/** How long services refuse a POST, or are silent (s). */
	faultSeconds: number;
	/** The answers to each POST, and what happened to the webhook before. */
	refusals: Array<[status: number, webhook: 'disabled' | 'deleted']>;
}

/** A trigger whose webhook or service fails while its events do. */
interface Case {
	title: string;
	options?: WorkflowOptions;
	/** Before events fail. */
	before?: (workflow: TestWorkflow) => Promise<unknown>;
	/** After events have failed. */
	after?: (workflow: TestWorkflow) => void;
	/** Whether the poll has to replace the webhook; otherwise it has to keep the webhook. */
	isReplaced?: boolean;
	/** Whether the service deletes the webhook with its log, so that no event can be caught up. */
	isLogGone?: boolean;
}

/** A case, with what happened so far. */
interface Followed extends Case {
	workflow: TestWorkflow;
	/** The IDs of the calls of all events that have to run. */
	sent: string[];
	firstEndpointId: string | undefined;
}

/** Two lists have to lack an endpoint, two minutes apart, before it counts as deleted. */
const MENDED_S = 300;
const MISSED = 5;
const OPTIONS: WorkflowOptions = { dialect: LOGGING_DIALECT, parameters: readEvery(5) };
/** Missed events fail in the workflow, while n8n can be reached: it stores which ones it has caught up on. */
const REFUSED_AT_FIRST: WorkflowOptions = {
	...OPTIONS,
	parameters: { ...readEvery(5), options: { acknowledge: 'finished' } },
	isRefusedAtFirst: (callId) => callId.startsWith('missed'),
};
const twentyOthers = Array.from({ length: 20 }, (_, index) => ({
	id: `other_${index}`,
	url: `https://other.example.com/${index}`,
	events: ['call.completed'],
}));

const disable = ({ sandbox }: TestWorkflow) => {
	for (const { id } of sandbox.endpoints()) sandbox.disableEndpoint(id, { status: 'disabled' });
};
const removeByHand = ({ sandbox }: TestWorkflow) => {
	for (const { id } of sandbox.endpoints()) sandbox.removeEndpoint(id);
};

/** Answers the next request for the list of webhooks with another list. */
const listOnce =
	(body: object[]) =>
	({ sandbox }: TestWorkflow) => {
		sandbox.fault = ({ method, path }) => {
			if (method !== 'GET' || path !== '/webhooks') return undefined;
			sandbox.fault = undefined;
			return { kind: 'status', status: 200, body };
		};
	};

/** Lets requests of a method, or all, fail until so many seconds after the first of them. */
function fail({ sandbox }: TestWorkflow, fault: Fault, seconds: number, method = ''): void {
	let end: number | undefined;
	sandbox.fault = (request) => {
		if (!request.method.startsWith(method)) return undefined;
		end ??= Date.now() + seconds * 1000;
		return Date.now() < end ? fault : undefined;
	};
}

async function rotateKey({ api, sandbox, nodes: [{ credentials }] }: TestWorkflow) {
	const { id, name } = credentials!.voiceAgentApi!;
	const apiKey = sandbox.createKey('Rotated', ['workspace:admin']);
	const data = { ...sandbox.credential, apiKey, webhookSigningSecret: '' };
	await api.request('PATCH', `/credentials/${id}`, { name, type: 'voiceAgentApi', data });
}

function casesOf({ refusals, faultSeconds }: RestartSizes): Case[] {
	const silence = { kind: 'hang-before' } as const;
	const refused = refusals.map(
		([status, what]): Case => ({
			title: `webhook ${what}, POST answers ${status} for ${faultSeconds} s`,
			after(workflow) {
				({ disabled: disable, deleted: removeByHand })[what](workflow);
				fail(workflow, { kind: 'status', status }, faultSeconds, 'POST');
			},
			isReplaced: true,
			isLogGone: what === 'deleted',
		}),
	);
	return [
		{ title: 'API key rotated before', before: rotateKey },
		{ title: 'webhook disabled by the service', after: disable, isReplaced: true },
		{ title: 'list empty once', after: listOnce([]) },
		{ title: 'list cut at 20 once', after: listOnce(twentyOthers) },
		{
			title: `service silent for ${faultSeconds} s`,
			after: (workflow) => fail(workflow, silence, faultSeconds),
		},
		...refused,
	];
}

/**
 * Kills n8n once and starts it, with triggers that each have a service of their own. One trigger is catching up;
 * the events of the others fail meanwhile, and their webhooks or services fail in several ways. One webhook is
 * disabled after the start. A deleted webhook takes minutes, in which other parts can run that do not restart n8n.
 *
 * @returns the reports on the trigger that was catching up, on those whose webhooks are in the list, and on those
 *   whose webhooks were deleted
 */
export async function restartAmidFaults(stack: Stack, sizes: RestartSizes) {
	const { n8n } = stack;
	const followed: Followed[] = [];
	for (const one of casesOf(sizes)) followed.push(await follow(stack, one));
	const running = await follow(stack, {
		title: 'after the start, webhook disabled by the service',
		options: REFUSED_AT_FIRST,
		isReplaced: true,
	});
	await Promise.all([...followed, running].map(allRun));
	const reportKilled = await killCatchUp(stack, sizes.caughtUp);
	for (const one of followed) emit(one, 'missed', one.isLogGone ? 0 : MISSED);
	for (const { workflow, after } of followed) {
		await workflow.sandbox.settled();
		after?.(workflow);
	}
	await n8n.restart();
	emit(running, 'missed', MISSED);
	await running.workflow.sandbox.settled();
	disable(running.workflow);
	const isGone = ({ isLogGone = false }: Case) => isLogGone;
	const present = [...followed.filter((one) => !isGone(one)), running];
	const reports = {
		killed: reportKilled(),
		present: Promise.all(present.map(mended)).then(reportMended),
		deleted: Promise.all(followed.filter(isGone).map(mended)).then(reportMended),
	};
	// They are awaited later.
	for (const report of Object.values(reports)) report.catch(() => {});
	return reports;
}

/**
 * Lets a trigger catch up, with *Respond* set to *When Last Node Finishes*, and kills n8n in the middle.
 *
 * @param events the number of missed events
 * @returns a function that reports, after a start, on the executions that ended and those that did not
 */
async function killCatchUp(stack: Stack, events: number): Promise<() => Promise<Report>> {
	const { n8n } = stack;
	const workflow = await publishTestWorkflow(stack, { ...REFUSED_AT_FIRST, crmDelayMs: 500 });
	const { api, workflowId, writes } = workflow;
	emitCalls(workflow, 'missed', events);
	await workflow.sandbox.settled();
	await until('a third of the executions', MENDED_S, () => writes.size >= events / 3);
	await n8n.kill();
	const before = writes.size;
	return async () => {
		await using ended = workflow;
		await until('each event to run', MENDED_S, () => writes.size === events).catch(() => false);
		await pollTwice(ended);
		await settledWrites(ended, events);
		const succeeded = await countExecutions(api, { workflowId, status: ['success'] });
		const crashed = await countExecutions(api, { workflowId, status: ['crashed'] });
		const twice = [...writes.values()].filter((times) => times > 1).length;
		return {
			lines: table([
				['missed', 'run before the kill', 'crashed', 'run', 'succeeded', 'twice'],
				[events, before, crashed, writes.size, succeeded, twice],
			]),
			bounds: {
				'n8n was killed in the middle of catching up': before < events,
				// Killed after the last node, n8n may have stored the event, and not yet that its execution succeeded.
				'each missed event has run to its end':
					writes.size === events && succeeded + crashed >= events,
				// What was caught up is stored once its execution has ended, one after the other.
				'only the event that was running at the kill runs twice':
					twice <= 1 && succeeded - events <= 1,
			},
		};
	};
}

/** Publishes a trigger, and sends it an event. */
async function follow(stack: Stack, one: Case): Promise<Followed> {
	const workflow = await publishTestWorkflow(stack, one.options ?? OPTIONS);
	const firstEndpointId = workflow.sandbox.endpoints()[0]?.id;
	const followed: Followed = { ...one, workflow, sent: [], firstEndpointId };
	await one.before?.(workflow);
	emit(followed, 'before', 1);
	return followed;
}

function emit({ workflow, sent }: Followed, name: string, count: number): void {
	sent.push(...emitCalls(workflow, name, count));
}

const allRun = ({ title, sent, workflow: { writes } }: Followed) =>
	until(`each event to run: ${title}`, MENDED_S, () => sent.every((callId) => writes.has(callId)));

/**
 * Waits until a trigger has one webhook again, sends an event, and waits until all events have run.
 *
 * @returns the row of the trigger
 */
async function mended(one: Followed) {
	await using workflow = one.workflow;
	const { title, sent, firstEndpointId, isReplaced = false } = one;
	const { sandbox, writes } = workflow;
	const begun = Date.now();
	const isMended = () => {
		const [endpoint, ...others] = sandbox.endpoints();
		return others.length === 0 && endpoint && (endpoint.id !== firstEndpointId) === isReplaced;
	};
	// A violated bound shows in the table.
	const inTime = await until(`one webhook: ${title}`, MENDED_S, isMended).catch(() => false);
	const seconds = Math.round((Date.now() - begun) / 1000);
	emit(one, 'after', 1);
	await allRun(one).catch(() => false);
	await pollTwice(workflow).catch(() => {});
	const endpoints = sandbox.endpoints();
	return {
		'beside the kill -9': title,
		webhook: endpoints[0]?.id === firstEndpointId ? 'kept' : 'replaced',
		'after s': inTime ? seconds : 'never',
		webhooks: endpoints.length,
		events: sent.length,
		run: sent.filter((callId) => writes.has(callId)).length,
		twice: [...writes.values()].filter((times) => times > 1).length,
	};
}

function reportMended(rows: Array<Awaited<ReturnType<typeof mended>>>): Report {
	return {
		lines: table([Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))]),
		bounds: {
			'a webhook that serves its trigger is kept, and another one replaced': rows.every(
				(row) => row['after s'] !== 'never',
			),
			'each trigger has one webhook after a fault': rows.every(({ webhooks }) => webhooks === 1),
			'each event of the log has run': rows.every(({ events, run }) => run === events),
			'no event has run twice': rows.every(({ twice }) => twice === 0),
		},
	};
}
