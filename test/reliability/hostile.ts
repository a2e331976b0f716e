import { randomBytes } from 'node:crypto';
import { request as httpRequest, type Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';

/** What a stranger knows, which is more than one should. */
export interface Knowledge {
	/** Where n8n listens for the trigger: `http://127.0.0.1:PORT/webhook/…`, without the query. */
	address: string;
	/** The trigger's callback token. */
	token: string;
	/** The secret that deliveries are signed with (`whsec_…`). */
	secret: string;
}

/** A request that starts nothing. */
export interface HostileRequest {
	method?: string;
	/** Without the question mark. */
	query: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
}

/** A kind of hostile request. */
export interface Kind {
	name: string;
	/** How many of 10,000. */
	count: number;
	/** The trigger that it is sent to: one that the token alone guards, or one with signatures too. */
	trigger: 'token' | 'signed';
	/**
	 * Who has to answer: the node itself, where the request is a sound one but for its secrets; n8n
	 * or the node; or nobody, where it is not read to its end, and may be cut off.
	 */
	answeredBy: 'node' | 'anyone' | 'nobody';
	/** How many at once; 12 by default. */
	atOnce?: number;
	/** Sends one. */
	send: (known: Knowledge, agent: Agent) => Promise<Answer>;
}

/** How a request ended. */
export interface Answer {
	/** The status; 'closed' where the connection was; 'none' where nothing came in time. */
	status: number | 'closed' | 'none';
	/** The beginning of the body. */
	body: string;
}

const NAME = 'voice_agent_token';
const PATIENCE_MS = 30_000;
const DRIPS = 20;
const DRIP_EVERY_MS = 200;

const event = () => JSON.stringify({ type: 'call.completed', data: { number: -1 } });
const json = { 'content-type': 'application/json' };
const anyToken = () => randomBytes(32).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

/** Every kind there is; with all secrets known, only what lacks the right one counts as hostile. */
export function kinds(): Kind[] {
	const withToken = (name: string, count: number, query: (token: string) => string): Kind => ({
		name,
		count,
		trigger: 'token',
		answeredBy: 'node',
		send: async ({ address, token }, agent) =>
			await send(address, { query: query(token), headers: json, body: event() }, agent),
	});
	const signed = (
		name: string,
		count: number,
		sign: (secret: string, body: string) => Record<string, string>,
	): Kind => ({
		name,
		count,
		trigger: 'signed',
		answeredBy: 'node',
		send: async ({ address, token, secret }, agent) => {
			const body = event();
			const headers = { ...json, ...sign(secret, body) };
			return await send(address, { query: `${NAME}=${token}`, headers, body }, agent);
		},
	});
	/** Has the right token, so that it comes as far as can be, and lacks the signature. */
	const unsigned = (
		name: string,
		count: number,
		request: (index: number) => Omit<HostileRequest, 'query'>,
		atOnce?: number,
	): Kind => {
		let sent = 0;
		return {
			name,
			count,
			atOnce,
			trigger: 'signed',
			answeredBy: 'anyone',
			send: async ({ address, token }, agent) =>
				await send(address, { query: `${NAME}=${token}`, ...request(sent++) }, agent),
		};
	};
	const body = (name: string, count: number, type: string, content: () => string | Buffer) =>
		unsigned(name, count, () => ({ headers: { 'content-type': type }, body: content() }));
	const encoded = (name: string, count: number, encoding: string, content: () => Buffer) =>
		unsigned(
			name,
			count,
			() => {
				const headers = { ...json, 'content-encoding': encoding };
				return { headers, body: content() };
			},
			4,
		);
	const raw = (name: string, count: number, converse: Conversation): Kind => ({
		name,
		count,
		trigger: 'signed',
		answeredBy: 'nobody',
		send: async (known) => await converseRaw(known, converse),
	});

	const bombs = makeBombs();

	return [
		withToken('no token', 1000, () => ''),
		withToken('an empty token', 400, () => `${NAME}=`),
		withToken('a wrong token', 1500, () => `${NAME}=${anyToken()}`),
		withToken(
			'a token that is one character off',
			800,
			(token) => `${NAME}=${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`,
		),
		withToken(
			'two tokens, one of them right',
			600,
			(token) => `${NAME}=${token}&${NAME}=${anyToken()}`,
		),
		withToken('the right token in an array', 500, (token) => `${NAME}[]=${token}`),
		withToken('the right token in an object', 300, (token) => `${NAME}[x]=${token}`),
		withToken('the right token by __proto__', 200, (token) => `__proto__[${NAME}]=${token}`),
		withToken('an overlong token', 500, () => `${NAME}=${anyToken().repeat(180)}`),
		withToken('a token with control characters', 200, (token) => `${NAME}=${token}%00%0d%0a`),

		signed('no signature', 500, () => ({})),
		signed('a wrong signature', 500, () =>
			signature(`whsec_${randomBytes(24).toString('base64')}`, event(), now()),
		),
		signed('an expired signature', 300, (secret, text) => signature(secret, text, now() - 600)),
		signed('a signature from the future', 300, (secret, text) =>
			signature(secret, text, now() + 600),
		),
		signed("another body's signature", 400, (secret) => signature(secret, '{}', now())),
		signed('a signature without its time', 200, (secret, text) => ({
			...signature(secret, text, now()),
			'webhook-timestamp': '',
		})),

		...['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'].map((method) =>
			unsigned(`the method ${method}`, 50, () => ({ method })),
		),
		body('broken JSON', 300, 'application/json', () => event().slice(0, -2)),
		body('JSON that is no object', 150, 'application/json', () => 'null'),
		body(
			'JSON 50,000 levels deep',
			60,
			'application/json',
			() => '['.repeat(5e4) + ']'.repeat(5e4),
		),
		body(
			'keys __proto__ and constructor',
			150,
			'application/json',
			() =>
				'{"__proto__":{"type":"call.completed"},"constructor":{"prototype":{"type":"call.completed"}}}',
		),
		body('a form', 100, 'application/x-www-form-urlencoded', () =>
			'type=call.completed&'.repeat(2000),
		),
		body('XML full of entities', 60, 'application/xml', () => xmlBomb),
		body('several parts with a file', 100, 'multipart/form-data; boundary=x', () => multipart),
		body('plain text', 60, 'text/plain', event),
		body('an unknown content type', 60, 'application/x-nothing', event),
		body('a character set that is none', 60, 'application/json; charset=nonsense', event),
		unsigned('no body', 100, () => ({ headers: json })),
		unsigned('a body of 17 MB', 6, () => ({ headers: json, body: Buffer.alloc(17e6, '[') }), 2),
		unsigned('a body of 15 MB', 4, () => ({ headers: json, body: largeJson }), 2),
		unsigned('headers of 12 kB', 100, () => ({
			headers: { ...json, 'x-long': 'x'.repeat(12_000) },
		})),
		{
			...unsigned('headers of 40 kB', 100, () => ({
				headers: { ...json, 'x-long': 'x'.repeat(40_000) },
			})),
			// Node.js answers 431 and closes, with headers unread: TCP may then drop the answer.
			answeredBy: 'nobody',
		},
		encoded('a gzip bomb of 100 MB', 10, 'gzip', () => bombs.gzip),
		encoded('a deflate bomb of 100 MB', 10, 'deflate', () => bombs.deflate),
		encoded('a Brotli bomb of 100 MB', 10, 'br', () => bombs.br),
		encoded('gzip that is none', 100, 'gzip', () => Buffer.from(event())),
		encoded('gzip that is cut off', 50, 'gzip', () =>
			gzipSync(randomBytes(4000)).subarray(0, 2000),
		),

		raw('a sender that drips its body', 20, async (write, path) => {
			write(
				`POST ${path} HTTP/1.1\r\nhost: n8n\r\ncontent-type: application/json\r\ncontent-length: ${DRIPS}\r\n\r\n`,
			);
			for (let drip = 0; drip < DRIPS; drip++) {
				await sleep(DRIP_EVERY_MS);
				write('1');
			}
		}),
		raw('a sender that drips headers and leaves', 20, async (write, path, leave) => {
			write(`POST ${path} HTTP/1.1\r\nhost: n8n\r\n`);
			for (let drip = 0; drip < DRIPS; drip++) {
				await sleep(DRIP_EVERY_MS);
				write(`x-drip-${drip}: 1\r\n`);
			}
			leave();
		}),
		raw('a body shorter than it says', 50, (write, path, leave) => {
			write(
				`POST ${path} HTTP/1.1\r\nhost: n8n\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n{`,
			);
			leave();
		}),
		raw('chunks that are none', 50, (write, path) =>
			write(`POST ${path} HTTP/1.1\r\nhost: n8n\r\ntransfer-encoding: chunked\r\n\r\nnonsense\r\n`),
		),
		raw('what is not HTTP', 50, (write) => write(`\x16\x03\x01\x02\x00${'\x00'.repeat(64)}`)),
	];
}

function signature(secret: string, body: string, timestamp: number): Record<string, string> {
	const id = `msg_${anyToken()}`;
	return {
		'webhook-id': id,
		'webhook-timestamp': String(timestamp),
		'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
	};
}

/** A small body that becomes 100 MB. */
function makeBombs() {
	const zeros = Buffer.alloc(100e6);
	const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
	return {
		gzip: gzipSync(zeros),
		deflate: deflateSync(zeros),
		br: brotliCompressSync(zeros, fast),
	};
}

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

/** Sends a request and waits for its answer, but not for ever. */
async function send(
	address: string,
	{ method = 'POST', query, headers, body }: HostileRequest,
	agent: Agent,
): Promise<Answer> {
	return await new Promise((resolve) => {
		const request = httpRequest(`${address}?${query}`, { method, headers, agent });
		const timer = setTimeout(() => end({ status: 'none', body: '' }), PATIENCE_MS);
		const end = (answer: Answer) => {
			clearTimeout(timer);
			resolve(answer);
			if (answer.status === 'none') request.destroy();
		};
		request.on('response', (response) => {
			let text = '';
			const done = () => end({ status: response.statusCode ?? 0, body: text });
			response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
			response.on('end', done).on('error', done);
		});
		request.on('error', () => end({ status: 'closed', body: '' }));
		request.end(body);
	});
}

type Conversation = (
	write: (text: string) => void,
	/** The path with the query. */
	path: string,
	leave: () => void,
) => Promise<void> | void;

/** Speaks over a bare connection, and reads what comes until it is closed or an answer is there. */
async function converseRaw({ address, token }: Knowledge, converse: Conversation): Promise<Answer> {
	const { hostname, port, pathname } = new URL(address);
	const socket = connect(Number(port), hostname);
	let text = '';
	const answered = new Promise<Answer>((resolve) => {
		const read = () => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
		const timer = setTimeout(() => resolve({ status: 'none', body: '' }), PATIENCE_MS);
		socket.setEncoding('utf8').on('data', (chunk: string) => {
			text += chunk;
			if (text.includes('\r\n\r\n')) end();
		});
		const end = () => {
			clearTimeout(timer);
			const body = text.split('\r\n\r\n').slice(1).join('');
			resolve({ status: Number(read()) || 'closed', body });
		};
		socket.on('close', end).on('error', end);
	});
	await converse(
		(part) => void (socket.writable && socket.write(part)),
		`${pathname}?${NAME}=${token}`,
		() => void socket.end(),
	);
	const answer = await answered;
	socket.destroy();
	return answer;
}
