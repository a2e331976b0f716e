import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSlots } from '../../sandbox/service/slots';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { type Answer, type Kind, kinds, type Knowledge } from './hostile';
import { brokenOf, type Report, table } from './report';
import { startTrial, type Trial, type TrialOptions } from './trial';

const SETTLING_S = 90;
const MAY_GROW_MB = 150;
const WARM_UP_REQUESTS = 300;

/** What the node answers, as against n8n around it. */
const NODE_ANSWERS = ['Not a delivery of the service.', 'is being set up'];

/**
 * Part B: hostile requests start nothing, are all answered, by the node where they can come so far,
 * and neither bring n8n down nor make it call the service often.
 *
 * @param requests about how many
 * @throws an Error that names the kind of requests under which n8n ended, if it did
 */
export async function repelStrangers(stack: Stack, requests: number): Promise<Report> {
	const { n8n } = stack;
	const secret = `whsec_${randomBytes(24).toString('base64')}`;
	await using running = new AsyncDisposableStack();
	const start = async (options: TrialOptions) => {
		const dialect = { signature: 'standard-webhooks' } as const;
		const trial = await startTrial(stack, { dialect, ...options });
		running.defer(() => trial.stop());
		return trial;
	};
	const trials = {
		token: await start({}),
		signed: await start({
			signingSecret: secret,
			options: { signature: { settings: { scheme: 'standardWebhooks' } } },
		}),
	};
	const agent = new Agent({ keepAlive: true });
	running.defer(() => agent.destroy());
	const known = {
		token: knowledgeOf(trials.token, secret),
		signed: knowledgeOf(trials.signed, secret),
	};
	await Promise.all(Object.values(trials).map(deliverGenuinely));
	const every = kinds();
	const [warmUp] = every;
	if (warmUp) await sendAll(warmUp, WARM_UP_REQUESTS, known, agent);

	const { pid } = n8n;
	if (!pid) throw new Error('n8n ended before it was put to the test');
	const memory = watchMemory(pid);
	running.defer(() => memory.stop());
	const rows: Array<Array<string | number>> = [];
	let sent = 0;
	let executed = 0;
	let unanswered = 0;
	let astray = 0;
	const beginning = Date.now();
	for (const kind of every) {
		const count = Math.ceil((kind.count * requests) / 10_000);
		const before = await countExecutions(trials);
		const answers = await sendAll(kind, count, known, agent);
		if (n8n.pid !== pid) throw new Error(`n8n ended under: ${kind.name}`);
		const executions = (await countExecutions(trials)) - before;
		rows.push([kind.name, count, tally(answers), executions]);
		sent += count;
		executed += executions;
		unanswered += answers.filter((answer) => !isAnswered(kind, answer)).length;
		astray += answers.filter((answer) => isAstray(kind, answer)).length;
	}
	const seconds = (Date.now() - beginning) / 1000;
	const calls = Object.values(trials).map(({ sandbox }) =>
		sandbox.requests.map(({ at }) => at).filter((at) => at >= beginning),
	);
	const busiest = Math.max(...calls.map(mostInTenSeconds));
	await memory.settled();
	await Promise.all(Object.values(trials).map(deliverGenuinely));
	const [first, peak, last] = [memory.first, memory.peak(), memory.read()];
	return {
		lines: [
			...table([['kind', 'sent', 'answered, by whom', 'executions'], ...rows]),
			`${sent} requests in ${seconds.toFixed(0)} s; executions started: ${executed}; without an answer: ${unanswered}; not refused by the node, which had to: ${astray}`,
			`calls to the service meanwhile: ${calls.map(({ length }) => length).join(' and ')} for the two triggers, at most ${busiest} in any ten seconds`,
			`n8n's memory: ${first} MB at the start, ${peak} MB at the peak, ${last} MB at the end`,
		],
		broken: brokenOf({
			'no stranger starts an execution': executed === 0,
			'every request is answered': unanswered === 0,
			'who lacks a secret is refused by the node itself': astray === 0,
			'the node calls the service at most once a second': busiest <= 11,
			[`n8n's memory grows by less than ${MAY_GROW_MB} MB`]: last <= first + MAY_GROW_MB,
		}),
	};
}

function knowledgeOf({ n8n, sandbox }: Trial, secret: string): Knowledge {
	const { pathname, searchParams } = new URL(sandbox.endpoints()[0]?.url ?? '');
	const token = searchParams.get('voice_agent_token') ?? '';
	return { address: n8n.url + pathname, token, secret };
}

async function sendAll(
	kind: Kind,
	count: number,
	known: Record<Kind['trigger'], Knowledge>,
	agent: Agent,
): Promise<Answer[]> {
	const inSlot = makeSlots(kind.atOnce ?? 12);
	return await Promise.all(
		Array.from({ length: count }, () =>
			inSlot(async () => await kind.send(known[kind.trigger], agent)),
		),
	);
}

/** Lets an event happen, and waits until it is in the CRM. */
async function deliverGenuinely({ sandbox, records }: Trial): Promise<void> {
	const before = records.length;
	sandbox.emit('call.completed', { number: before });
	await until('a genuine delivery to run', 60, () => records.length > before);
}

/** All executions of the trials' workflows, whatever their end. */
async function countExecutions(trials: Record<string, Trial>): Promise<number> {
	let all = 0;
	for (const { n8n, workflowId } of Object.values(trials)) {
		const { count } = await n8n.api.request<{ count: number }>('GET', '/executions', undefined, {
			filter: JSON.stringify({ workflowId }),
			limit: 1,
		});
		all += count;
	}
	return all;
}

/** Over ten seconds, since the way to the service takes each call a little longer or shorter. */
function mostInTenSeconds(moments: number[]): number {
	const within = (from: number) => moments.filter((at) => at >= from && at < from + 10_000).length;
	return Math.max(0, ...moments.map(within));
}

/** How often there was which answer, and from where, e.g. `401 node ×12`. */
function tally(answers: Answer[]): string {
	const times = new Map<string, number>();
	for (const answer of answers) {
		const key = `${answer.status} ${layerOf(answer)}`.trim();
		times.set(key, (times.get(key) ?? 0) + 1);
	}
	return [...times].map(([key, count]) => `${key} ×${count}`).join(', ');
}

/** What is not read to its end may be cut off instead. */
function isAnswered({ answeredBy }: Kind, { status }: Answer): boolean {
	return typeof status === 'number' || (status === 'closed' && answeredBy === 'nobody');
}

/** Whether a request that the node had to refuse came to another end, such as an address that is none. */
function isAstray({ answeredBy }: Kind, answer: Answer): boolean {
	const isRefused = answer.status === 401 || answer.status === 503;
	return answeredBy === 'node' && !(isRefused && layerOf(answer) === 'node');
}

function layerOf({ status, body }: Answer): string {
	if (typeof status === 'string') return '';
	if (NODE_ANSWERS.some((text) => body.includes(text))) return 'node';
	return [400, 408, 431].includes(status) && !body ? 'HTTP server' : 'n8n';
}

/** Samples the resident memory of a process, in MB, as long as it is there. */
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
		/** Gives it time to come down. */
		async settled() {
			const deadline = Date.now() + SETTLING_S * 1000;
			while (read() > first + MAY_GROW_MB && Date.now() < deadline) await sleep(1000);
		},
		stop: () => clearInterval(timer),
	};
}
