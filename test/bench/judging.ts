import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { IDataObject, INodeType, IWebhookFunctions } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';
import { hashOf, makeToken } from '../../nodes/VoiceAgent/endpoint/token';
import { createEvent } from '../../sandbox/service/events';
import { atMost, type Comparison, type Goal, inTurns } from './measure';
import type { Section } from './report';

/** The compiled trigger, because tsx slows down each function of the source. */
const NODE = join(__dirname, '../../dist/nodes/VoiceAgent/VoiceAgentTrigger.node.js');

const TOKEN = makeToken('svc_live_1', 'production/1/webhook');
const SECRET = randomBytes(32).toString('base64');
const SIZES = { '1 kB': 1_000, '100 kB': 100_000, '1 MB': 1_000_000 };

/** The allowed time beyond the hash. */
const REST_US = 50;

const withinHash: Goal = {
	text: `at most 1.2 × the hash + ${REST_US} µs`,
	isMet: ({ ours, baseline }) => ours <= 1.2 * baseline + REST_US,
};

type Receive = (context: IWebhookFunctions) => Promise<unknown>;

/** The trigger's parameters, and the goal for large bodies. */
interface Setting {
	callDetails?: boolean;
	isVerified?: boolean;
	events?: string[];
	/** The goal: at most this share of the time of `JSON.parse` of the same body. */
	parsingShare?: number;
}

/**
 * Measures the trigger's `webhook` method with a prepared context in place of n8n's.
 *
 * @param roundMs the time for each peer in a round
 */
export async function measureJudging(rounds: number, roundMs: number): Promise<Section> {
	const receive = await compiledTrigger();
	const comparisons: Comparison[] = [];
	const settings: Record<string, Setting> = {
		'token only': { parsingShare: 0.1 },
		signed: { isVerified: true },
		'with call details': { callDetails: true, parsingShare: 0.4 },
		'not selected': { events: ['call.failed'], parsingShare: 0.1 },
	};
	for (const [size, bytes] of Object.entries(SIZES)) {
		const body = eventOf(bytes);
		const text = JSON.stringify(body);
		const rawBody = Buffer.from(text);
		const isSmall = bytes < 100_000;
		const baselines = {
			'SHA-256 of the token': () => hashOf(TOKEN),
			'HMAC alone': () => createHmac('sha256', SECRET).update(rawBody).digest(),
			'JSON.parse': () => JSON.parse(text) as unknown,
		};
		const values: Record<string, number[]> = await inTurns(rounds, {
			...mapped(baselines, (baseline) => async () => await averageUs(baseline, roundMs)),
			...mapped(settings, (setting) => {
				const context = contextOf(setting, body, rawBody);
				return async () => await averageUs(() => receive(context), roundMs);
			}),
		});
		for (const [name, { isVerified, parsingShare = 0 }] of Object.entries(settings)) {
			const hash = isVerified ? 'HMAC alone' : 'SHA-256 of the token';
			const baseline = isSmall || isVerified ? hash : 'JSON.parse';
			comparisons.push({
				name: `${size}, ${name}`,
				baseline,
				unit: 'µs',
				ours: values[name] ?? [],
				baselineValues: values[baseline] ?? [],
				goal: baseline === 'JSON.parse' ? atMost(parsingShare) : withinHash,
			});
		}
	}
	comparisons.push(await compareSelections(receive, rounds, roundMs));
	return { name: 'judging', title: 'Judging one delivery', comparisons };
}

/** @returns the trigger's `webhook` method */
async function compiledTrigger(): Promise<Receive> {
	const { VoiceAgentTrigger } = (await import(NODE)) as Record<string, new () => INodeType>;
	const trigger = new VoiceAgentTrigger!();
	return async (context) => await trigger.webhook!.call(context);
}

/** Compares a trigger with 201 selected event types to a trigger with one. */
async function compareSelections(receive: Receive, rounds: number, roundMs: number) {
	const body = eventOf(1_000);
	const rawBody = Buffer.from(JSON.stringify(body));
	const more = [...Array(200).keys()].map((index) => `type${index}.happened`);
	const [one, several] = [['call.completed'], ['call.completed', ...more]].map((events) =>
		contextOf({ events }, body, rawBody),
	) as [IWebhookFunctions, IWebhookFunctions];
	const values = await inTurns(rounds, {
		one: async () => await averageUs(() => receive(one), roundMs),
		several: async () => await averageUs(() => receive(several), roundMs),
	});
	return {
		name: '1 kB, 201 selected event types',
		baseline: 'one selected event type',
		unit: 'µs',
		ours: values.several,
		baselineValues: values.one,
		goal: atMost(1.2),
	};
}

function mapped<Value, Result>(values: Record<string, Value>, change: (value: Value) => Result) {
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [name, change(value)] as const),
	);
}

/** @returns an event whose transcript fills it to about this size */
function eventOf(bytes: number): IDataObject {
	const event = createEvent('call.completed', { call_id: 'call_1', duration_seconds: 184 });
	const turn = {
		role: 'user',
		content: 'Monday at nine thirty is free, and so is all of Tuesday.',
	};
	const turns = Math.floor((bytes - 200) / JSON.stringify(turn).length);
	const transcript = Array.from({ length: turns }, () => turn);
	return { ...event, data: { ...(event.data as IDataObject), transcript } };
}

/** @returns n8n's context for a delivery with a valid callback token to a published trigger */
function contextOf(setting: Setting, body: IDataObject, rawBody: Buffer): IWebhookFunctions {
	const { callDetails = false, isVerified = false, events = ['call.completed'] } = setting;
	const now = new Date();
	const headers = {
		'content-type': 'application/json',
		'content-length': String(rawBody.length),
		'user-agent': 'service/1.0',
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
		'webhook-signature': new Webhook(SECRET).sign('msg_1', now, rawBody.toString()),
	};
	const staticData = {
		tokenHashes: [hashOf(TOKEN)],
		catalog: [...new Set([...events, 'call.completed'])],
		signingSecret: `whsec_${SECRET}`,
	};
	const parameters: IDataObject = {
		events,
		callDetails,
		options: isVerified ? { signature: { settings: { scheme: 'standardWebhooks' } } } : {},
	};
	const context: Partial<Record<keyof IWebhookFunctions, unknown>> = {
		getQueryData: () => ({ voice_agent_token: TOKEN }),
		getHeaderData: () => headers,
		getBodyData: () => body,
		getRequestObject: () => ({ rawBody }),
		getWorkflowStaticData: () => staticData,
		getNodeParameter: (name: string) =>
			name.startsWith('options.')
				? (parameters.options as IDataObject)[name.slice('options.'.length)]
				: parameters[name],
		getNode: () => ({ parameters }),
		getMode: () => 'webhook',
		logger: { debug: () => undefined },
	};
	return context as unknown as IWebhookFunctions;
}

/** @returns the average time of a call (µs), measured for about `ms` */
async function averageUs(call: () => unknown, ms: number): Promise<number> {
	// Warms up, and counts the calls that fit into a fifth of the time.
	let calls = 0;
	for (const end = performance.now() + ms / 5; performance.now() < end; calls++) await call();
	const started = performance.now();
	for (let measured = 0; measured < calls * 4; measured++) await call();
	return ((performance.now() - started) * 1000) / (calls * 4);
}
