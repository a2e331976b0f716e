/*
 * Counts the steps of the public functions that read what a sender writes, for bodies of a size and of twice the size
 * that are made to be slow: `npx tsx test/support/measures/steps.ts 1000000` prints them as JSON.
 */
import { readdirSync } from 'node:fs';
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
type Call = (sent: Sent) => unknown;

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

const FOLDERS = ['delivery', 'editor', 'trigger', 'callDetails', 'lists'].map(
	(name) => `nodes/VoiceAgent/${name}`,
);
const files = FOLDERS.flatMap((folder) =>
	readdirSync(folder, { withFileTypes: true })
		.filter((file) => file.isFile())
		.map(({ name }) => `${folder}/${name}`),
);
const modules = loadCounted([
	...files,
	'nodes/VoiceAgent/auth/signatures.ts',
	'nodes/VoiceAgent/service/secrets.ts',
	'nodes/VoiceAgent/events/reader.ts',
]);
const all = Object.assign({}, ...Object.values(modules)) as Record<
	string,
	(...args: unknown[]) => unknown
>;
const answers = Object.assign(
	{},
	...files.filter((file) => file.includes('/lists/')).map((file) => modules[file]),
) as object;
const types = () => all.typeReader!(SETTINGS.events, STATE.catalog);
const call = (name: string, ...args: unknown[]) => all[name]!(...args);
const objectOf = (json: unknown) =>
	(Array.isArray(json) ? { body: json as unknown } : json) as IDataObject;
const deliveryOf = ({ raw, json }: Sent) => ({
	headers: HEADERS,
	rawBody: raw,
	body: json,
});
const received = (sent: Sent) =>
	(
		call('decide', deliveryOf(sent), { ...STATE, manual: false, now: NOW }, SETTINGS) as {
			events?: unknown;
		}
	).events ?? [];
const fieldsOf = ({ json }: Sent) =>
	call('readCallFields', objectOf(json)) as { objects: unknown[] };

/** Functions with other arguments than a value: how they are called for a body. */
const CALLS: Record<string, Call> = {
	readEvents: ({ json }) => call('readEvents', json, HEADERS, types()),
	readDelivery: (sent) => call('readDelivery', contextOf(sent, 'text/plain')),
	receive: (sent) => call('receive', contextOf(sent, 'application/json')),
	findRepetition: (sent) => {
		const events = [{ sent: sent.json }];
		return call('findRepetition', contextOf(sent, ''), deliveryOf(sent), events, []);
	},
	decide: received,
	decideLogged: ({ json }) => call('decideLogged', { details: { event: json } }, SETTINGS, []),
	mayStartWorkflow: ({ json }) =>
		call('mayStartWorkflow', { type: { kind: 'test' }, json: objectOf(json) }, SETTINGS),
	toReceived: ({ json }) => call('toReceived', { type: {}, json: objectOf(json) }, SETTINGS, []),
	isInHeader: ({ json }) => call('isInHeader', SECRET, json),
	isSigned: ({ raw }) => call('isSigned', [SECRET], HEADERS, raw, NOW),
	hintsFor: ({ json }) => call('hintsFor', objectOf(json), undefined, SETTINGS),
	findUnmet: ({ text }) => {
		const filter = call('readFilter', { filter: { outcomes: 'a', agents: 'b' } });
		return call('findUnmet', filter, { agent: { id: text, name: null } }, text);
	},
	readCall: ({ json }) => call('readCall', objectOf(json), {}),
	isWebCall: (sent) => call('isWebCall', fieldsOf(sent)),
	isCallEvent: (sent) => call('isCallEvent', fieldsOf(sent)),
	isTestEvent: (sent) => call('isTestEvent', fieldsOf(sent)),
	chooseCallValues: (sent) => call('chooseCallValues', fieldsOf(sent)),
	chooseSides: (sent) => call('chooseSides', fieldsOf(sent), null),
	readParties: (sent) => fieldsOf(sent).objects.map((object) => call('readParties', object)),
	rankFields: ({ json }) => call('rankFields', [objectOf(json)], 'customer.phone'),
	readPhone: ({ text }) => call('readPhone', text, 'mapped'),
	plainDigits: ({ text }) => call('plainDigits', text),
	readFieldName: ({ text }) => call('readFieldName', text),
	isWithheld: ({ text }) => call('isWithheld', text),
	looksMasked: ({ text }) => call('looksMasked', text),
	isSameNumber: ({ text }) => call('isSameNumber', text, `+${text}`),
	isWithin: ({ text }) => call('isWithin', text, text.slice(1)),
	completeNumber: ({ text }) => call('completeNumber', text, '+49'),
	findList: ({ json }) => call('findList', json, 'webhooks'),
	recordsIn: ({ json }) => call('recordsIn', json, 'webhooks'),
	readRecord: ({ json }) => call('readRecord', json, 'webhooks'),
	readCreatedEndpoint: ({ json }) => call('readCreatedEndpoint', json, 'https://n8n.example/1'),
	hideSecrets: ({ json }) => call('hideSecrets', json, [TOKEN, SECRET]),
	hideAllSecrets: ({ json }) => call('hideAllSecrets', json, [TOKEN, SECRET]),
	hideInLogged: ({ json }) => call('hideInLogged', json, [TOKEN, SECRET]),
	hideKnownSecrets: ({ json }) => call('hideKnownSecrets', json, [TOKEN, SECRET]),
	withoutInvisible: ({ raw }) => call('withoutInvisible', String(raw)),
	mayHoldSecret: ({ raw }) => call('mayHoldSecret', raw, [TOKEN, SECRET]),
};

