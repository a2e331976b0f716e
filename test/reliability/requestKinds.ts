import { randomBytes } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { type Answer, sendRaw, type RawWriter, sendRequest, type TestRequest } from './sendRequest';

/** A trigger's address and secrets. */
export interface TriggerAccess {
	/** n8n's webhook URL of the trigger, `http://127.0.0.1:PORT/webhook/…`, without the query. */
	address: string;
	/** The callback token. */
	token: string;
	/** The signing secret (`whsec_…`). */
	secret: string;
}

/** A kind of requests that must start no execution. */
export interface RequestKind {
	name: string;
	/** Of 10,000 requests. */
	count: number;
	/** The receiving trigger: it verifies the token only, or the token and signatures. */
	trigger: 'token' | 'signed';
	/**
	 * The layer that must answer. `node`: the request is valid except for its secrets. `any`: n8n or the
	 * node. `none`: the server may close the connection instead of an answer.
	 */
	answeredBy: 'node' | 'any' | 'none';
	/** The number of simultaneous requests; 12 by default. */
	concurrency?: number;
	send: (access: TriggerAccess, agent: Agent) => Promise<Answer>;
}

/** The node answers a wrong token after seconds, when it has asked the service. */
const WAITING_AT_ONCE = 48;
const SLOW_WRITES = 20;
const SLOW_WRITE_INTERVAL_MS = 200;

const event = () => JSON.stringify({ type: 'call.completed', data: { number: -1 } });
const json = { 'content-type': 'application/json' };
const randomToken = () => randomBytes(32).toString('base64url');
const longHeaders = (size: number) => ({ headers: { ...json, 'x-long': 'x'.repeat(size) } });
const queryOf = (token: string) => `voice_agent_token=${token}`;

