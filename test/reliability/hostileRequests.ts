import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSlots } from '../../sandbox/service/slots';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { type Report, table, violationsOf } from './report';
import { type RequestKind, requestKinds, type TriggerAccess } from './requestKinds';
import type { Answer } from './sendRequest';
import { publishTestWorkflow, type TestWorkflow, type WorkflowOptions } from './workflow';

const MEMORY_TIMEOUT_S = 90;
const MAX_GROWTH_MB = 150;
const WARM_UP_REQUESTS = 300;

/** Texts in the node's answers that no answer of n8n itself contains. */
const NODE_ANSWERS = ['Not a delivery of the service.', 'cannot take this delivery in'];
/** n8n's own 503, while its database takes longer than five seconds for an answer. */
const DATABASE_ANSWER = 'Database is not ready!';

/** The two triggers that receive the requests. */
type ByTrigger<Value> = Record<RequestKind['trigger'], Value>;

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
	await using running = new AsyncDisposableStack();
	const publish = async (options: WorkflowOptions) => {
		const dialect = { signature: 'standard-webhooks' } as const;
		const workflow = await publishTestWorkflow(stack, { dialect, ...options });
		running.defer(() => workflow.stop());
		return workflow;
	};
	const byTrigger: ByTrigger<TestWorkflow> = {
		token: await publish({}),
		signed: await publish({
			signingSecret: secret,
			options: { verifySignature: true },
		}),
	};
	const agent = new Agent({ keepAlive: true });
	running.defer(() => agent.destroy());
	const workflows = Object.values(byTrigger);
	const access = {
		token: accessTo(byTrigger.token, secret),
		signed: accessTo(byTrigger.signed, secret),
	};
	await Promise.all(workflows.map(deliverEvent));
	const kinds = requestKinds();
	const [warmUp] = kinds;
	if (warmUp) await sendAll(warmUp, WARM_UP_REQUESTS, access, agent);

	const { pid } = n8n;
	if (!pid) throw new Error('n8n ended before the first request');
	const memory = watchMemory(pid);
	running.defer(() => memory.stop());
	const rows: Array<Array<string | number>> = [];
	let sent = 0;
	let executed = 0;
	let unanswered = 0;
	let notRefused = 0;
	const started = Date.now();
	for (const kind of kinds) {
		const count = Math.ceil((kind.count * requests) / 10_000);
		const before = await countExecutions(workflows);
		const answers = await sendAll(kind, count, access, agent);
		if (n8n.pid !== pid) throw new Error(`n8n ended during: ${kind.name}`);
		const executions = (await countExecutions(workflows)) - before;
		rows.push([kind.name, count, summarizeAnswers(answers), executions]);
		sent += count;
		executed += executions;
		unanswered += answers.filter((answer) => !isAnswered(kind, answer)).length;
		const others = answers.filter((answer) => !isRefusedAsRequired(kind, answer));
		if (others[0]) console.log(`${kind.name}: ${others[0].status} ${others[0].body}`);
		notRefused += others.length;
	}
	const seconds = (Date.now() - started) / 1000;
	const calls = workflows.map(({ sandbox }) =>
		sandbox.requests.map(({ at }) => at).filter((at) => at >= started),
	);
	const maxCalls = Math.max(...calls.map(maxInTenSeconds));
	await memory.settled();
	await Promise.all(workflows.map(deliverEvent));
	const [first, peak, last] = [memory.first, memory.peak(), memory.read()];
	return {
		lines: [
			...table([['kind', 'sent', 'status and layer of the answers', 'executions'], ...rows]),
			`${sent} requests in ${seconds.toFixed(0)} s; executions started: ${executed}; without an answer: ${unanswered}; not refused by the node, though required: ${notRefused}`,
			`calls to the service: ${calls.map(({ length }) => length).join(' and ')} by the two triggers, at most ${maxCalls} in ten seconds`,
			`n8n's memory: ${first} MB at the start, ${peak} MB at the peak, ${last} MB at the end`,
		],
		violations: violationsOf({
			'no hostile request starts an execution': executed === 0,
			'every request is answered': unanswered === 0,
			'the node itself refuses a request without a valid secret': notRefused === 0,
			'the node calls the service at most once a second': maxCalls <= 11,
			[`n8n's memory grows by less than ${MAX_GROWTH_MB} MB`]: last <= first + MAX_GROWTH_MB,
		}),
	};
}