/** Functions that read the user's parameters, request what the others read, or pass on what they made of it. */
const OTHERS = new Set(
	`readCallDetails withCallDetails commonTypeOf toItems
	isCatchUpOn identifySender listSecrets readFilter valueOf readOutputs getOutputs returnItems setCustomData readSettings readValidSettings parseCountryCode parsePath readMapping
	listEventTypes assertEventTypes requestList requestEndpoints readNext checkToken storeResults storeToken getEventFields keepEvents prepareTest readDetailOptions requestLatest
	typeReader toRow nameWords splitName withoutTrunkPrefix countryCodeOf describeCall isSameName isBetterName linesOf areEqual completes withoutExpressions isPasted readPastedSecret`.split(
		/\s+/,
	),
);

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

/** @returns the call of a function; by default with the value, and with its text */
function callOf(name: string): Call {
	return CALLS[name] ?? (({ json, text }) => [call(name, json), call(name, text)]);
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

async function stepsOf(name: string, body: string, size: number): Promise<Steps> {
	const [small, large] = [sentOf(body, size), sentOf(body, size * 2)];
	return {
		...{ name, body },
		small: await countSteps(() => callOf(name)(small)),
		large: await countSteps(() => callOf(name)(large)),
	};
}

/** Finds the body that makes the steps of a function grow most, by small bodies, and counts its steps for large ones. */
async function worstOf(name: string): Promise<Steps> {
	let worst = { body: '', growth: 0 };
	const isOfAnswers = Object.keys(answers).includes(name);
	for (const body of Object.keys(isOfAnswers ? hostileAnswers : hostileEvents)) {
		const { small, large } = await stepsOf(name, body, PREVIEW);
		if (large / small > worst.growth) worst = { body, growth: large / small };
	}
	return await stepsOf(name, worst.body, SIZE);
}

async function main(): Promise<void> {
	const gone = [...Object.keys(CALLS), ...OTHERS].filter((name) => !(name in all));
	if (gone.length > 0) throw new Error(`No function has this name any more: ${gone.join(', ')}`);
	const isCounted = (name: string) => typeof all[name] === 'function' && !OTHERS.has(name);
	const steps: Steps[] = [];
	for (const name of Object.keys(all).filter(isCounted)) steps.push(await worstOf(name));
	process.stdout.write(JSON.stringify(steps));
}

void main();
