/** Faults that people met in the field, by their kind, each with what it must give. */
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { parse } from 'yaml';

import { findList, readRecord } from '../../nodes/VoiceAgent/lists/lists';
import { readMapping } from '../../nodes/VoiceAgent/callDetails/mapping';
import { isCovered } from '../../nodes/VoiceAgent/events/names';
import { byId, serve, useFailures } from '../support/service/failures';
import { judged, outcomeOf } from '../support/events/judging';
import { NodeInWorkflow } from '../support/n8n/core';
import { textsIn, UNMARKED } from '../support/events/plantedSecrets';
import { post, publish, registeredUrl, sandbox, useReceiver } from '../support/n8n/receiveSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

/** A case, how the product reads it, and what that must give. */
type Fault = [what: string, read: () => unknown, gives: unknown];

const each = <T extends string | number>(
	name: string,
	cases: T[],
	readOne: (one: T) => unknown,
	gives: unknown,
): Fault[] => cases.map((one) => [`${name} ${one}`.slice(0, 46), () => readOne(one), gives]);
const repeated = <T>(count: number, of: (at: number) => T) =>
	Array.from({ length: count }, (_, at) => of(at));
const countOf = (text: string, value: unknown) =>
	textsIn(value).filter((one) => one.includes(text)).length;

const SECRET = 'whsec_c2lnbmluZyBzZWNyZXQgb2YgdGhlIHNlcnZpY2U=';
const EVENT = { type: 'call.completed', text: 'https://a.example/?b=1&c=2%20+' };
const json = JSON.stringify(EVENT);

// Hostile bodies.
const countItems = (body: unknown) => (outcomeOf({ body }) as unknown[]).length;
const judgeUnsigned = () => {
	const sent = { body: repeated(1_000, () => EVENT), rawBody: Buffer.alloc(16_000_000) };
	return judged(sent, { verifySignature: true }, { signingSecrets: [SECRET] }).kind;
};

// Signatures.
const hmac = (text: string, hash = 'sha256', secret = SECRET) =>
	crypto.createHmac(hash, secret).update(text).digest('hex');
// Deliveries.
interface How {
	options?: INodeParameters;
	dialect?: Parameters<typeof publish>[1];
	headers?: () => Record<string, string>;
}
const FORM: How = { headers: () => ({ 'content-type': 'application/x-www-form-urlencoded' }) };
const HEX: How = { dialect: { signature: 'hmac-hex' } };
const HIDDEN = { ...EVENT, note: '***' };
const withKey = () => ({ ...EVENT, note: sandbox.adminKey });
const withSecret = () => ({ ...EVENT, note: sandbox.signingSecret });

/** Publishes a trigger, and delivers a body. @returns the items that start the workflow */
async function deliver(body: unknown, { options, dialect, headers }: How = {}) {
	await publish(options, dialect);
	const sent = typeof body === 'function' ? (body as () => unknown)() : body;
	return (await post(registeredUrl(), sent, headers?.())).items ?? [];
}
const deliverSignedAsForm = () => {
	const signed = () => ({
		...FORM.headers?.(),
		'x-signature': hmac(json, 'sha256', sandbox.signingSecret),
	});
	return deliver(EVENT, { ...HEX, options: { verifySignature: true }, headers: signed });
};

/** @returns what the jobs with an identity token run */
function runsOfTrusted() {
	const { jobs } = parse(readFileSync('.github/workflows/publish.yml', 'utf8')) as {
		jobs: Record<string, { permissions?: object; steps: Array<{ run?: string }> }>;
	};
	const trusted = Object.values(jobs).filter(({ permissions = {} }) => 'id-token' in permissions);
	return trusted.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
}

// Operations.
interface Run {
	type?: NodeInWorkflow['type'];
	settings?: Partial<INode>;
}
const AS_TOOL: Run = { type: 'voiceAgentTool' };
const FAILS_ON: Run = { settings: { onError: 'continueRegularOutput' } };
const KEY = 'svc_live_0123456789abcdefghijkl';
const GET_MANY = { resource: 'webhook', operation: 'getAll', returnAll: true };
const KEYS = repeated(200_000, (at) => ({ id: at + 1, prefix: 'svc_live_a' }));
const DELETE = { resource: 'webhook', operation: 'delete' };
const REVOKE = { resource: 'apiKey', operation: 'revoke', apiKeyId: byId(`${KEY}x`) };
const ENDPOINT = { id: 'wh_1', url: `https://a.example/?apikey=${UNMARKED}`, password: UNMARKED };
const OWN = { id: 'wh_1', url: 'https://a.example/', events: [], workflowUrl: 'own' };
const SHOWN = {
	id: 'wh_1',
	url: 'https://a.example/?***',
	events: null,
	status: null,
	workflowUrl: null,
};

