import axios from 'axios';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { startSandbox } from '../../sandbox/service';
import { LOGGING_DIALECT, readEvery } from '../support/publishing/caughtUpEvents';
import { nodeOf } from '../support/n8n/triggerNode';
import { settledWrites } from './eventStream';
import { countExecutions, publishTrigger } from './publishedTrigger';
import { type Report, table } from './report';
import { emitCalls, pollTwice, publishTestWorkflow } from './workflow';

const WAIT_S = 240;
/** n8n has answered all deliveries before a poll judges them. */
const MIN_AGE_S = 12;

/**
 * Tests that an event is not caught up which n8n has accepted, although the service did not wait for the answer.
 * *Respond* is *Immediately*.
 *
 * @param events the number of events, all at once
 */
export async function giveUpEarly(stack: Stack, events: number): Promise<Report> {
	await using workflow = await publishTestWorkflow(stack, {
		dialect: LOGGING_DIALECT,
		parameters: readEvery(5, MIN_AGE_S / 60),
		answerWithinMs: 300,
	});
	const { api, sandbox, workflowId, writes } = workflow;
	emitCalls(workflow, 'call', events);
	await sandbox.settled();
	const attempts = sandbox.deliveriesOf(sandbox.endpoints()[0]?.id ?? '');
	const givenUp = attempts.filter(({ status }) => status === 'failed').length;
	await until('each event to run', WAIT_S, () => writes.size >= events).catch(() => false);
	const newest = Math.max(...attempts.map(({ attempted_at }) => Date.parse(attempted_at)));
	await until('the age of all events', 60, () => Date.now() - newest > MIN_AGE_S * 1000);
	await pollTwice(workflow);
	await settledWrites(workflow, events);
	const byPolls = await countExecutions(api, { workflowId, mode: 'trigger' });
	const byDeliveries = await countExecutions(api, { workflowId, mode: 'webhook' });
	const twice = [...writes.values()].filter((times) => times > 1).length;
	return {
		lines: table([
			['events', 'given up by the service', 'run by n8n at once', 'caught up', 'run', 'twice'],
			[events, givenUp, byDeliveries, byPolls, writes.size, twice],
		]),
		bounds: {
			'the service gives up deliveries': givenUp > events / 10,
			'an event that n8n took in is not caught up': byPolls === events - byDeliveries,
			'each event that the service gave up has run once': writes.size === events && twice === 0,
		},
	};
}

/**
 * Restarts n8n with triggers whose service accepts connections and never answers, and without them, and measures
 * the time until n8n answers the webhooks of its own nodes.
 */
export async function startAtSilentService(stack: Stack, triggers: number, rounds: number) {
	const { n8n } = stack;
	const { api } = n8n;
	await using published = new AsyncDisposableStack();
	const paths: string[] = [];
	const publishOwn = async () => {
		const path = crypto.randomUUID();
		const own = nodeOf('Webhook', 'n8n-nodes-base.webhook', {
			...{ typeVersion: 2, webhookId: path, parameters: { path, options: {} } },
		});
		const { id } = await api.createWorkflow({ name: 'Own', nodes: [own], connections: {} });
		await api.publish(id);
		published.defer(() => api.unpublish(id));
		paths.push(path);
	};
	/** @returns the time until n8n has answered each of its own webhooks (s) */
	const restart = async () => {
		const seconds: number[] = [];
		for (let round = 0; round < rounds; round++) {
			await n8n.stop();
			const started = performance.now();
			const restarted = n8n.restart();
			await until('the own webhooks', 180, async () => {
				const calls = paths.map((path) =>
					axios.get(`${n8n.url}/webhook/${path}`, { timeout: 1000, proxy: false }),
				);
				const answers = await Promise.all(calls).catch(() => []);
				return answers.length > 0 && answers.every(({ data }) => typeof data === 'object');
			});
			seconds.push((performance.now() - started) / 1000);
			await restarted;
		}
		return seconds;
	};
	await publishOwn();
	const without = await restart();
	await using sandbox = await startSandbox();
	for (let trigger = 0; trigger < triggers; trigger++) {
		const { unpublish } = await publishTrigger(api, sandbox);
		published.defer(unpublish);
	}
	// One is published before the triggers and one after, for any order of a start.
	await publishOwn();
	sandbox.fault = () => ({ kind: 'hang-before' });
	const silent = await restart();
	sandbox.fault = undefined;
	const inSeconds = (times: number[]) => times.map((time) => time.toFixed(1)).join(', ');
	const endpoints = sandbox.endpoints().length;
	await published.disposeAsync();
	return {
		lines: table([
			['published', 'n8n answers its own webhooks after, s'],
			['none', inSeconds(without)],
			[`${triggers} triggers, and their service is silent`, inSeconds(silent)],
		]),
		bounds: {
			'n8n starts as early with a silent service':
				Math.min(...silent) <= 1.3 * Math.max(...without) + 2,
			'a start keeps the webhooks': endpoints === triggers,
		},
	};
}