export function requestKinds(): RequestKind[] {
	const kind = (
		base: Omit<RequestKind, 'send'>,
		makeRequest: (access: TriggerAccess) => TestRequest,
	): RequestKind => ({
		...base,
		send: async (access, agent) => await sendRequest(access.address, makeRequest(access), agent),
	});
	const withToken = (
		name: string,
		count: number,
		query: (token: string) => string,
		concurrency?: number,
	) =>
		kind({ name, count, trigger: 'token', answeredBy: 'node', concurrency }, ({ token }) => {
			return { query: query(token), headers: json, body: event() };
		});
	const signed = (
		name: string,
		count: number,
		sign: (secret: string, body: string) => Record<string, string>,
	) =>
		kind({ name, count, trigger: 'signed', answeredBy: 'node' }, ({ token, secret }) => {
			const body = event();
			return { query: queryOf(token), headers: { ...json, ...sign(secret, body) }, body };
		});
	/** With the callback token, but without a signature. */
	const unsigned = (
		name: string,
		count: number,
		makeRequest: () => Omit<TestRequest, 'query'>,
		concurrency?: number,
	) =>
		kind({ name, count, trigger: 'signed', answeredBy: 'any', concurrency }, ({ token }) => {
			return { query: queryOf(token), ...makeRequest() };
		});
	const body = (name: string, count: number, type: string, content: () => string | Buffer) =>
		unsigned(name, count, () => ({ headers: { 'content-type': type }, body: content() }));
	const encoded = (name: string, count: number, encoding: string, content: () => Buffer) => {
		const headers = { ...json, 'content-encoding': encoding };
		return unsigned(name, count, () => ({ headers, body: content() }), 4);
	};
	const raw = (
		name: string,
		count: number,
		writeRequest: (path: string, ...connection: Parameters<RawWriter>) => ReturnType<RawWriter>,
	): RequestKind => ({
		name,
		count,
		trigger: 'signed',
		answeredBy: 'none',
		send: async ({ address, token }) => {
			const path = `${new URL(address).pathname}?${queryOf(token)}`;
			return await sendRaw(address, (write, end) => writeRequest(path, write, end));
		},
	});

	const bombs = makeBombs();

	return [
		withToken('no token', 1000, () => ''),
		withToken('an empty token', 400, () => queryOf('')),
		withToken('a wrong token', 1500, () => queryOf(randomToken()), WAITING_AT_ONCE),
		withToken(
			'a token with one wrong character',
			800,
			(token) => queryOf(token.slice(0, -1) + (token.endsWith('A') ? 'E' : 'A')),
			WAITING_AT_ONCE,
		),
		withToken(
			'the valid token and a wrong one',
			600,
			(token) => `${queryOf(token)}&${queryOf(randomToken())}`,
		),
		withToken('the valid token in an array', 500, (token) => `voice_agent_token[]=${token}`),
		withToken('the valid token in an object', 300, (token) => `voice_agent_token[x]=${token}`),
		withToken(
			'the valid token below __proto__',
			200,
			(token) => `__proto__[voice_agent_token]=${token}`,
		),
		withToken('a token of 7,740 characters', 500, () => queryOf(randomToken().repeat(180))),
		withToken('a token with control characters', 200, (token) => queryOf(`${token}%00%0d%0a`)),

		signed('no signature', 500, () => ({})),
		signed('a wrong signature', 500, () =>
			signature(`whsec_${randomBytes(24).toString('base64')}`, event()),
		),
		signed('an expired signature', 300, (secret, text) => signature(secret, text, -600)),
		signed('a signature dated in the future', 300, (secret, text) => signature(secret, text, 600)),
		signed('the signature of another body', 400, (secret) => signature(secret, '{}')),
		signed('a signature without a timestamp', 200, (secret, text) => ({
			...signature(secret, text),
			'webhook-timestamp': '',
		})),

		...['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'].map((method) =>
			unsigned(`the method ${method}`, 50, () => ({ method })),
		),
		body('broken JSON', 300, 'application/json', () => event().slice(0, -2)),
		body('JSON null', 150, 'application/json', () => 'null'),
		body('JSON 50,000 levels deep', 60, 'application/json', () => deepJson),
		body('keys __proto__ and constructor', 150, 'application/json', () => pollutingJson),
		body('a form', 100, 'application/x-www-form-urlencoded', () =>
			'type=call.completed&'.repeat(2000),
		),
		body('XML with nested entities', 60, 'application/xml', () => xmlBomb),
		body('multipart with a file', 100, 'multipart/form-data; boundary=x', () => multipart),
		body('plain text', 60, 'text/plain', event),
		body('an unknown content type', 60, 'application/x-nothing', event),
		body('an invalid character set', 60, 'application/json; charset=nonsense', event),
		unsigned('no body', 100, () => ({ headers: json })),
		unsigned('a body of 17 MB', 6, () => ({ headers: json, body: Buffer.alloc(17e6, '[') }), 2),
		unsigned('a body of 15 MB', 4, () => ({ headers: json, body: largeJson }), 2),
		unsigned('headers of 12 kB', 100, () => longHeaders(12_000)),
		// Node.js answers 431 and closes the connection before the end of the headers. TCP may drop the answer.
		{ ...unsigned('headers of 40 kB', 100, () => longHeaders(40_000)), answeredBy: 'none' },
		encoded('a gzip bomb of 100 MB', 10, 'gzip', () => bombs.gzip),
		encoded('a deflate bomb of 100 MB', 10, 'deflate', () => bombs.deflate),
		encoded('a Brotli bomb of 100 MB', 10, 'br', () => bombs.br),
		encoded('invalid gzip', 100, 'gzip', () => Buffer.from(event())),
		encoded('truncated gzip', 50, 'gzip', () => gzipSync(randomBytes(4000)).subarray(0, 2000)),

		raw('a slow body', 20, async (path, write) => {
			write(
				`POST ${path} HTTP/1.1\r\nhost: n8n\r\ncontent-type: application/json\r\ncontent-length: ${SLOW_WRITES}\r\n\r\n`,
			);
			for (let index = 0; index < SLOW_WRITES; index++) {
				await sleep(SLOW_WRITE_INTERVAL_MS);
				write('1');
			}
		}),
		raw('slow headers, then a closed connection', 20, async (path, write, end) => {
			write(`POST ${path} HTTP/1.1\r\nhost: n8n\r\n`);
			for (let index = 0; index < SLOW_WRITES; index++) {
				await sleep(SLOW_WRITE_INTERVAL_MS);
				write(`x-slow-${index}: 1\r\n`);
			}
			end();
		}),
		raw('a body shorter than content-length', 50, (path, write, end) => {
			write(
				`POST ${path} HTTP/1.1\r\nhost: n8n\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{`,
			);
			end();
		}),
		raw('invalid chunks', 50, (path, write) =>
			write(`POST ${path} HTTP/1.1\r\nhost: n8n\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n`),
		),
		raw('a TLS handshake in place of HTTP', 50, (_path, write) =>
			write(`\x16\x03\x01\x02\x00${'\x00'.repeat(64)}`),
		),
	];
}

/** @param offset seconds from now to the timestamp; negative for an earlier time */
function signature(secret: string, body: string, offset = 0): Record<string, string> {
	const id = `msg_${randomToken()}`;
	const timestamp = Math.floor(Date.now() / 1000) + offset;
	return {
		'webhook-id': id,
		'webhook-timestamp': String(timestamp),
		'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
	};
}

/** @returns small bodies that decompress to 100 MB */
function makeBombs() {
	const zeros = Buffer.alloc(100e6);
	const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
	return {
		gzip: gzipSync(zeros),
		deflate: deflateSync(zeros),
		br: brotliCompressSync(zeros, fast),
	};
}

const deepJson = '['.repeat(5e4) + ']'.repeat(5e4);
const pollutingJson =
	'{"__proto__":{"type":"call.completed"},"constructor":{"prototype":{"type":"call.completed"}}}';
const largeJson = Buffer.from(JSON.stringify({ data: 'x'.repeat(15e6) }));
const xmlBomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${Array.from(
	{ length: 9 },
	(_, level) => `<!ENTITY a${level} "${`&a${level ? level - 1 : ''};`.repeat(10)}">`,
).join('')}]><a>&a8;</a>`;
const multipart = [
	'--x',
	'content-disposition: form-data; name="data"; filename="../../event.json"',
	'content-type: application/json',
	'',
	event(),
	'--x--',
	'',
].join('\r\n');
