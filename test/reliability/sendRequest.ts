import { type Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';

export interface TestRequest {
	method?: string;
	/** Without the question mark. */
	query: string;
	headers?: Record<string, string>;
	body?: string | Buffer;
	/** The client closes the connection after this time, if no answer came. */
	hangUpAfterMs?: number;
}

export interface Answer {
	/** The HTTP status; `closed` if the connection closes before; `none` after the time-out. */
	status: number | 'closed' | 'none';
	body: string;
}

const TIMEOUT_MS = 30_000;

/** @returns the answer, also if the connection fails */
export async function sendRequest(
	address: string,
	{ method = 'POST', query, headers, body, hangUpAfterMs }: TestRequest,
	agent: Agent,
): Promise<Answer> {
	return await new Promise((resolve) => {
		const signal = hangUpAfterMs === undefined ? undefined : AbortSignal.timeout(hangUpAfterMs);
		const request = httpRequest(`${address}?${query}`, { method, headers, agent, signal });
		const timer = setTimeout(() => end({ status: 'none', body: '' }), TIMEOUT_MS);
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

/** Writes raw text to a connection. `end` closes the client's side. */
export type RawWriter = (write: (text: string) => void, end: () => void) => Promise<void> | void;

/** @returns the answer's status and the received part of its body */
export async function sendRaw(address: string, writeRequest: RawWriter): Promise<Answer> {
	const { hostname, port } = new URL(address);
	const socket = connect(Number(port), hostname);
	let text = '';
	const answered = new Promise<Answer>((resolve) => {
		const timer = setTimeout(() => resolve({ status: 'none', body: '' }), TIMEOUT_MS);
		const end = () => {
			clearTimeout(timer);
			const [, status] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? [];
			const body = text.split('\r\n\r\n').slice(1).join('');
			resolve({ status: Number(status) || 'closed', body });
		};
		socket.setEncoding('utf8').on('data', (chunk: string) => {
			text += chunk;
			if (text.includes('\r\n\r\n')) end();
		});
		socket.on('close', end).on('error', end);
	});
	await writeRequest(
		(part) => void (socket.writable && socket.write(part)),
		() => void socket.end(),
	);
	const answer = await answered;
	socket.destroy();
	return answer;
}
