import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { TestRequest } from './sendRequest';
import { signStandard } from './signStandard';

/** A kind of requests that must start no execution. */
export interface RequestKind {
	name: string;
	/** Of 10,000 requests. */
	count: number;
	/** The receiving trigger: it verifies the token only, or the token and signatures. */
	trigger: 'token' | 'signed';
	/** Whether the node itself must refuse the request, because all but its secrets is valid. */
	isForNode: boolean;
	/** The number of simultaneous requests. */
	concurrency: number;
	/** `token` is the callback token, and `secret` the signing secret (`whsec_…`). */
	makeRequest: (trigger: { token: string; secret: string }) => TestRequest;
}

const event = JSON.stringify({ type: 'call.completed', data: { call_id: 'hostile' } });
const json = { 'content-type': 'application/json' };
const randomToken = () => randomBytes(32).toString('base64url');
const queryOf = (token: string) => `voice_agent_token=${token}`;

/** The query that is made of the callback token. */
const queries: Array<[name: string, count: number, query: (token: string) => string]> = [
	['no token', 1000, () => ''],
	['an empty token', 400, () => queryOf('')],
	['a wrong token', 1500, () => queryOf(randomToken())],
	[
		'a token with one wrong character',
		800,
		(token) => queryOf(token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A')),
	],
	[
		'the valid token and a wrong one',
		600,
		(token) => `${queryOf(token)}&${queryOf(randomToken())}`,
	],
	['the valid token in an array', 500, (token) => `voice_agent_token[]=${token}`],
	['the valid token in an object', 300, (token) => `voice_agent_token[x]=${token}`],
	['the valid token below __proto__', 200, (token) => `__proto__[voice_agent_token]=${token}`],
	['a token of 7,740 characters', 500, () => queryOf(randomToken().repeat(180))],
	['a token with control characters', 200, (token) => queryOf(`${token}%00%0d%0a`)],
];

/** The headers of a delivery with a valid callback token. */
const signatures: Array<
	[name: string, count: number, sign: (secret: string) => Record<string, string>]
> = [
	['no signature', 500, () => ({})],
	[
		'a wrong signature',
		500,
		() => signStandard(`whsec_${randomBytes(24).toString('base64')}`, event),
	],
	['an expired signature', 300, (secret) => signStandard(secret, event, -600)],
	['a signature dated in the future', 300, (secret) => signStandard(secret, event, 600)],
	['the signature of another body', 400, (secret) => signStandard(secret, '{}')],
	[
		'a signature without a timestamp',
		200,
		(secret) => ({ ...signStandard(secret, event), 'webhook-timestamp': '' }),
	],
];

/** Requests with a valid callback token, but without a signature. */
const contents = (): Array<[name: string, count: number, content: Omit<TestRequest, 'query'>]> => {
	const withBody = (type: string, body: string) => ({ headers: { 'content-type': type }, body });
	const encoded = (encoding: string, body: Buffer) => {
		return { headers: { ...json, 'content-encoding': encoding }, body };
	};
	const longHeaders = (size: number) => ({ headers: { ...json, 'x-long': 'x'.repeat(size) } });
	const zeros = Buffer.alloc(100e6);
	const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
	return [
		...['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'].map(
			(method): [string, number, { method: string }] => [`the method ${method}`, 50, { method }],
		),
		['broken JSON', 300, withBody('application/json', event.slice(0, -2))],
		['JSON null', 150, withBody('application/json', 'null')],
		['JSON 50,000 levels deep', 60, withBody('application/json', deepJson)],
		['keys __proto__ and constructor', 150, withBody('application/json', pollutingJson)],
		['a form', 100, withBody('application/x-www-form-urlencoded', formBody)],
		['XML with nested entities', 60, withBody('application/xml', xmlBomb)],
		['multipart with a file', 100, withBody('multipart/form-data; boundary=x', multipart)],
		['plain text', 60, withBody('text/plain', event)],
		['an unknown content type', 60, withBody('application/x-nothing', event)],
		['an invalid character set', 60, withBody('application/json; charset=nonsense', event)],
		['no body', 100, { headers: json }],
		['a body of 17 MB', 6, { headers: json, body: Buffer.alloc(17e6, '[') }],
		['a body of 15 MB', 4, withBody('application/json', `{"data":"${'x'.repeat(15e6)}"}`)],
		['headers of 12 kB', 100, longHeaders(12_000)],
		['a gzip bomb of 100 MB', 10, encoded('gzip', gzipSync(zeros))],
		['a deflate bomb of 100 MB', 10, encoded('deflate', deflateSync(zeros))],
		['a Brotli bomb of 100 MB', 10, encoded('br', brotliCompressSync(zeros, fast))],
		['invalid gzip', 100, encoded('gzip', Buffer.from(event))],
		['truncated gzip', 50, encoded('gzip', gzipSync(randomBytes(4000)).subarray(0, 2000))],
	];
};

export function requestKinds(): RequestKind[] {
	return [
		...queries.map(
			([name, count, query]): RequestKind => ({
				...{ name, count, trigger: 'token', isForNode: true },
				// The node answers a wrong token after seconds, when it has asked the service.
				concurrency: 48,
				makeRequest: ({ token }) => ({ query: query(token), headers: json, body: event }),
			}),
		),
		...signatures.map(
			([name, count, sign]): RequestKind => ({
				...{ name, count, trigger: 'signed', isForNode: true, concurrency: 4 },
				makeRequest: ({ token, secret }) => {
					return { query: queryOf(token), headers: { ...json, ...sign(secret) }, body: event };
				},
			}),
		),
		...contents().map(
			([name, count, content]): RequestKind => ({
				...{ name, count, trigger: 'signed', isForNode: false, concurrency: 4 },
				makeRequest: ({ token }) => ({ query: queryOf(token), ...content }),
			}),
		),
	];
}

const deepJson = '['.repeat(5e4) + ']'.repeat(5e4);
const pollutingJson =
	'{"__proto__":{"type":"call.completed"},"constructor":{"prototype":{"type":"call.completed"}}}';
const formBody = 'type=call.completed&'.repeat(2000);
const xmlBomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from(
	{ length: 9 },
	(_, level) => `<!ENTITY a${level} "${`&a${level ? level - 1 : ''};`.repeat(10)}">`,
).join('')}]><a>&a8;</a>`;
const multipart = [
	'--x',
	'content-disposition: form-data; name="data"; filename="../../event.json"',
	'content-type: application/json',
	'',
	event,
	'--x--',
	'',
].join('\r\n');
