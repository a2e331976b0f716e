/*
 * Counts the steps of the functions that first read what a sender writes, for bodies of a size and of twice the size
 * that are made to be slow: `npx tsx test/support/measures/steps.ts 1000000` prints them as JSON.
 */
import type { IDataObject } from 'n8n-workflow';

import { hashOf, makeToken } from '../../../nodes/VoiceAgent/auth/token';
import { hostileAnswers, hostileEvents } from '../events/hostileBodies';
import { countSteps, loadCounted } from './stepCounter';

/** The steps of a function for two sizes of the body that makes them grow most. */
export interface Steps {
	name: string;
	body: string;
	small: number;
	large: number;
}

interface Sent {
	text: string;
	raw: Buffer;
	json: unknown;
}
/** Makes the arguments of a function. */
type Call = (sent: Sent) => unknown[];

/** The bytes of the smaller body, and of those by which the worst body is found. */
const SIZE = Number(process.argv[2]);
const PREVIEW = 4_000;
const TOKEN = makeToken('svc_live_1', 'production/1/webhook');
const SECRET = 'the signing secret of the endpoint';
const NOW = 1_900_000_000_000;
const HEADERS = {
	'content-type': 'application/json',
	'x-signature': 'ab'.repeat(32),
	'x-timestamp': `${NOW / 1000}`,
	'x-event-id': 'evt_1',
};
const NO_IDENTITY = { ids: [], type: null };
const SETTINGS = {
	events: ['call.completed'],
	output: 'both',
	detailOptions: {},
	deliveryDetails: true,
};
const PARAMETERS: Record<string, unknown> = {
	events: SETTINGS.events,
	output: 'both',
	options: { deliveryDetails: true },
	'options.deliveryDetails': true,
};
const STATE = {
	catalog: ['call.completed', 'call.started'],
	signingSecrets: [SECRET],
	endpointIds: [],
};

const counted = Object.values(
	loadCounted(
		[
			'auth/signatures',
			'callDetails/fieldRanking',
			'delivery/decide',
			'delivery/receive',
			'editor/hints',
			'lists/lists',
			'lists/records',
			'log/attempts',
			'service/secrets',
		].map((file) => `nodes/VoiceAgent/${file}.ts`),
	),
);
const functions = Object.assign({}, ...counted) as Record<string, (...args: unknown[]) => unknown>;
const objectOf = (json: unknown) =>
	(Array.isArray(json) ? { body: json as unknown } : json) as IDataObject;

/** The functions that get what a sender wrote first, by what they get. All others are called by these. */
const ENTRIES: Record<'events' | 'answers', Record<string, Call>> = {
	events: {
		receive: (sent) => [contextOf(sent, 'application/json'), noTest],
		'receive, as text': (sent) => [contextOf(sent, 'text/plain'), noTest],
		decideLogged: ({ json }) => [{ details: { event: json }, identity: NO_IDENTITY }, SETTINGS, []],
		isSigned: ({ raw }) => [[SECRET], HEADERS, raw, NOW],
		hintsFor: ({ json }) => [objectOf(json), undefined, SETTINGS],
		rankFields: ({ json }) => [[objectOf(json)], 'customer.phone'],
		hideAllSecrets: ({ json }) => [json, [TOKEN, SECRET]],
		hideSecrets: ({ json }) => [json, [TOKEN, SECRET]],
	},
	answers: {
		findList: ({ json }) => [json, 'webhooks'],
		recordsIn: ({ json }) => [json, 'webhooks'],
		readRecord: ({ json }) => [json, 'webhooks'],
		readEndpoint: ({ json }) => [objectOf(json)],
		readCreatedEndpoint: ({ json }) => [json, 'https://n8n.example/1'],
		readAttempt: ({ json }) => [objectOf(json), { id: 'wh_1' }],
		hideKnownSecrets: ({ json }) => [json, [TOKEN, SECRET]],
	},
};
const noTest = () => {
	throw new Error('A published trigger shows no test event');
};

/** Each delivery has an ID of its own, or it would be a repetition. */
let deliveries = 0;

/** @returns n8n's context for a delivery to a published trigger */
function contextOf({ raw, json }: Sent, type: string): object {
	const staticData = { tokenHashes: [hashOf(TOKEN)], catalog: STATE.catalog };
	const response = { statusCode: 200, once: (_name: string, answered: () => void) => answered() };
	return {
		getQueryData: () => ({ voice_agent_token: TOKEN }),
		getHeaderData: () => ({
			...HEADERS,
			'content-type': type,
			'x-event-id': `evt_${++deliveries}`,
		}),
		getBodyData: () => json,
		getRequestObject: () => ({ rawBody: raw }),
		getResponseObject: () => response,
		getWorkflow: () => ({ id: 'workflow' }),
		getWorkflowStaticData: (kind: string) => (kind === 'node' ? staticData : {}),
		getNodeParameter: (name: string) => PARAMETERS[name],
		getNode: () => ({ id: 'node', parameters: {} }),
		getMode: () => 'webhook',
		getTimezone: () => 'UTC',
		logger: { debug: () => undefined, error: (text: string) => process.stderr.write(`${text}\n`) },
	};
}

const ALL_BODIES = { ...hostileEvents, ...hostileAnswers };
/** Each body once, by name and size. */
const bodies = new Map<string, Sent>();

function sentOf(body: string, size: number): Sent {
	const key = `${body} ${size}`;
	const text = bodies.get(key)?.text ?? ALL_BODIES[body]!(size);
	const sent = bodies.get(key) ?? {
		text,
		raw: Buffer.from(text),
		json: JSON.parse(text) as unknown,
	};
	if (size <= PREVIEW * 2) bodies.set(key, sent);
	return sent;
}

async function stepsOf(name: string, toArgs: Call, body: string, size: number): Promise<Steps> {
	const run = functions[name.split(',')[0]!]!;
	const count = (sent: Sent) => countSteps(() => run(...toArgs(sent)));
	return {
		...{ name, body },
		small: await count(sentOf(body, size)),
		large: await count(sentOf(body, size * 2)),
	};
}

/** Finds the body that makes the steps of a function grow most, by small bodies, and counts its steps for large ones. */
async function worstOf(name: string, toArgs: Call, hostile: object): Promise<Steps> {
	let worst = { body: '', growth: 0 };
	for (const body of Object.keys(hostile)) {
		const { small, large } = await stepsOf(name, toArgs, body, PREVIEW);
		if (large / small > worst.growth) worst = { body, growth: large / small };
	}
	return await stepsOf(name, toArgs, worst.body, SIZE);
}

async function main(): Promise<void> {
	const steps: Steps[] = [];
	for (const [name, toArgs] of Object.entries(ENTRIES.events))
		steps.push(await worstOf(name, toArgs, hostileEvents));
	for (const [name, toArgs] of Object.entries(ENTRIES.answers))
		steps.push(await worstOf(name, toArgs, hostileAnswers));
	process.stdout.write(JSON.stringify(steps));
}

void main();
