import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import fastq from 'fastq';
import type { N8n } from '../../sandbox/stack/n8n';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { type Answer, type Kind, kinds, type Knowledge } from './hostile';
import { brokenOf, type Report, table } from './report';
import { startTrial, type Trial } from './trial';

const SETTLING_S = 90;
const MAY_GROW_MB = 150;
const WARM_UP_REQUESTS = 300;

/** What the node answers, as against n8n around it. */
const NODE_ANSWERS = ['Not a delivery of the service.', 'is being set up', 'could not be judged'];

/**
 * Part B: hostile requests start nothing, are all answered, and neither bring n8n down nor make it
 * call the service often.
 *
 * @param requests about how many
 */
export async function repelStrangers(stack: Stack, requests: number): Promise<Report> {
	const { n8n } = stack;
	const secret = `whsec_${randomBytes(24).toString('base64')}`;
	const dialect = { signature: 'standard-webhooks' } as const;
	const trials = {
		token: await startTrial(stack, { dialect }),
		signed: await startTrial(stack, {
			dialect,
			signingSecret: secret,
			options: { verification: 'standardWebhooks' },
		}),
	};
	const agent = new Agent({ keepAlive: true });
	const over = new AbortController();
	try {
		const known = {
			token: knowledgeOf(trials.token, secret),
			signed: knowledgeOf(trials.signed, secret),
		};
		await Promise.all(Object.values(trials).map(deliverGenuinely));
		const every = kinds();
		const [warmUp] = every;
		if (warmUp) await sendAll(warmUp, WARM_UP_REQUESTS, known, agent);

		const memory = watchMemory(n8n, over.signal);
		const { pid } = n8n;
		const rows: Array<Array<string | number>> = [];
		let sent = 0;
		let started = 0;
		let unanswered = 0;
		const beginning = Date.now();
		for (const kind of every) {
			const count = Math.ceil((kind.count * requests) / 10_000);
			const before = await countExecutions(trials);
			const answers = await sendAll(kind, count, known, agent);
			const executions = (await countExecutions(trials)) - before;
			rows.push([kind.name, count, tally(answers), executions]);
			sent += count;
			started += executions;
			unanswered += answers.filter(({ status }) => status === 'none').length;
		}
		const seconds = (Date.now() - beginning) / 1000;
		const calls = Object.values(trials).map(
			({ sandbox }) => sandbox.requests.filter(({ at }) => at >= beginning).length,
		);
		await memory.settled();
		await Promise.all(Object.values(trials).map(deliverGenuinely));
		const { start } = memory;
		const [peak, end] = [memory.peak(), memory.read()];
		return {
			lines: [
				...table([['kind', 'sent', 'answered, by whom', 'executions'], ...rows]),
				`${sent} requests in ${seconds.toFixed(0)} s; executions started: ${started}; without an answer: ${unanswered}`,
				`calls to the service meanwhile: ${calls.join(' and ')} for the two triggers`,
				`n8n's memory: ${start} MB at the start, ${peak} MB at the peak, ${end} MB at the end`,
			],
			broken: brokenOf({
				'no stranger starts an execution': started === 0,
				'every request is answered': unanswered === 0,
				'the node calls the service at most once a second': Math.max(...calls) <= seconds + 1,
				'n8n stays up': n8n.pid === pid,
				[`n8n's memory grows by less than ${MAY_GROW_MB} MB`]: end <= start + MAY_GROW_MB,
			}),
		};
	} finally {
		over.abort();
		agent.destroy();
		for (const trial of Object.values(trials)) await trial.stop();
	}
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
	const queue = fastq.promise(
		async () => await kind.send(known[kind.trigger], agent),
		kind.atOnce ?? 12,
	);
	return await Promise.all(Array.from({ length: count }, () => queue.push(undefined)));
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

/** How often there was which answer, and from where, e.g. `401 node ×12`. */
function tally(answers: Answer[]): string {
	const times = new Map<string, number>();
	for (const answer of answers) {
		const key = `${answer.status} ${layerOf(answer)}`.trim();
		times.set(key, (times.get(key) ?? 0) + 1);
	}
	return [...times].map(([key, count]) => `${key} ×${count}`).join(', ');
}

function layerOf({ status, body }: Answer): string {
	if (typeof status === 'string') return '';
	if (NODE_ANSWERS.some((text) => body.includes(text))) return 'node';
	return [400, 408, 431].includes(status) && !body ? 'HTTP server' : 'n8n';
}

/** Samples the resident memory of n8n's process, in MB, until `signal` ends it. */
function watchMemory({ pid }: N8n, signal: AbortSignal) {
	const read = () => {
		const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
		return Math.round(Number(kilobytes) / 1024);
	};
	const start = read();
	let peak = start;
	const timer = setInterval(() => (peak = Math.max(peak, read())), 200);
	signal.addEventListener('abort', () => clearInterval(timer));
	return {
		start,
		read,
		peak: () => peak,
		/** Gives it time to come down. */
		async settled() {
			const deadline = Date.now() + SETTLING_S * 1000;
			while (read() > start + MAY_GROW_MB && Date.now() < deadline) await sleep(1000);
		},
	};
}
