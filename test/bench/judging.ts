import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { IDataObject, INodeType, IWebhookFunctions } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';
import { hashOf } from '../../nodes/VoiceAgent/endpoint/token';
import { createEvent } from '../../sandbox/service/events';
import { atMost, type Comparison, type Goal, inTurns } from './measure';
import type { Section } from './report';

/** The trigger as published: tsx adds work to each function of the source. */
const NODE = join(__dirname, '../../dist/nodes/VoiceAgent/VoiceAgentTrigger.node.js');

const TOKEN = randomBytes(32).toString('base64url');
const SECRET = randomBytes(32).toString('base64');
const SIZES = { '1 kB': 1_000, '100 kB': 100_000, '1 MB': 1_000_000 };

/** What our part may take beyond the hash over the body. */
const REST_US = 50;

const withinHash: Goal = {
	text: `at most 1.2 × the hash + ${REST_US} µs`,
	isMet: ({ ours, other }) => ours <= 1.2 * other + REST_US,
};

type Receive = (context: IWebhookFunctions) => Promise<unknown>;

/** A trigger's settings that judging depends on, and its goal beside parsing a large body. */
interface Setting {
	callDetails?: boolean;
	isVerified?: boolean;
	events?: string[];
	/** At most so much of `JSON.parse` of the same body. */
	ofParsing?: number;
}

/**
 * Times the trigger's own part of a delivery, from n8n's call to the item that starts the run, with
 * n8n's context replaced by the values it would give.
 *
 * @param rounds how often each is timed
 * @param roundMs how long
 */
export async function measureJudging(rounds: number, roundMs: number): Promise<Section> {
	const receive = await publishedTrigger();
	const comparisons: Comparison[] = [];
	const settings: Record<string, Setting> = {
		'token only': { ofParsing: 0.1 },
		signed: { isVerified: true },
		'with call details': { callDetails: true, ofParsing: 0.4 },
		'not selected': { events: ['call.failed'], ofParsing: 0.1 },
	};
	for (const [size, bytes] of Object.entries(SIZES)) {
		const body = eventOf(bytes);
		const text = JSON.stringify(body);
		const rawBody = Buffer.from(text);
		const isSmall = bytes < 100_000;
		const others = {
			'the hash of the token': () => hashOf(TOKEN),
			'the bare HMAC': () => createHmac('sha256', SECRET).update(rawBody).digest(),
			'JSON.parse': () => JSON.parse(text) as unknown,
		};
		const figures: Record<string, number[]> = await inTurns(rounds, {
			...mapped(others, (other) => async () => await time(other, roundMs)),
			...mapped(settings, (setting) => {
				const context = contextOf(setting, body, rawBody);
				return async () => await time(() => receive(context), roundMs);
			}),
		});
		for (const [what, { isVerified, ofParsing = 0 }] of Object.entries(settings)) {
			const besideSmall = isVerified ? 'the bare HMAC' : 'the hash of the token';
			const beside = isSmall || isVerified ? besideSmall : 'JSON.parse';
			comparisons.push({
				what: `${size}, ${what}`,
				beside,
				unit: 'µs',
				ours: figures[what] ?? [],
				other: figures[beside] ?? [],
				goal: beside === 'JSON.parse' ? atMost(ofParsing) : withinHash,
			});
		}
	}
	comparisons.push(await compareChoices(receive, rounds, roundMs));
	return { name: 'judging', title: 'Judging one delivery', comparisons };
}

/** @returns the trigger's `webhook` method */
async function publishedTrigger(): Promise<Receive> {
	const { VoiceAgentTrigger } = (await import(NODE)) as Record<string, new () => INodeType>;
	const trigger = new VoiceAgentTrigger!();
	return async (context) => await trigger.webhook!.call(context);
}

async function compareChoices(
	receive: Receive,
	rounds: number,
	roundMs: number,
): Promise<Comparison> {
	const body = eventOf(1_000);
	const rawBody = Buffer.from(JSON.stringify(body));
	const many = [...Array(200).keys()].map((at) => `kind${at}.happened`);
	const [one, several] = [['call.completed'], ['call.completed', ...many]].map((events) =>
		contextOf({ events }, body, rawBody),
	) as [IWebhookFunctions, IWebhookFunctions];
	const met = await inTurns(rounds, {
		one: async () => await time(() => receive(one), roundMs),
		several: async () => await time(() => receive(several), roundMs),
	});
	return {
		what: '1 kB, 201 chosen events',
		beside: 'one chosen event',
		unit: 'µs',
		ours: met.several,
		other: met.one,
		goal: atMost(1.2),
	};
}

function mapped<Value, Result>(values: Record<string, Value>, change: (value: Value) => Result) {
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => [name, change(value)] as const),
	);
}

/** A call with a transcript that makes it about as large as that. */
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

/** What n8n gives a trigger with a delivery: a published workflow, and a token that is right. */
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
	const given: Partial<Record<keyof IWebhookFunctions, unknown>> = {
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
	};
	return given as unknown as IWebhookFunctions;
}

/** @returns how many µs a call takes, on the average of so many ms */
async function time(call: () => unknown, ms: number): Promise<number> {
	// Once to warm up, and to see how many calls fit.
	let calls = 0;
	for (const end = performance.now() + ms / 5; performance.now() < end; calls++) await call();
	const started = performance.now();
	for (let call5 = 0; call5 < calls * 4; call5++) await call();
	return ((performance.now() - started) * 1000) / (calls * 4);
}
