import { createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { IDataObject, INodeType, IWebhookFunctions } from 'n8n-workflow';
import { hashOf, makeToken } from '../../nodes/VoiceAgent/auth/token';
import { createEvent } from '../../sandbox/service/events';
import { signStandard } from '../reliability/signStandard';
import { atMost, type Comparison, type Goal, inTurns, mapped } from './measure';
import type { Section } from './report';

/** The compiled trigger, because tsx slows down each function of the source. */
const NODE = join(__dirname, '../../dist/nodes/VoiceAgent/VoiceAgentTrigger.node.js');

const TOKEN = makeToken('svc_live_1', 'production/1/webhook');
const SECRET = randomBytes(32).toString('base64');
const SIZES = { '1 kB': 1_000, '100 kB': 100_000, '1 MB': 1_000_000 };

/** The allowed time beyond the baseline. */
const REST_US = 50;

const withinRest: Goal = {
	text: `at most 1.2 × the baseline + ${REST_US} µs`,
	margin: (ours, baseline) => 1.2 * baseline + REST_US - ours,
};

type Receive = (context: IWebhookFunctions) => Promise<unknown>;

/** The trigger's parameters, with a baseline and a goal. */
interface Setting {
	output?: string;
	isVerified?: boolean;
	events?: string[];
	baseline: string;
	/** {@link withinRest} by default. */
	goal?: Goal;
}

/** An accepted delivery needs the hash of its body, by which a repetition is recognised. */
const BOTH = 'SHA-256 of the token and the body';
const AND_PARSING = `${BOTH}, a third of JSON.parse`;
const AND_HMAC = `${BOTH}, HMAC`;

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url');
const hmac = (bytes: Buffer) => createHmac('sha256', SECRET).update(bytes).digest();

/**
 * Measures the trigger's `webhook` method with a prepared context in place of n8n's.
 *
 * @param roundMs the time for each peer in a round
 */
export async function measureJudging(rounds: number, roundMs: number): Promise<Section> {
	const receive = await compiledTrigger();
	const comparisons: Comparison[] = [];
	const settings: Record<string, Setting> = {
		'token only': { baseline: BOTH },
		signed: { isVerified: true, baseline: AND_HMAC },
		'with call details': { output: 'both', baseline: AND_PARSING },
		'not selected': { events: ['call.failed'], baseline: 'SHA-256 of the token' },
		'201 selected event types': {
			events: ['call.completed', ...[...Array(200).keys()].map((index) => `type${index}.happened`)],
			...{ baseline: 'token only', goal: atMost(1.2) },
		},
	};
	for (const [size, bytes] of Object.entries(SIZES)) {
		const body = eventOf(bytes);
		const rawBody = Buffer.from(JSON.stringify(body));
		const third = JSON.stringify(eventOf(bytes / 3));
		const baselines = {
			'SHA-256 of the token': () => hashOf(TOKEN),
			[BOTH]: () => [hashOf(TOKEN), hash(rawBody)],
			[AND_HMAC]: () => [hashOf(TOKEN), hash(rawBody), hmac(rawBody)],
			[AND_PARSING]: () => [hashOf(TOKEN), hash(rawBody), JSON.parse(third) as unknown],
		};
		const values: Record<string, number[]> = await inTurns(rounds, {
			...mapped(baselines, (baseline) => async () => await fastestUs(baseline, roundMs)),
			...mapped(settings, (setting) => {
				const context = contextOf(setting, body, rawBody);
				return async () => await fastestUs(() => receive(context), roundMs);
			}),
		});
		for (const [name, { baseline, goal = withinRest }] of Object.entries(settings)) {
			const [ours = [], baselineValues = []] = [values[name], values[baseline]];
			const measured = { unit: 'µs', ours, baseline, baselineValues };
			comparisons.push({ name: `${size}, ${name}`, ...measured, goal });
		}
	}
	return { name: 'judging', comparisons };
}

/** @returns the trigger's `webhook` method */
async function compiledTrigger(): Promise<Receive> {
	const { VoiceAgentTrigger } = (await import(NODE)) as Record<string, new () => INodeType>;
	const trigger = new VoiceAgentTrigger!();
	return async (context) => await trigger.webhook!.call(context);
}

/** @returns an event whose transcript fills it to about this size */
export function eventOf(bytes: number): IDataObject {
	const event = createEvent('call.completed', { call_id: 'call_1', duration_seconds: 184 });
	const turn = {
		role: 'user',
		content: 'Monday at nine thirty is free, and so is all of Tuesday.',
	};
	const turns = Math.floor((bytes - 200) / JSON.stringify(turn).length);
	const transcript = Array.from({ length: turns }, () => turn);
	return { ...event, data: { ...(event.data as IDataObject), transcript } };
}

/** The number of deliveries so far. */
let deliveries = 0;

/** n8n's response, sent with success. */
const sent = { statusCode: 200, once: (_: string, end: () => void) => end() };

/** @returns n8n's context for deliveries with a valid callback token to a published trigger */
function contextOf(setting: Setting, body: IDataObject, rawBody: Buffer): IWebhookFunctions {
	const { output = 'event', isVerified = false, events = ['call.completed'] } = setting;
	const headers = {
		'content-type': 'application/json',
		'content-length': String(rawBody.length),
		'user-agent': 'service/1.0',
		...signStandard(SECRET, rawBody.toString()),
	};
	const staticData = {
		tokenHashes: [hashOf(TOKEN)],
		catalog: [...new Set([...events, 'call.completed'])],
		signingSecret: `whsec_${SECRET}`,
	};
	const parameters: IDataObject = {
		events,
		output,
		options: isVerified ? { verifySignature: true } : {},
	};
	const context: Partial<Record<keyof IWebhookFunctions, unknown>> = {
		getQueryData: () => ({ voice_agent_token: TOKEN }),
		// Each delivery has an ID of its own, or it would be a repetition.
		getHeaderData: () => Object.assign(headers, { 'x-acme-delivery': `${++deliveries}` }),
		getBodyData: () => body,
		getRequestObject: () => ({ rawBody }),
		getResponseObject: () => sent,
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: (type: string) => (type === 'node' ? staticData : {}),
		getNodeParameter: (name: string) =>
			name.startsWith('options.')
				? (parameters.options as IDataObject)[name.slice('options.'.length)]
				: parameters[name],
		getNode: () => ({ id: 'node', parameters }),
		getMode: () => 'webhook',
		logger: { debug: () => undefined },
	};
	return context as unknown as IWebhookFunctions;
}

/** How many parts of a round are timed. */
const PARTS = 10;

/**
 * Measures a call for about `ms`, in parts. Other work on the computer, also of others on the same host, can
 * only add to the time of a part, so the fastest part is nearest to the time of the code.
 *
 * @returns the average time of a call in the fastest part (µs)
 */
async function fastestUs(call: () => unknown, ms: number): Promise<number> {
	// Warms up, and counts the calls of two parts.
	let calls = 0;
	for (const end = performance.now() + ms / 5; performance.now() < end; calls++) await call();
	const inPart = Math.ceil((calls * 5) / PARTS);
	let fastest = Infinity;
	for (let part = 0; part < PARTS; part++) {
		const started = performance.now();
		for (let measured = 0; measured < inPart; measured++) await call();
		fastest = Math.min(fastest, (performance.now() - started) / inPart);
	}
	return fastest * 1000;
}
