import type { OutgoingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';

import { RoutingNode } from 'n8n-core';
import type {
	IAuthenticate,
	ICredentialTestRequest,
	INodeType,
	INodeTypes,
	IRequestOptions,
	NodeApiError,
} from 'n8n-workflow';

import type { RequestRecord } from '../../sandbox/service';
import { makeCertificate } from '../../sandbox/stack/certificates';
import { listen, run, sandbox, serve, useFailures } from '../support/service/failures';
import { NodeInWorkflow, type CredentialData } from '../support/n8n/core';
import { loadPackage } from '../support/n8n/nodePackage';

useFailures();

/** A built-in node of n8n that uses the credential: to test it, or HTTP Request. */
async function foreignNode(data: CredentialData) {
	const { credentialType } = await loadPackage();
	const test = credentialType.test as ICredentialTestRequest;
	const nodeType = {
		description: {
			name: 'n8n-nodes-base.noOp',
			credentials: [{ name: 'voiceAgentApi', required: true }],
			properties: [
				{ name: 'temp', type: 'string', routing: { request: test.request }, default: '' },
			],
		},
	} as unknown as INodeType;
	const nodeTypes = { getByNameAndVersion: () => nodeType } as unknown as INodeTypes;
	const types = { nodeTypes, credentialType };
	const node = await NodeInWorkflow.create('voiceAgent', { credential: data }, types);
	return { test, nodeType, context: node.executeContext() };
}

/**
 * Tests a credential as n8n's own tester does: its request by n8n-core's routing node, then its
 * rules by the status and the body.
 *
 * @returns the message for the user; 'OK' if the test passes
 */
async function testCredential(given: Partial<CredentialData> = {}): Promise<string> {
	const data = { ...sandbox.credential, ...given };
	const { test, nodeType, context } = await foreignNode(data);
	const rules = test.rules ?? [];
	try {
		const output = await new RoutingNode(context, nodeType, {
			id: '1',
			name: 'Voice Agent account',
			type: 'voiceAgentApi',
			data: { ...data },
		}).runNode();
		const body = Object(output?.[0]?.[0]?.json) as Record<string, unknown>;
		const broken = rules.find(
			(rule) =>
				rule.type === 'responseSuccessBody' && body[rule.properties.key] === rule.properties.value,
		);
		return broken?.properties.message ?? 'OK';
	} catch (thrown) {
		const error = thrown as NodeApiError;
		const { response, code } = (error.cause ?? {}) as {
			response?: { status: number; statusText: string };
			code?: string;
		};
		if (!response) return code ?? error.message;
		const broken = rules.find(
			(rule) => rule.type === 'responseCode' && rule.properties.value === response.status,
		);
		return broken?.properties.message ?? response.statusText;
	}
}

/** Requests as the HTTP Request node does: by n8n's older helper, whose options name the address `uri`. */
async function get(options: IRequestOptions, given: Partial<CredentialData> = {}) {
	const { context } = await foreignNode({ ...sandbox.credential, ...given });
	return (await context.helpers.requestWithAuthentication.call(context, 'voiceAgentApi', {
		method: 'GET',
		json: true,
		...options,
	})) as unknown;
}

/** Starts a server that answers every request in the same way. @returns the base URL of an API there */
const reply = async (status: number, headers: OutgoingHttpHeaders, body: string) =>
	await serve((_request, response) => response.writeHead(status, headers).end(body));

// Promise: An untrusted certificate is refused, unless Ignore SSL Issues is on.
test.each([
	[false, /certificate|^UNABLE_TO_VERIFY/, 0],
	[true, /^OK$/, 3],
])('with Ignore SSL Issues %s, a self-signed certificate gives %s', async (isOn, result, count) => {
	let requests = 0;
	const { key, cert } = await makeCertificate();
	const server = createServer({ key, cert }, (_request, response) => {
		requests++;
		response.end('["call.completed"]');
	});
	const baseUrl = await listen(server, 'https');
	const data = { ...sandbox.credential, baseUrl, ignoreSSLIssues: isOn };
	for (const send of [
		async () => await testCredential(data),
		async () => await run({ resource: 'webhook', operation: 'getEventTypes' }, { given: data }),
		async () => await get({ uri: `${baseUrl}/agents` }, data),
	]) {
		const ended = await send().then(
			(value) => (typeof value === 'string' ? value : 'OK'),
			(error: Error) => error.message,
		);
		expect(ended).toMatch(result);
	}
	expect(requests).toBe(count);
});

describe('the test of the credential', () => {
	test.each(['', '/', '////', ' ', '#', '?', '/#'])(
		'passes, also with "%s" after the base URL',
		async (end) => {
			expect(await testCredential({ baseUrl: sandbox.baseUrl + end })).toBe('OK');
			expect(sandbox.requests.map(({ path }) => path)).toEqual(['/webhooks/event-types']);
		},
	);

	test.each<[string, () => Partial<CredentialData>, message: string]>([
		[
			'an invalid or revoked key',
			() => ({ apiKey: 'svc_live_0123456789' }),
			'invalid or was revoked. Paste a valid key',
		],
		[
			'a key without the scope',
			() => ({ apiKey: sandbox.createKey('Poor', ['calls:read']) }),
			'lacks the scope workspace:admin',
		],
		[
			'an address without the API',
			() => ({ baseUrl: sandbox.baseUrl.replace('/v1', '/api/v1') }),
			'Check the Base URL',
		],
	])('reports %s', async (_what, given, message) => {
		expect(await testCredential(given())).toContain(message);
	});

	const html = { 'content-type': 'text/html' };
	// A redirect that is followed leads to itself, until n8n reports too many redirects.
	const location = '/v1/webhooks/event-types';
	test.each<[string, ...Parameters<typeof reply>, message: RegExp]>([
		['a web page', 200, html, '<!doctype html>', /A web page came.*Check the Base URL/],
		['too many requests', 429, {}, '', /Wait, then try again/],
		['a redirect (301)', 301, { location }, '', /The service is at another address/],
		['a redirect (302)', 302, { location }, '', /The service is at another address/],
		['a redirect (307)', 307, { location }, '', /The service is at another address/],
		['a redirect (308)', 308, { location }, '', /The service is at another address/],
	])('reports %s', async (_what, status, headers, body, message) => {
		expect(await testCredential({ baseUrl: await reply(status, headers, body) })).toMatch(message);
	});

	// Promise: Publishable keys and access tokens are refused before anything is sent.
	test.each([
		['a publishable key', { apiKey: 'pk_live_12345678' }, 'publishable key'],
		['a JWT', { apiKey: 'eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.abcd' }, 'a JWT'],
		['no TLS', { baseUrl: 'http://voice.example.com/v1' }, "'Base URL' begins with http://"],
	])('refuses %s with the reason, and sends nothing', async (_name, given, reason) => {
		expect(await testCredential(given)).toContain(reason);
		expect(sandbox.requests).toEqual([]);
	});
});

describe('the HTTP Request node', () => {
	// Promise: The API key goes in one header.
	test.each([
		['authorization', 'x-api-key'],
		['x-api-key', 'authorization'],
	])('is authenticated in the header %s alone, not in %s', async (authHeader, other) => {
		const options = { uri: `${sandbox.baseUrl}/webhooks`, headers: { 'x-mine': '1' } };
		expect(await get(options, { authHeader })).toEqual({ data: [] });
		const [{ headers }] = sandbox.requests as [RequestRecord];
		expect(headers).toMatchObject({ [authHeader]: '(hidden)', 'x-mine': '1' });
		expect(headers[other]).toBeUndefined();
	});

	// Promise: The API key goes to the origin of the base URL only.
	test('sends no key to another origin', async () => {
		const site = await reply(200, {}, '{}');
		await expect(get({ uri: site })).rejects.toThrow('The API key is only sent to');
		await expect(get({ uri: sandbox.baseUrl }, { baseUrl: site })).rejects.toThrow(
			'The API key is only sent to',
		);
		expect(sandbox.requests).toEqual([]);
	});

	test('takes no key along to another origin', async () => {
		const seen: string[] = [];
		const location = await serve(({ headers }, response) => {
			seen.push(JSON.stringify(headers));
			response.end('{}');
		});
		const site = await reply(302, { location }, '');
		for (const authHeader of ['authorization', 'x-api-key']) {
			await get({ uri: site }, { baseUrl: site, authHeader }).catch(() => {});
		}
		expect(seen.join()).not.toContain(sandbox.adminKey);
	});
});

test('every version of n8n is asked to follow no redirect', async () => {
	const { credentialType } = await loadPackage();
	const sign = credentialType.authenticate as Extract<IAuthenticate, (...args: never[]) => unknown>;
	const url = `${sandbox.baseUrl}/webhooks`;
	const signed = await sign(sandbox.credential, { url });
	// n8n 1.123 and 2.0 read the first for the HTTP Request node only, and the second for other nodes only.
	expect(signed).toMatchObject({ maxRedirects: 0, disableFollowRedirect: true });
});