function accessTo({ n8n, sandbox }: TestWorkflow, secret: string): TriggerAccess {
	const { pathname, searchParams } = new URL(sandbox.endpoints()[0]?.url ?? '');
	const token = searchParams.get('voice_agent_token') ?? '';
	return { address: n8n.url + pathname, token, secret };
}

async function sendAll(
	kind: RequestKind,
	count: number,
	access: ByTrigger<TriggerAccess>,
	agent: Agent,
): Promise<Answer[]> {
	const inSlot = makeSlots(kind.concurrency ?? 12);
	return await Promise.all(
		Array.from({ length: count }, () =>
			inSlot(async () => await kind.send(access[kind.trigger], agent)),
		),
	);
}

/** Delivers a valid event, and waits until it is in the CRM. */
async function deliverEvent({ sandbox, records }: TestWorkflow): Promise<void> {
	const before = records.length;
	sandbox.emit('call.completed', { number: before });
	await until('a valid delivery to be executed', 60, () => records.length > before);
}

/** Counts all executions, also failed ones. */
async function countExecutions(workflows: TestWorkflow[]): Promise<number> {
	let sum = 0;
	for (const { n8n, workflowId } of workflows) {
		const { count } = await n8n.api.request<{ count: number }>('GET', '/executions', undefined, {
			filter: JSON.stringify({ workflowId }),
			limit: 1,
		});
		sum += count;
	}
	return sum;
}

/** Ten seconds, because the network delay of single calls varies. */
function maxInTenSeconds(times: number[]): number {
	const countFrom = (from: number) => times.filter((at) => at >= from && at < from + 10_000).length;
	return Math.max(0, ...times.map(countFrom));
}

/** @returns the number of answers of each status and layer, e.g. `401 node ×12` */
function summarizeAnswers(answers: Answer[]): string {
	const counts = new Map<string, number>();
	for (const answer of answers) {
		const key = `${answer.status} ${layerOf(answer)}`.trim();
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return [...counts].map(([key, count]) => `${key} ×${count}`).join(', ');
}

function isAnswered({ answeredBy }: RequestKind, { status }: Answer): boolean {
	return typeof status === 'number' || (status === 'closed' && answeredBy === 'none');
}

/** @returns false if a request for the node was answered in another way than by a refusal */
function isRefusedAsRequired({ answeredBy }: RequestKind, answer: Answer): boolean {
	const isRefused = answer.status === 401 || answer.status === 503;
	return answeredBy !== 'node' || (isRefused && layerOf(answer) !== 'n8n');
}

function layerOf({ status, body }: Answer): string {
	if (typeof status === 'string') return '';
	if (NODE_ANSWERS.some((text) => body.includes(text))) return 'node';
	if (body.includes(DATABASE_ANSWER)) return "n8n's database";
	return [400, 408, 431].includes(status) && !body ? 'HTTP server' : 'n8n';
}

/** Samples the resident memory of a process (MB) until the process ends. */
function watchMemory(pid: number) {
	const read = () => {
		const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
		return Math.round(Number(kilobytes) / 1024);
	};
	const first = read();
	let peak = first;
	const timer = setInterval(() => {
		try {
			peak = Math.max(peak, read());
		} catch {
			clearInterval(timer);
		}
	}, 200);
	return {
		first,
		read,
		peak: () => peak,
		/** Waits until the growth is within the bound, but no longer than the time-out. */
		async settled() {
			const deadline = Date.now() + MEMORY_TIMEOUT_S * 1000;
			while (read() > first + MAX_GROWTH_MB && Date.now() < deadline) await sleep(1000);
		},
		stop: () => clearInterval(timer),
	};
}
