import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSlots } from '../../sandbox/service/slots';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { countExecutions } from './publishedTrigger';
import { type Report, table } from './report';
import { type RequestKind, requestKinds } from './requestKinds';
import { type Answer, sendRequest } from './sendRequest';
import { publishTestWorkflow, type TestWorkflow } from './workflow';

const MEMORY_TIMEOUT_S = 90;
const MAX_GROWTH_MB = 150;
const WARM_UP_REQUESTS = 300;

/** Texts in the node's refusals, and in n8n's while its database takes longer than five seconds. */
const REFUSALS = [
	'Not a delivery of the service.',
	'cannot take this delivery in',
	'Database is not ready!',
];

/**
 * Tests that hostile requests start no execution, are all answered, do not stop n8n, and rarely cause
 * a call to the service.
 *
 * @param requests the approximate number of requests
 * @throws an Error with the name of the kind of requests during which n8n ended
 */
export async function refuseHostileRequests(stack: Stack, requests: number): Promise<Report> {
	const { n8n } = stack;
	const secret = `whsec_${randomBytes(24).toString('base64')}`;
	const dialect = { signature: 'standard-webhooks' } as const;
	await using token = await publishTestWorkflow(stack, { dialect });
	await using signed = await publishTestWorkflow(stack, {
		dialect,
		signingSecret: secret,
		parameters: { options: { verifySignature: true } },
	});
	const receivers = { token, signed };
	const workflows = Object.values(receivers);
	await Promise.all(workflows.map(deliverEvent));
	const kinds = requestKinds();
	const send = (kind: RequestKind, count: number) =>
		sendAll(kind, count, receivers[kind.trigger], secret);
	await send(kinds[0]!, WARM_UP_REQUESTS);

	const { pid } = n8n;
	if (!pid) throw new Error('n8n ended before the first request');
	const [memoryBefore, started] = [memoryOf(pid), Date.now()];
	const rows: Array<[name: string, sent: number, statuses: string, executed: number]> = [];
	const [unanswered, notRefused]: [string[], string[]] = [[], []];
	for (const kind of kinds) {
		const count = Math.ceil((kind.count * requests) / 10_000);
		const before = await executionsOf(workflows);
		const answers = await send(kind, count);
		if (n8n.pid !== pid) throw new Error(`n8n ended during: ${kind.name}`);
		const executed = (await executionsOf(workflows)) - before;
		rows.push([kind.name, count, countStatuses(answers), executed]);
		if (answers.some(({ status }) => status === 'none')) unanswered.push(kind.name);
		if (kind.isForNode && !answers.every(isRefusal)) notRefused.push(kind.name);
	}
	const maxCalls = Math.max(
		...workflows.map((workflow) => maxCallsInTenSeconds(workflow, started)),
	);
	const deadline = Date.now() + MEMORY_TIMEOUT_S * 1000;
	while (memoryOf(pid) > memoryBefore + MAX_GROWTH_MB && Date.now() < deadline) await sleep(1000);
	await Promise.all(workflows.map(deliverEvent));
	const memoryAfter = memoryOf(pid);
	const sum = rows.reduce((total, [, sent]) => total + sent, 0);
	return {
		lines: [
			...table([['kind', 'sent', 'statuses', 'executions'], ...rows]),
			`${sum} requests; at most ${maxCalls} calls to the service in ten seconds`,
			`n8n's memory: ${memoryBefore} MB at the start, ${memoryAfter} MB at the end`,
			...unanswered.map((name) => `without an answer: ${name}`),
			...notRefused.map((name) => `not refused by the node: ${name}`),
		],
		bounds: {
			'no hostile request starts an execution': rows.every(([, , , executed]) => executed === 0),
			'every request is answered': unanswered.length === 0,
			'the node itself refuses a request without a valid secret': notRefused.length === 0,
			'the node calls the service at most once a second': maxCalls <= 11,
			[`n8n's memory grows by less than ${MAX_GROWTH_MB} MB`]:
				memoryAfter <= memoryBefore + MAX_GROWTH_MB,
		},
	};
}

async function sendAll(
	{ concurrency, makeRequest }: RequestKind,
	count: number,
	{ n8n, sandbox }: TestWorkflow,
	secret: string,
): Promise<Answer[]> {
	const { pathname, searchParams } = new URL(sandbox.endpoints()[0]?.url ?? '');
	const token = searchParams.get('voice_agent_token') ?? '';
	const inSlot = makeSlots(concurrency);
	const send = () => sendRequest(n8n.url + pathname, makeRequest({ token, secret }));
	return await Promise.all(Array.from({ length: count }, () => inSlot(send)));
}

/** Delivers a valid event, and waits until it is in the CRM. */
async function deliverEvent({ sandbox, writes }: TestWorkflow): Promise<void> {
	const callId = `call_${writes.size}`;
	sandbox.emit('call.completed', { call_id: callId });
	await until('a valid delivery to be executed', 60, () => writes.has(callId));
}

/** Counts all executions, also failed ones. */
async function executionsOf(workflows: TestWorkflow[]): Promise<number> {
	let sum = 0;
	for (const { api, workflowId } of workflows) sum += await countExecutions(api, { workflowId });
	return sum;
}

/** Ten seconds, because the network delay of single calls varies. */
function maxCallsInTenSeconds({ sandbox }: TestWorkflow, started: number): number {
	const times = sandbox.requests.map(({ at }) => at).filter((at) => at >= started);
	const countFrom = (from: number) => times.filter((at) => at >= from && at < from + 10_000).length;
	return Math.max(0, ...times.map(countFrom));
}

/** @returns the number of answers of each status, e.g. `401 ×12, 503 ×2` */
function countStatuses(answers: Answer[]): string {
	const counts = new Map<string | number, number>();
	for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
	return [...counts].map(([status, count]) => `${status} ×${count}`).join(', ');
}

function isRefusal({ status, body }: Answer): boolean {
	return (status === 401 || status === 503) && REFUSALS.some((text) => body.includes(text));
}

/** @returns the resident memory of a process (MB) */
function memoryOf(pid: number): number {
	const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return Math.round(Number(kilobytes) / 1024);
}
