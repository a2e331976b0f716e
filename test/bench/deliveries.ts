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
		const known = sandbox.endpoints().map(({ id }) => id);
		await publish({
			type: 'n8n-nodes-voice-agent.voiceAgentTrigger',
			typeVersion: 1.1,
			parameters: { events: ['call.completed'], options } as INode['parameters'],
			credentials,
		});
		const endpoint = sandbox.endpoints().find((found) => !known.includes(found.id));
		return { url: localUrl(endpoint?.url ?? ''), body, endpointId: endpoint?.id ?? '' };
	};
	const minimal = await publish({
		type: 'n8n-nodes-bench-minimal.minimalTrigger',
		typeVersion: 1.1,
	});
	const plain = await publishOurs({});
	const signed = await publishOurs({ signature: { settings: { scheme: 'standardWebhooks' } } });
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
		minimal,
		plain,
		signed: { ...signed, headers: () => signStandard(secret) },
		github: {
			url: localUrl(hook?.url ?? ''),
			body,
			headers: () => ({
				'x-github-event': 'push',
				'x-hub-signature-256': hmac(github.secretOf(hook?.id ?? '') ?? ''),
			}),
		},
	};
	const scheme = { scheme: 'hmac', header: 'x-signature', prefix: 'sha256=' };
	const outputs = { __rl: true, mode: 'list', value: 'call.completed, Other' };
	const ownSecret = await publishOurs({ signature: { settings: scheme } });
	await publish({
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'own-webhook', options: {} },
	});
	const recorded: Record<string, Target> = {
		minimal,
		plain,
		ownSecret: { ...ownSecret, headers: () => ({ 'x-signature': hmac(webhookSigningSecret) }) },
		outputs: await publishOurs({ outputs }),
		webhook: { url: `${stack.n8n.url}/webhook/own-webhook`, body },
	};
	const refused: Record<string, Target> = {
		minimal: { url: `${minimal.url}?answer=refuse`, body, status: 401 },
		ours: { url: plain.url.split('?')[0] ?? '', body, status: 401 },
	};
	const ignored: Record<string, Target> = {
		minimal: { url: `${minimal.url}?answer=ignore`, body },
		ours: { url: plain.url, body: notSelected },
	};

	/** Sends a load, and waits for its executions. */
	const measure = (target: Target, requests: number) => async (): Promise<Result> => {
		const before = await cpuMsOf(stack.n8n.pid);
		const result = await sendLoad(target, requests);
		await until('n8n to be idle', 120, async () => !(await hasExecutions(['new', 'running'])));
		return { ...result, cpuMs: ((await cpuMsOf(stack.n8n.pid)) - before) / requests };
	};
	async function hasExecutions(status: string[]): Promise<boolean> {
		type Page = { results: unknown[] };
		const first = { filter: JSON.stringify({ status }), limit: 1 };
		const { results } = await api.request<Page>('GET', '/executions', undefined, first);
		return results.length > 0;
	}
	const inRounds = async (targets: Record<string, Target>, rounds = sizes.rounds) => {
		const peers = (count: number) =>
			Object.fromEntries(
				Object.entries(targets).map(([name, target]) => [name, measure(target, count)]),
			);
		await inTurns(1, peers(CONNECTIONS));
		return await inTurns(rounds, peers(sizes.requests));
	};

	const results = await inRounds(accepted, sizes.acceptedRounds);
	const recordedResults = await inRounds(recorded, sizes.recordedRounds);
	if (await hasExecutions(['error', 'crashed'])) throw new Error('Executions failed');
	const refusedResults = await inRounds(refused);
	const ignoredResults = await inRounds(ignored);

	const base = ['minimal trigger', results.minimal] as const;
	const recordedBase = [base[0], recordedResults.minimal] as const;
	const refusedBase = [base[0], refusedResults.minimal] as const;
	const ignoredBase = [base[0], ignoredResults.minimal] as const;
	const githubBase = ['GitHub Trigger', results.github] as const;
	const { plain: own, signed: verified } = results;
	return [
		{
			name: 'accepted',
			title: 'Accepted deliveries',
			comparisons: [
				compare('rate', 'accepted', own, base, atLeast(0.97)),
				compare('cpuMs', 'accepted', own, base, atMost(1.03)),
				compare('rate', 'signed', verified, base, atLeast(0.95)),
				compare('cpuMs', 'signed', verified, base, atMost(1.05)),
				compare('rate', 'signed', verified, githubBase, above),
				compare('cpuMs', 'signed', verified, githubBase, below),
				compare('p99', 'accepted', own, base),
				compare('p99', 'signed', verified, githubBase),
				compare('cpuMs', 'with Outputs set', recordedResults.outputs, recordedBase),
				compare('cpuMs', 'secret in the credential', recordedResults.ownSecret, recordedBase),
				compare('cpuMs', 'accepted', recordedResults.plain, [
					"n8n's Webhook node",
					recordedResults.webhook,
				]),
			],
		},
		{
			name: 'not-run',
			title: 'Deliveries that start nothing',
			comparisons: (['rate', 'cpuMs'] as const).flatMap((kind) => {
				const goal = kind === 'rate' ? atLeast(0.97) : atMost(1.03);
				return [
					compare(kind, 'without the token', refusedResults.ours, refusedBase, goal),
					compare(kind, 'not selected', ignoredResults.ours, ignoredBase, goal),
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
	ours: Result[] = [],
	[baseline, baselineResults = []]: readonly [string, Result[]?],
	goal?: Goal,
): Comparison {
	const { title, unit } = metrics[metric];
	const valuesOf = (results: Result[]) => results.map((result) => result[metric]);
	return {
		...{ name: `${name}, ${title}`, baseline, unit, goal },
		...{ ours: valuesOf(ours), baselineValues: valuesOf(baselineResults) },
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
