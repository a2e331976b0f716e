import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import type { IDataObject, INode } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';
import { startSandbox } from '../../sandbox/service';
import { createEvent } from '../../sandbox/service/events';
import type { Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { startGithubHooks } from '../reliability/githubHooks';
import { chain, nodeOf } from '../support/triggerNode';
import { above, atLeast, atMost, below, type Comparison, type Goal, inTurns } from './measure';
import type { Section } from './report';

/** How much is measured. */
export interface Sizes {
	rounds: number;
	/** How many requests a round sends to each peer. */
	requests: number;
	/** Whether to measure too what is only for the record. */
	record: boolean;
}

/** What a load is sent to. */
interface Target {
	url: string;
	/** What every answer has to be; 200 by default. */
	status?: number;
	/** A call that has ended by default. */
	body?: string;
	/** Made anew for each load, for a signature is good for minutes. */
	headers?: () => Record<string, string>;
}

/** What a load met. */
interface Met {
	/** Answers a second. */
	rate: number;
	/** Below this many ms were 99 of 100 answers. */
	p99: number;
	/**
	 * How many ms of a processor n8n took for each, its run and all: what else the machine does bears
	 * on this the least.
	 */
	cpuMs: number;
}

const CONNECTIONS = 10;
const body = JSON.stringify(createEvent('call.completed'));
const notChosen = JSON.stringify(createEvent('call.started'));
const hmac = (secret: string) =>
	`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/**
 * Sends deliveries to triggers in one real n8n, with the same workflow behind each: one that is
 * accepted, a stranger's, and one that was not chosen.
 */
export async function measureDeliveries(stack: Stack, sizes: Sizes): Promise<Section[]> {
	await using starting = new AsyncDisposableStack();
	const { api } = stack.n8n;
	const sandbox = await startSandbox({ dialect: { signature: 'standard-webhooks' } });
	starting.defer(() => sandbox.stop());
	const github = await startGithubHooks(stack.certificate.ca, true);
	starting.defer(() => github.stop());
	const at = (url: string) => `${stack.n8n.url}${new URL(url).pathname}${new URL(url).search}`;

	/** Publishes a trigger with a node behind it, and gives the path that it listens at. */
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
		return { url: `${stack.n8n.url}/webhook/${webhookId}/webhook` };
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
		return { url: at(endpoint?.url ?? ''), endpointId: endpoint?.id ?? '' };
	};
	const floor = await publish({ type: 'n8n-nodes-bench-floor.floorTrigger', typeVersion: 1.1 });
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
		floor,
		plain,
		signed: { url: signed.url, headers: () => signStandard(secret) },
		github: {
			url: at(hook?.url ?? ''),
			headers: () => ({
				'x-github-event': 'push',
				'x-hub-signature-256': hmac(github.secretOf(hook?.id ?? '') ?? ''),
			}),
		},
	};
	if (sizes.record) {
		const scheme = { scheme: 'hmac', header: 'x-signature', prefix: 'sha256=' };
		const outputs = { __rl: true, mode: 'list', value: 'call.completed, Other' };
		const pasted = await publishOurs({ signature: { settings: scheme } });
		await publish({
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2.1,
			parameters: { httpMethod: 'POST', path: 'own-webhook', options: {} },
		});
		Object.assign(accepted, {
			pasted: { url: pasted.url, headers: () => ({ 'x-signature': hmac(webhookSigningSecret) }) },
			branched: await publishOurs({ outputs }),
			webhook: { url: `${stack.n8n.url}/webhook/own-webhook` },
		});
	}
	const refused: Record<string, Target> = {
		floor: { url: `${floor.url}?answer=refuse`, status: 401 },
		ours: { url: plain.url.split('?')[0] ?? '', status: 401 },
	};
	const notRun: Record<string, Target> = {
		floor: { url: `${floor.url}?answer=ignore` },
		ours: { url: plain.url, body: notChosen },
	};

	/** Sends a load, and waits for the runs that it started. */
	const measure = (target: Target, requests: number) => async (): Promise<Met> => {
		const before = await cpuMsOf(stack.n8n.pid);
		const met = await load(target, requests);
		await until('n8n to be idle', 120, async () => (await countOf(['new', 'running'])) === 0);
		return { ...met, cpuMs: ((await cpuMsOf(stack.n8n.pid)) - before) / requests };
	};
	async function countOf(status: string[]): Promise<number> {
		const filter = JSON.stringify({ status });
		const { results } = await api.request<{ results: unknown[] }>('GET', '/executions', undefined, {
			filter,
			limit: 1,
		});
		return results.length;
	}
	const inRounds = async (targets: Record<string, Target>, requests: number) => {
		const peers = (count: number) =>
			Object.fromEntries(
				Object.entries(targets).map(([name, target]) => [name, measure(target, count)]),
			);
		await inTurns(1, peers(CONNECTIONS));
		return await inTurns(sizes.rounds, peers(requests));
	};

	const met = await inRounds(accepted, sizes.requests);
	const failed = await countOf(['error', 'crashed']);
	if (failed > 0) throw new Error('Runs failed, so that their deliveries measure something else');
	const refusals = await inRounds(refused, sizes.requests);
	const ignored = await inRounds(notRun, sizes.requests);

	const { floor: least, plain: own, signed: verified, github: hubs } = met;
	return [
		{
			name: 'accepted',
			title: 'Accepted deliveries',
			comparisons: [
				compare('rate', 'accepted', own, 'the floor', least, atLeast(0.97)),
				compare('cpuMs', 'accepted', own, 'the floor', least, atMost(1.03)),
				compare('rate', 'signed', verified, 'the floor', least, atLeast(0.95)),
				compare('cpuMs', 'signed', verified, 'the floor', least, atMost(1.05)),
				compare('rate', 'signed', verified, 'GitHub Trigger', hubs, above),
				compare('cpuMs', 'signed', verified, 'GitHub Trigger', hubs, below),
				compare('p99', 'accepted', own, 'the floor', least),
				compare('p99', 'signed', verified, 'GitHub Trigger', hubs),
				compare('cpuMs', 'with outputs chosen', met.branched, 'the floor', least),
				compare('cpuMs', 'secret in the credential', met.pasted, 'the floor', least),
				compare('cpuMs', 'accepted', own, "n8n's own Webhook", met.webhook),
			].filter(({ ours, other }) => ours.length > 0 && other.length > 0),
		},
		{
			name: 'not-run',
			title: 'Deliveries that must not run',
			comparisons: (['rate', 'cpuMs'] as const).flatMap((kind) => {
				const goal = kind === 'rate' ? atLeast(0.97) : atMost(1.03);
				return [
					compare(kind, "a stranger's", refusals.ours, 'the floor', refusals.floor, goal),
					compare(kind, 'not chosen', ignored.ours, 'the floor', ignored.floor, goal),
				];
			}),
		},
	];
}

const units: Record<keyof Met, string> = { rate: '/s', p99: 'ms', cpuMs: 'ms' };
const titles: Record<keyof Met, string> = { rate: 'a second', p99: 'p99', cpuMs: 'CPU of each' };

function compare(
	kind: keyof Met,
	what: string,
	ours: Met[] = [],
	beside: string,
	other: Met[] = [],
	goal?: Goal,
): Comparison {
	const figures = (met: Met[]) => met.map((each) => each[kind]);
	return {
		...{ what: `${what}, ${titles[kind]}`, beside, unit: units[kind], goal },
		...{ ours: figures(ours), other: figures(other) },
	};
}

/** How long a process has been on a processor, all its threads together; not told on every system. */
async function cpuMsOf(pid: number | undefined): Promise<number> {
	if (process.platform !== 'linux') return NaN;
	const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
	const [user, system] = fields.split(' ').slice(11, 13).map(Number);
	// Linux counts these in hundredths of a second, whatever its clock.
	return ((user ?? NaN) + (system ?? NaN)) * 10;
}

/** The headers of Standard Webhooks for the body, by the specification's own library. */
function signStandard(secret: string): Record<string, string> {
	const now = new Date();
	return {
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
		'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
	};
}

/** Sends a load over a few connections, each of which waits for its answer. */
async function load(target: Target, amount: number): Promise<Omit<Met, 'cpuMs'>> {
	const { url, status = 200 } = target;
	const headers = { 'content-type': 'application/json', ...target.headers?.() };
	const started = performance.now();
	let last = started;
	let answers = 0;
	const load = { url, headers, body: target.body ?? body, amount };
	const result = await new Promise<autocannon.Result>((resolve, reject) => {
		autocannon(
			{ ...load, method: 'POST', connections: CONNECTIONS, timeout: 60 },
			(error: unknown, ended) => (error instanceof Error ? reject(error) : resolve(ended)),
		).on('response', (_client, answered) => {
			// It ends at full seconds, however early the last answer came.
			last = performance.now();
			if (answered === status) answers++;
		});
	});
	if (answers !== amount) {
		throw new Error(`${answers} of ${amount} answers had status ${status}: ${url.split('?')[0]}`);
	}
	return { rate: (amount * 1000) / (last - started), p99: result.latency.p99 };
}
