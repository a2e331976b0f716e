import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { isFulfilled, until } from '../../sandbox/stack/until';
import { countExecutions, executionsEnded } from '../reliability/publishedTrigger';
import { type Report, table } from '../reliability/report';
import type { Cluster } from './cluster';
import { publishTestWorkflow } from './workflow';

/** Events that a service sends at a steady pace, whatever n8n answers. */
interface Load {
	name: string;
	events: number;
	perSecond: number;
}

const LOADS: Load[] = [
	{ name: 'burst', events: 250, perSecond: 8 },
	{ name: 'overload', events: 400, perSecond: 24 },
];
const WORKERS = 2;
/** The service gives up on an answer, and sends the event again. */
const ANSWER_WITHIN_MS = 30_000;
/** The wait after the first answer that is not 2xx. It doubles with each further one. */
const FIRST_WAIT_MS = 5000;
const LONGEST_S = 1200;

/**
 * Sends a burst, and more events than two workers can run in time. Each event is sent until its answer is 2xx,
 * which n8n gives when the execution has finished. Stops the other workers, and leaves them stopped.
 */
export async function measureOverload(cluster: Cluster): Promise<Report> {
	for (const worker of cluster.workers.slice(WORKERS)) await worker.stop();
	const rows = [];
	for (const load of LOADS) rows.push(await sendLoad(cluster, load));
	const names = ['', 'Events', 'Seconds', 'Attempts', 'Executions', 'Saved', 'Saved twice'];
	return {
		lines: table([names, ...rows.map((row) => Object.values(row))]),
		bounds: { 'every event is in the CRM': rows.every(({ events, saved }) => saved === events) },
	};
}

async function sendLoad(cluster: Cluster, { name, events, perSecond }: Load) {
	await using workflow = await publishTestWorkflow(cluster, `crm_${name}`, 'finished');
	const { api, sandbox, workflowId, countWrites } = workflow;
	const { url = '' } = sandbox.endpoints()[0] ?? {};
	const httpsAgent = new Agent({ ca: cluster.ca, keepAlive: true });
	let attempts = 0;
	const attempt = async (event: object) => {
		attempts++;
		const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
		const post = axios.post(url, event, { httpsAgent, signal, proxy: false });
		const isAccepted = await isFulfilled(post);
		return { isAccepted, isRefused: !isAccepted && !signal.aborted };
	};
	const started = Date.now();
	const send = async (index: number) => {
		await sleep((index * 1000) / perSecond);
		const data = { call_id: `call_${index}`, summary: 'A call' };
		const event = { id: `evt_${name}_${index}`, type: 'call.completed', data };
		let waitMs = FIRST_WAIT_MS;
		await until(`event ${index}`, LONGEST_S, async () => {
			const { isAccepted, isRefused } = await attempt(event);
			if (!isRefused) return isAccepted;
			await sleep(waitMs);
			waitMs *= 2;
			return false;
		});
	};
	await Promise.all(Array.from({ length: events }, (_, index) => send(index)));
	await executionsEnded(api, workflowId, LONGEST_S);
	const seconds = Math.round((Date.now() - started) / 1000);
	const executions = await countExecutions(api, { workflowId });
	const writes = [...(await countWrites()).values()];
	await workflow.unpublish();
	const savedTwice = writes.filter((times) => times > 1).length;
	return { name, events, seconds, attempts, executions, saved: writes.length, savedTwice };
}
