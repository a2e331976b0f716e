import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Fault } from '../../sandbox/service';
import type { Turns } from './lifecycleTurns';

/** The kinds of calls that the trigger's lifecycle makes to the service. */
export const calls = ['list', 'create', 'delete', 'catalog'] as const;
export type Call = (typeof calls)[number];

const answer = (status: number, headers?: Record<string, string>): Fault => ({
	kind: 'status',
	status,
	headers,
	body: { error: { message: `Fault ${status}` } },
});

/** Everything that may go wrong with a call. */
export const faults = {
	refused: 'refused',
	'lost before': { kind: 'drop-before' },
	'lost after': { kind: 'drop-after' },
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
	/** Done, but the answer tells nothing of it, and has the id of something else. */
	receipt: { kind: 'answer', body: { id: 'req_77' } },
} as const satisfies Record<string, Fault | 'refused'>;
export type FaultName = keyof typeof faults;

/** A fault that strikes the next calls of a kind, or of every kind. */
export interface PlannedFault {
	call: Call | 'every';
	fault: FaultName;
	times: number;
}

/** A port with nobody behind it. */
const CLOSED_PORT = '1';

/** Longer than any answer takes here: a time-out comes only where one is planned. */
const NO_TIME_OUT_MS = 60_000;

/** The request that n8n sent last: it sends one at a time here. Deliveries come by HTTPS. */
let outgoing: ClientRequest | undefined;
subscribe('http.client.request.start', (message) => {
	const { request } = message as { request: ClientRequest };
	if (request.protocol === 'http:') outgoing = request;
});

let skippedMs = 0;
const realNow = Date.now.bind(Date);

/** Lets time pass at once: the clock goes on, so that the node's deadline ends when it would. */
export function skipTime(ms: number): void {
	Date.now = () => realNow() + skippedMs;
	skippedMs += ms;
}

/** How much time has been skipped in all (ms): what is waited for, without what a busy machine adds. */
export const skippedTime = () => skippedMs;

/** Lets planned faults strike the requests of a node, and counts them. */
export class Faults {
	/** How often each fault struck each kind of call. */
	readonly hits = Object.fromEntries(
		Object.keys(faults).map((fault) => [
			fault,
			Object.fromEntries(calls.map((call) => [call, 0])) as Record<Call, number>,
		]),
	) as Record<FaultName, Record<Call, number>>;

	/** What struck since the last plan. */
	struck: Array<{ call: Call; fault: FaultName }> = [];

	/** Called for each request, before it goes out. */
	watcher: (() => void | Promise<void>) | undefined;

	/** How several processes take turns, while there are several. */
	turns: Turns | undefined;

	private planned: PlannedFault[] = [];

	private atService: Fault | undefined;

	private requestsLeft = Infinity;

	private die = () => {};

	/**
	 * Plans the faults of a step.
	 *
	 * @param requests how many may still go out before n8n is killed
	 * @returns resolves when that happens
	 */
	async plan(planned: PlannedFault[], requests = Infinity): Promise<void> {
		this.planned = planned.map((fault) => ({ ...fault }));
		this.struck = [];
		this.watcher = undefined;
		this.requestsLeft = requests;
		await new Promise<void>((resolve) => (this.die = resolve));
	}

	/** Takes the next fault of a signed request that n8n is about to send, as it goes out. */
	async strike({ timeout = 0, ...signed }: IHttpRequestOptions): Promise<IHttpRequestOptions> {
		const request = { ...signed, timeout: NO_TIME_OUT_MS, abortSignal: undefined };
		await this.turns?.take();
		await this.watcher?.();
		if (this.requestsLeft-- === 0) {
			this.die();
			// What ran in a process that was killed never goes on.
			return await new Promise(() => {});
		}
		this.atService = undefined;
		const call = callOf(request);
		const next = this.planned.find(
			(planned) => planned.times > 0 && (planned.call === call || planned.call === 'every'),
		);
		if (!next) return request;
		next.times--;
		this.hits[next.fault][call]++;
		this.struck.push({ call, fault: next.fault });

		const fault = faults[next.fault];
		if (fault === 'refused') {
			const url = new URL(request.url);
			url.port = CLOSED_PORT;
			return { ...request, url: url.href };
		}
		this.atService = fault;
		if (fault.kind.startsWith('hang')) skipTime(timeout);
		return request;
	}

	/** Gives the service the fault of the request that reaches it. */
	arrive(): Fault | undefined {
		const fault = this.atService;
		this.atService = undefined;
		if (fault?.kind === 'hang-before') runOut();
		return fault;
	}

	/** Takes the service's log: a time-out comes when the request has taken effect. */
	answered(line: string): void {
		if (line.endsWith('(hang-after)')) runOut();
	}
}

/** Lets the time of the request run out, as its timer would. */
function runOut(): void {
	setImmediate(() => outgoing?.emit('timeout'));
}

function callOf({ method, url }: IHttpRequestOptions): Call {
	if (method === 'POST') return 'create';
	if (method === 'DELETE') return 'delete';
	return url.includes('/event-types') ? 'catalog' : 'list';
}
