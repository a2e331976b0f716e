import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Fault } from '../../../sandbox/service';
import { skipTime } from '../time/clock';

/** The requests that the lifecycle methods of the trigger send, and that its poll sends (`log`). */
type RequestKind = 'list' | 'create' | 'delete' | 'catalog' | 'log';

const answer = (status: number, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	status,
	headers,
	body: { error: { message: `Fault ${status}` } },
});

/** Every fault of a request. */
export const faults = {
	refused: 'refused',
	'dropped before': { kind: 'drop-before' },
	'dropped after': { kind: 'drop-after' },
	'time-out before': { kind: 'hang-before' },
	'time-out after': { kind: 'hang-after' },
	'401': answer(401),
	'403': answer(403),
	'404': answer(404),
	'409': answer(409),
	'429': answer(429, { 'retry-after': '1' }),
	'500': answer(500),
	'503': answer(503),
	empty: { kind: 'empty' },
	cut: { kind: 'cut' },
	html: { kind: 'html' },
	'not ok': { kind: 'status', status: 200, body: { ok: false, error: 'Fault' } },
	/** The request succeeds, but the response holds only the ID of another object. */
	'other id': { kind: 'answer', body: { id: 'req_77' } },
	/** A list that lacks all endpoints. */
	'empty list': { kind: 'answer', body: { data: [] } },
} as const satisfies Record<string, Fault | 'refused'>;
export type FaultName = keyof typeof faults;

/** The faults that any request may have. A list that lacks all endpoints is a fault that only polls survive. */
export const faultNames = (Object.keys(faults) as FaultName[]).filter(
	(name) => name !== 'empty list',
);

/** A fault of the next requests of a kind. */
export interface PlannedFault {
	/** `every`: of the lifecycle methods. */
	request: RequestKind | 'every';
	fault: FaultName;
	times: number;
	/** For how long the fault is injected; by default without an end. */
	seconds?: number;
}

/** A port that refuses connections. */
const CLOSED_PORT = '1';

/** Longer than any response takes, so that only planned time-outs occur. */
const NO_TIME_OUT_MS = 60_000;

/** Whether a path is that of a delivery log. */
const isOfLog = (path: string) => path.includes('/deliveries');

/** The last requests of n8n: a poll and a lifecycle method send one at a time. Deliveries use HTTPS. */
const outgoing: { log?: ClientRequest; other?: ClientRequest } = {};
subscribe('http.client.request.start', (message) => {
	const { request } = message as { request: ClientRequest };
	if (request.protocol === 'http:') outgoing[isOfLog(request.path) ? 'log' : 'other'] = request;
});

/** Injects planned faults into the requests of a node. */
export class FaultInjector {
	/** The faults that were injected since {@link plan} was called. */
	injected: Array<{ request: RequestKind; fault: FaultName }> = [];
	/** Called before each request. */
	beforeRequest: (() => void | Promise<void>) | undefined;
	/** Delays the next request for a delivery log. */
	delayLog: (() => Promise<void>) | undefined;
	private planned: Array<PlannedFault & { endsAt: number }> = [];
	private atService: { fault: Fault; kind: RequestKind } | undefined;
	private requestsLeft = Infinity;
	private kill = () => {};

	/**
	 * Plans the faults of a step.
	 *
	 * @param requests the number of requests after which n8n is killed
	 * @returns resolves when n8n is killed
	 */
	async plan(planned: PlannedFault[], requests = Infinity): Promise<void> {
		this.planned = planned.map((fault) => {
			return { ...fault, endsAt: Date.now() + (fault.seconds ?? Infinity) * 1_000 };
		});
		this.injected = [];
		this.beforeRequest = undefined;
		this.delayLog = undefined;
		this.requestsLeft = requests;
		await new Promise<void>((resolve) => (this.kill = resolve));
	}

	/** Ends the planned faults. */
	end(): void {
		this.planned = [];
	}

	/** Injects the next planned fault into a signed request, before n8n sends the request. */
	async inject({ timeout = 0, ...signed }: IHttpRequestOptions): Promise<IHttpRequestOptions> {
		const request = { ...signed, timeout: NO_TIME_OUT_MS, abortSignal: undefined };
		const kind = kindOf(request);
		if (kind === 'log') {
			await this.delayLog?.();
		} else {
			await this.beforeRequest?.();
		}
		// A killed poll would let the activation beside it go on.
		if (kind !== 'log' && this.requestsLeft-- === 0) {
			this.kill();
			// The code of a killed process never continues.
			return await new Promise(() => {});
		}
		if (kind !== 'log') this.atService = undefined;
		const next = this.planned.find(
			({ request, times, endsAt }) =>
				times > 0 &&
				Date.now() < endsAt &&
				(request === kind || (request === 'every' && kind !== 'log')),
		);
		if (!next) return request;
		next.times--;
		this.injected.push({ request: kind, fault: next.fault });

		const fault = faults[next.fault];
		if (fault === 'refused') {
			const url = new URL(request.url);
			url.port = CLOSED_PORT;
			return { ...request, url: url.href };
		}
		this.atService = { fault, kind };
		if (fault.kind.startsWith('hang')) skipTime(timeout);
		return request;
	}

	/** @returns the fault of the request that the service has received */
	takeServiceFault(path: string): Fault | undefined {
		if ((this.atService?.kind === 'log') !== isOfLog(path)) return undefined;
		const fault = this.atService?.fault;
		this.atService = undefined;
		if (fault?.kind === 'hang-before') timeOut(path);
		return fault;
	}

	/** Times a request out once the service's log shows that the request has taken effect. */
	readServiceLog(line: string): void {
		if (line.endsWith('(hang-after)')) timeOut(line);
	}
}

/** Ends the last request as its timer would. @param path also in a line of the service's log */
function timeOut(path: string): void {
	const request = outgoing[isOfLog(path) ? 'log' : 'other'];
	setImmediate(() => request?.emit('timeout'));
}

function kindOf({ method, url }: IHttpRequestOptions): RequestKind {
	if (method === 'POST') return 'create';
	if (method === 'DELETE') return 'delete';
	if (isOfLog(url)) return 'log';
	return url.includes('/event-types') ? 'catalog' : 'list';
}