type Answer = object | ((url: string) => object);

/** Runs the action node on an item. @returns its output or error, its hints, and how many requests it sent */
async function act(
	parameters: INodeParameters,
	answer: Answer = {},
	{ type = 'voiceAgent', settings = {} }: Run = {},
) {
	let requests = 0;
	const baseUrl = await serve(({ url = '' }, response) => {
		requests++;
		response.end(
			JSON.stringify(
				typeof answer === 'function' ? (answer as (url: string) => object)(url) : answer,
			),
		);
	});
	const node = await NodeInWorkflow.create(type, {
		parameters,
		credential: { baseUrl, apiKey: KEY },
	});
	node.settings = settings;
	const output = await node.execute().catch((error: Error) => error);
	return { output, hints: node.hints, requests };
}
async function itemsOf(...given: Parameters<typeof act>): Promise<IDataObject[]> {
	const { output } = await act(...given);
	if (output instanceof Error) throw output;
	return output.map(({ json: item }) => item);
}
const requestsFor = async (...given: Parameters<typeof act>) => (await act(...given)).requests;
const readEndless = async () => {
	const { requests, hints } = await act(GET_MANY, (url) => ({ data: [], next: `${url.length}` }));
	return [requests, hints.length];
};
const pasted = async (run: Run) => {
	const { output, hints, requests } = await act(REVOKE, {}, run);
	return [requests, countOf(KEY, output) + countOf(KEY, hints)];
};
const createWithToken = async () => {
	const url = `https://a.example/?voice_agent_token=${UNMARKED}`;
	const { output, requests } = await act({
		resource: 'webhook',
		operation: 'create',
		url,
		events: ['*'],
	});
	return [requests, countOf(UNMARKED, output)];
};
const FAULTS: Record<string, Fault[]> = {
	'hostile bodies': [
		['500,000 numbers in a list', () => countItems(repeated(500_000, () => 1)), 1],
		['an unsigned batch of 16 MB', judgeUnsigned, 'unverified'],
	],
	secrets: [
		['the API key in an event', () => deliver(withKey), [HIDDEN]],
		["the credential's signing secret in an event", () => deliver(withSecret, HEX), [HIDDEN]],
		['a key as an ID', () => pasted({}), [0, 0]],
		['a key as an ID, with On Error', () => pasted(FAILS_ON), [0, 0]],
		['a key as an ID, of an AI tool', () => pasted(AS_TOOL), [0, 0]],
		['the token in the URL for Create', createWithToken, [0, 0]],
		['a webhook for an AI tool', () => itemsOf(GET_MANY, [ENDPOINT], AS_TOOL), [SHOWN]],
		[
			'the job that has the identity token',
			runsOfTrusted,
			[expect.stringMatching(/^npm publish .*tgz$/)],
		],
	],
	signatures: [['signed JSON, sent again as a form', deliverSignedAsForm, [EVENT]]],
	'passed by': [
		...each(
			'the ID of a record',
			['..', '.'],
			(id) => readRecord({ ...ENDPOINT, id }, 'webhooks')?.id,
			undefined,
		),
		...each(
			'the ID of an operation',
			['..', '.'],
			(id) => requestsFor({ ...DELETE, webhookId: byId(id) }),
			0,
		),
		['empty pages without an end', readEndless, [2, 1]],
		['200,000 records on a page', () => findList(KEYS, 'apiKeys')?.entries.length, 200_000],
		['a row of the mapping that is null', () => readMapping({ fields: [null] }).problems, []],
		['an own field workflowUrl', () => itemsOf(GET_MANY, [OWN]), [{ ...OWN, workflowUrl_1: null }]],
		[
			'a pattern of nine stars',
			() => isCovered('call.'.repeat(2_000), ['*a*b*c*d*e*f*g*h*']),
			false,
		],
	],
};

useFailures();
useReceiver();

describe.each(Object.entries(FAULTS))('a fault of the kind %s', (_kind, faults) => {
	test.each(faults)('%s', async (_what, readFault, gives) => {
		expect(await readFault()).toEqual(gives);
	});
});
