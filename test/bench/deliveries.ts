import { createHmac, randomUUID } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';
import { startSandbox } from '../../sandbox/service';
import { createEvent } from '../../sandbox/service/events';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { startGithubHooks } from '../reliability/githubHooks';
import { chain, nodeOf } from '../support/triggerNode';
import { CONNECTIONS, cpuMsOf, sendLoad, type Target } from './load';
import { above, atLeast, atMost, below, type Comparison, type Goal, inTurns } from './measure';
import type { Section } from './report';

export interface Sizes {
	/** Rounds of the accepted deliveries with a goal. An execution takes a different time in each round. */
	acceptedRounds: number;
	/** Rounds of the other comparisons with a goal. */
	rounds: number;
	/** Rounds of the comparisons without a goal. */
	recordedRounds: number;
	/** Requests to each peer in a round. */
	requests: number;
}

interface Result {
	/** Answers per second. */
	rate: number;
	/** The 99th percentile of the latency (ms). */
	p99: number;
	/** The processor time of n8n for each delivery with its execution (ms). Other load affects it least. */
	cpuMs: number;
}

const [MINIMAL, GITHUB, WEBHOOK] = ['minimal trigger', 'GitHub Trigger', "n8n's Webhook node"];

const body = JSON.stringify(createEvent('call.completed'));
const notSelected = JSON.stringify(createEvent('call.started'));
const hmac = (secret: string) =>
	`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/**
 * Sends deliveries to triggers in one real n8n, each in the same workflow: accepted deliveries,
 * deliveries without a callback token, and deliveries of an event type that is not selected.
 */
export async function measureDeliveries(stack: Stack, sizes: Sizes): Promise<Section[]> {
	await using starting = new AsyncDisposableStack();
	const { api } = stack.n8n;
	const sandbox = await startSandbox({ dialect: { signature: 'standard-webhooks' } });
	starting.defer(() => sandbox.stop());
	const github = await startGithubHooks(stack.certificate.ca, true);
	starting.defer(() => github.stop());
	/** Replaces the public host, because a load bypasses the proxy. */
	const localUrl = (url: string) =>
		`${stack.n8n.url}${new URL(url).pathname}${new URL(url).search}`;

	/** Publishes a trigger with a node after it. */
	async function publish(trigger: Partial<INode> & Pick<INode, 'type' | 'typeVersion'>) {
		const webhookId = randomUUID();
		const nodes: INode[] = [
			nodeOf('Trigger', trigger.type, { webhookId, ...trigger }),
			nodeOf('Next', 'n8n-nodes-base.noOp'),
		];
		const { id } = await api.createWorkflow({
			name: trigger.type,
			nodes,
			connections: chain('Trigger', 'Next'),
			settings: { executionOrder: 'v1' },
		});
		await api.publish(id);
		return { url: `${stack.n8n.url}/webhook/${webhookId}/webhook`, body };
	}
	const credential = async (type: string, data: IDataObject) => ({
		[type]: { id: await api.createCredential(type, type, data), name: type },
	});

	const webhookSigningSecret = sandbox.signingSecret;
	const credentials = await credential('voiceAgentApi', {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.adminKey,
		webhookSigningSecret,
	});
	const publishOurs = async (options: IDataObject) => {
		await publish({
			type: 'n8n-nodes-voice-agent.voiceAgentTrigger',
			typeVersion: 1.1,
			parameters: { events: ['call.completed'], options } as INode['parameters'],
			credentials,
		});
		const { id = '', url = '' } = sandbox.endpoints().at(-1) ?? {};
		return { url: localUrl(url), body, endpointId: id };
	};
	const minimal = await publish({
		type: 'n8n-nodes-bench-minimal.minimalTrigger',
		typeVersion: 1.1,
	});
	const plain = await publishOurs({});
	const fields = [
		{ detail: 'customer.phone', path: 'data.from' },
		{ detail: 'customer.name', path: 'data.customer.name' },
		{ detail: 'startedAt', path: 'data.started_at' },
	];
	const signed = await publishOurs({ verifySignature: true });
	const { secret = '' } = sandbox.detailsOf(signed.endpointId) ?? {};
	const byName = (value: string) => ({ __rl: true, mode: 'name', value });
	await publish({
		type: 'n8n-nodes-base.githubTrigger',
		typeVersion: 1,
		parameters: {
			owner: byName('owner'),
			repository: byName('repository'),
			events: ['push'],
			options: {},
		},
		credentials: await credential('githubApi', {
			server: github.url,
			user: 'owner',
			accessToken: 'any',
		}),
	});
	const [hook] = github.endpoints();

	const accepted: Record<string, Target> = {
		[MINIMAL]: minimal,
		plain,
		mapped: await publishOurs({ callDetailsMapping: { fields } }),
		signed: { ...signed, headers: () => signStandard(secret) },
		[GITHUB]: {
			url: localUrl(hook?.url ?? ''),
			body,
			headers: () => ({
				'x-github-event': 'push',
				'x-hub-signature-256': hmac(github.secretOf(hook?.id ?? '') ?? ''),
			}),
		},
	};
	const outputs = { __rl: true, mode: 'list', value: 'call.completed, Other' };
	const ownSecret = await publishOurs({ verifySignature: true });
	await publish({
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'own-webhook', options: {} },
	});
	const recorded: Record<string, Target> = {
		[MINIMAL]: minimal,
		plain,
		ownSecret: { ...ownSecret, headers: () => ({ 'x-signature': hmac(webhookSigningSecret) }) },
		outputs: await publishOurs({ outputs }),
		[WEBHOOK]: { url: `${stack.n8n.url}/webhook/own-webhook`, body },
	};
	const refused: Record<string, Target> = {
		[MINIMAL]: { url: `${minimal.url}?answer=refuse`, body, status: 401 },
		ours: { url: plain.url.split('?')[0] ?? '', body, status: 401 },
	};
	const ignored: Record<string, Target> = {
		[MINIMAL]: { url: `${minimal.url}?answer=ignore`, body },
		ours: { url: plain.url, body: notSelected },
	};

	/** Sends a load, and waits for its executions: one for each request, or none. */
	const measure =
		(target: Target, requests: number, runs: boolean) => async (): Promise<Result> => {
			const startedAfter = new Date().toISOString();
			const before = await cpuMsOf(stack.n8n.pid);
			const result = await sendLoad(target, requests);
			const unfinished = { status: ['new', 'running'] };
			await until('n8n to be idle', 120, async () => (await countExecutions(unfinished)) === 0);
			const cpuMs = ((await cpuMsOf(stack.n8n.pid)) - before) / requests;
			const succeeded = await countExecutions({ status: ['success'], startedAfter });
			if (succeeded !== (runs ? requests : 0)) {
				throw new Error(`${succeeded} executions of ${requests} requests succeeded`);
			}
			return { ...result, cpuMs };
		};
	async function countExecutions(filter: object): Promise<number> {
		const first = { filter: JSON.stringify(filter), limit: 1 };
		const page = await api.request<{ count: number }>('GET', '/executions', undefined, first);
		return page.count;
	}
	const inRounds = async (targets: Record<string, Target>, rounds: number, runs: boolean) => {
		const peers = (count: number) =>
			Object.fromEntries(
				Object.entries(targets).map(([name, target]) => [name, measure(target, count, runs)]),
			);
		await inTurns(1, peers(CONNECTIONS));
		return await inTurns(rounds, peers(sizes.requests));
	};

	const results = await inRounds(accepted, sizes.acceptedRounds, true);
	const recordedResults = await inRounds(recorded, sizes.recordedRounds, true);
	const refusedResults = await inRounds(refused, sizes.rounds, false);
	const ignoredResults = await inRounds(ignored, sizes.rounds, false);

	return [
		{
			name: 'accepted',
			title: 'Accepted deliveries',
			comparisons: [
				compare('rate', 'accepted', results, ['plain', MINIMAL], atLeast(0.97)),
				compare('cpuMs', 'accepted', results, ['plain', MINIMAL], atMost(1.03)),
				compare('rate', 'with a mapping', results, ['mapped', 'plain'], atLeast(0.97)),
				compare('cpuMs', 'with a mapping', results, ['mapped', 'plain'], atMost(1.03)),
				compare('rate', 'signed', results, ['signed', MINIMAL], atLeast(0.95)),
				compare('cpuMs', 'signed', results, ['signed', MINIMAL], atMost(1.05)),
				compare('rate', 'signed', results, ['signed', GITHUB], above),
				compare('cpuMs', 'signed', results, ['signed', GITHUB], below),
				compare('p99', 'accepted', results, ['plain', MINIMAL]),
				compare('p99', 'signed', results, ['signed', GITHUB]),
				compare('cpuMs', 'with Outputs set', recordedResults, ['outputs', MINIMAL]),
				compare('cpuMs', 'secret in the credential', recordedResults, ['ownSecret', MINIMAL]),
				compare('cpuMs', 'accepted', recordedResults, ['plain', WEBHOOK]),
			],
		},
		{
			name: 'not-run',
			title: 'Deliveries that start nothing',
			comparisons: (['rate', 'cpuMs'] as const).flatMap((kind) => {
				const goal = kind === 'rate' ? atLeast(0.97) : atMost(1.03);
				return [
					compare(kind, 'without the token', refusedResults, ['ours', MINIMAL], goal),
					compare(kind, 'not selected', ignoredResults, ['ours', MINIMAL], goal),
				];
			}),
		},
	];
}

const metrics: Record<keyof Result, { title: string; unit: string }> = {
	rate: { title: 'per second', unit: '/s' },
	p99: { title: 'p99', unit: 'ms' },
	cpuMs: { title: 'CPU per delivery', unit: 'ms' },
};

function compare(
	metric: keyof Result,
	name: string,
	results: Record<string, Result[]>,
	[ours, baseline]: [string, string],
	goal?: Goal,
): Comparison {
	const { title, unit } = metrics[metric];
	const valuesOf = (peer: string) => (results[peer] ?? []).map((result) => result[metric]);
	return {
		...{ name: `${name}, ${title}`, baseline, unit, goal },
		...{ ours: valuesOf(ours), baselineValues: valuesOf(baseline) },
	};
}

/** @returns the headers of Standard Webhooks for the body */
function signStandard(secret: string): Record<string, string> {
	const now = new Date();
	return {
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
		'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
	};
}
