import type { INodeParameters } from 'n8n-workflow';

import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { byId, FIELDS, serve, useFailures } from '../support/service/failures';
import { NodeInWorkflow, type CredentialData } from '../support/n8n/core';
import {
	callbackUrl,
	event,
	hiding,
	planted,
	search,
	secrets,
	textsIn,
	UNMARKED,
	useSearch,
} from '../support/events/plantedSecrets';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useFailures();
useSearch(5_000);

/** Answers by the method and the end of the path. */
const ANSWERS: Record<string, () => unknown> = {
	'GET webhooks': () => ({
		data: Array.from({ length: 9 }, (_none, index) => ({
			...hiding(),
			id: `wh_${index}`,
			url: `${callbackUrl()}&note=${encodeURIComponent(planted())}`,
			events: ['call.completed'],
			status: planted(),
		})),
	}),
	'GET api-keys': () => [
		{ ...hiding(), id: 'k1', name: planted(), prefix: 'svc_live_01', scopes: [] },
	],
	'GET event-types': () => [{ name: 'call.completed', description: planted() }],
	'GET deliveries': () =>
		[1, 2].map((id) => ({
			...hiding(),
			id,
			status: 'failed',
			status_code: 500,
			response_body: planted(),
			payload: event(),
		})),
	'POST webhooks': () => ({
		...hiding(),
		id: 'wh_1',
		url: 'https://crm.example.com/?a=1',
		signing_secret: secrets['signing secret of the webhook'],
	}),
	'POST api-keys': () => ({ id: 'k2', key: 'svc_live_created0123', note: planted() }),
	'POST test': () => ({ ok: true, ...hiding() }),
};
type Fault = [name: string, status: number, body: () => string];
const FAULTS: Fault[] = [
	['none', 200, () => ''],
	['refusal', 400, () => JSON.stringify({ error: { message: planted() } })],
	['missing record', 404, () => JSON.stringify(hiding())],
	['server error', 500, () => planted()],
	['web page', 403, () => `<html><title>${planted()}</title>`],
	['unreadable', 200, () => planted()],
];
const PARAMETERS = {
	...FIELDS,
	url: 'https://crm.example.com/?a=1',
	options: { simplify: false },
};

async function startService([name, status, body]: Fault): Promise<CredentialData> {
	const baseUrl = await serve(({ method, url = '' }, response) => {
		const end = url.split('?')[0]!.split('/').at(-1)!;
		const answer = ANSWERS[`${method} ${end}`] ?? (() => ({}));
		const isFaulty = name !== 'none';
		response.writeHead(isFaulty ? status : 200).end(isFaulty ? body() : JSON.stringify(answer()));
	});
	return {
		baseUrl,
		apiKey: secrets['API key']!,
		webhookSigningSecret: secrets['signing secret of the credential'],
	};
}

async function execute(
	type: NodeInWorkflow['type'],
	credential: CredentialData,
	parameters: INodeParameters,
	fails: boolean,
) {
	const node = await NodeInWorkflow.create(type, { credential, parameters });
	if (!fails) node.settings = { onError: 'continueRegularOutput' };
	const output = await node.execute([{}, {}]).catch((error: unknown) => error);
	return [output, node.hints];
}

describe.each(FAULTS)('the Voice Agent node with the fault %s', (...fault) => {
	test.each(['voiceAgent', 'voiceAgentTool'] as const)('as %s', async (type) => {
		const credential = await startService(fault);
		for (const [resource, named] of Object.entries(operations)) {
			for (const operation of Object.keys(named)) {
				for (const id of ['wh_1', secrets['API key']!, 'svc_live_of-another-workspace']) {
					const locators = { webhookId: byId(id), apiKeyId: byId(id) };
					for (const allWebhooks of [false, true]) {
						const output = allWebhooks ? 'events' : 'deliveries';
						const chosen = { ...locators, resource, operation, allWebhooks, output };
						const parameters = { ...PARAMETERS, ...chosen };
						const got = await execute(type, credential, parameters, allWebhooks);
						const kind = type === 'voiceAgent' ? 'the Voice Agent node' : 'an AI agent';
						const shown =
							kind.endsWith('node') && operation === 'create' && resource === 'webhook'
								? ['signing secret of the webhook']
								: [];
						search(`outputs, errors and hints of ${kind}`, got, shown);
						expect(textsIn(got).join('\n')).not.toContain('of-another-workspace');
					}
				}
			}
		}
	});

	test('in lists and lifecycle', async () => {
		const credential = await startService(fault);
		const action = await NodeInWorkflow.create('voiceAgent', { credential });
		const parameters = { events: ['call.completed'], options: {} };
		const node = await NodeInWorkflow.create('voiceAgentTrigger', { credential, parameters });
		const calls = {
			lists: [
				() => action.listSearch('searchWebhooks'),
				() => action.listSearch('searchApiKeys'),
				() => action.loadOptions('getEventTypes'),
				() => node.loadOptions('getEventFields'),
			],
			'errors of publishing': [
				() => node.call('checkExists'),
				() => node.call('create'),
				() => node.call('delete'),
			],
		};
		for (const [kind, each] of Object.entries(calls)) {
			for (const call of each) search(kind, await call().catch((error: unknown) => error));
		}
	});
});

test.each([
	`ftp://user:${UNMARKED}@crm.example.com/?token=${UNMARKED}`,
	`crm.example.com/?token=${UNMARKED}`,
	`https://crm.example.com/?voice_agent_token=${UNMARKED}`,
])('Create does not repeat the query of %s', async (url) => {
	const credential = await startService(FAULTS[0]!);
	const parameters = { ...PARAMETERS, resource: 'webhook', operation: 'create', url };
	for (const fails of [false, true]) {
		const output = await execute('voiceAgent', credential, parameters, fails);
		search('outputs, errors and hints of an AI agent', output);
		expect(textsIn(output).join()).toMatch(/URL' (must be complete|holds the secret token)/);
	}
});
