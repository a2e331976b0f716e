import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sendHtml } from './answers';

/** A request that the API received. */
export interface RequestRecord {
	method: string;
	/** The path below the base URL, without the query. */
	path: string;
	query: unknown;
	body: unknown;
	/** The headers, with `(hidden)` as value of `authorization` and `x-api-key`. */
	headers: Record<string, unknown>;
	/** The status of the answer; undefined before the answer. */
	status?: number;
	/** The fault that was chosen for it. */
	fault?: Fault['kind'];
	/** When it arrived (ms since 1970). */
	at: number;
}

/** A fault of one request: before it takes effect, or of its answer only. */
export type Fault =
	/** The connection breaks, before or after the request takes effect. */
	| { kind: 'drop-before' | 'drop-after' }
	/** No answer comes, before or after the request takes effect. */
	| { kind: 'hang-before' | 'hang-after' }
	/** An answer with this status comes, and the request has no effect. */
	| { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
	/** 200 with no body, or with an HTML page, and the request has no effect. */
	| { kind: 'empty' | 'html' }
	/** The request takes effect, and its answer has this body. */
	| { kind: 'answer'; body: unknown }
	/** The request takes effect, and its answer has only the first half of its body. */
	| { kind: 'cut' }
	/** The answer comes after a delay. */
	| { kind: 'slow'; ms: number };

/** Chooses the fault of a request, if any; `path` is as in the contract (`/webhooks/ID`). */
export type FaultChooser = (request: {
	method: string;
	path: string;
	query: unknown;
}) => Fault | undefined;

declare module 'fastify' {
	interface FastifyRequest {
		record: RequestRecord;
		fault?: Fault;
	}
}

const requestsKept = 10_000;

/**
 * Records the requests to the API in `records`, and applies the chosen faults to them.
 *
 * @param stopping ends the delays of slow requests
 */
export function recordRequests(
	api: FastifyInstance,
	records: RequestRecord[],
	chooseFault: FaultChooser,
	log: (line: string) => void,
	stopping: AbortSignal,
): void {
	api.addHook('onRequest', (request, reply, done) => {
		const path = new URL(request.url, 'http://sandbox').pathname.slice(api.prefix.length);
		const fault = chooseFault({ method: request.method, path, query: request.query });
		const headers: Record<string, unknown> = { ...request.headers };
		for (const name of ['authorization', 'x-api-key'])
			if (headers[name]) headers[name] = '(hidden)';
		request.fault = fault;
		request.record = {
			method: request.method,
			path,
			query: request.query,
			body: undefined,
			headers,
			fault: fault?.kind,
			at: Date.now(),
		};
		records.push(request.record);
		if (records.length > requestsKept) records.shift();

		if (fault?.kind === 'drop-before') request.raw.socket.destroy();
		else if (fault?.kind === 'slow') {
			sleep(fault.ms, undefined, { signal: stopping }).then(() => done(), done);
		} else if (fault?.kind !== 'hang-before' && !answerInstead(reply, fault)) done();
	});

	api.addHook('preValidation', (request, _reply, done) => {
		request.record.body = request.body;
		done();
	});

	api.addHook('onSend', (request, reply, payload, done) => {
		const { record, fault } = request;
		record.status = reply.statusCode;
		log(
			`${record.method} ${record.path} ${record.status}${record.fault ? ` (${record.fault})` : ''}`,
		);
		if (fault?.kind === 'drop-after') request.raw.socket.destroy();
		else if (fault?.kind === 'cut' && typeof payload === 'string') {
			done(null, payload.slice(0, payload.length / 2));
		} else if (fault?.kind === 'answer' && reply.statusCode < 300) {
			if (reply.statusCode === 204) void reply.code(200);
			done(null, JSON.stringify(fault.body));
		} else if (fault?.kind !== 'hang-after') done(null, payload);
	});
}

/** Sends the answer of a fault. @returns false if the fault does not replace the answer */
function answerInstead(reply: FastifyReply, fault: Fault | undefined): boolean {
	if (fault?.kind === 'status') {
		void reply
			.code(fault.status)
			.headers(fault.headers ?? {})
			.send(fault.body);
	} else if (fault?.kind === 'empty') void reply.send();
	else if (fault?.kind === 'html') {
		void sendHtml(reply, 'Welcome', 'This is a web page, not an API.');
	} else return false;
	return true;
}
