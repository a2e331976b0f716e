import type { IncomingHttpHeaders } from 'node:http';

import { created, empty, failure, json, removed, sampled, unknown, type Answer } from './answers';
import { catalogOf, unknownTypeOf } from './catalog';
import { makeSample, type SentDelivery } from './deliveries';
import { envelopList, envelopRecord, idOf, type Resource } from './envelopes';
import { isPaged, type Service } from './grammar';
import { cutPage } from './pages';
import { register } from './registration';
import { endpointRecord, keyRecord, listBody, type Endpoint, type Key } from './records';
import { secretOf, sign } from './signing';

/** What a receiver answered to a delivery. */
export interface Acknowledgement {
	status: number;
	body: string;
}

interface Attempt {
	id: string | number;
	eventId: string;
	status: number;
}

interface Request {
	method: string;
	/** Below the base URL. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	body: unknown;
}

type Json = Record<string, unknown>;

/** A service that keeps the contract, and is as drawn in all that the contract leaves open. */
export class DrawnService {
	apiKey = 'svc_live_drawn0123456789';

	/** What went over the wire, a line each, for a failure to be read. */
	readonly exchanges: string[] = [];

	readonly keys: Key[] = [];

	endpoints: Endpoint[] = [];

	/** What lists show of what was removed. */
	readonly removed: { endpoints: Endpoint[]; keys: Key[] } = { endpoints: [], keys: [] };

	/** How many endpoints the workspace may have. */
	limit = Infinity;

	/** Takes a delivery to the receiver of a URL. */
	send: (url: string, delivery: SentDelivery) => Promise<Acknowledgement> = () =>
		Promise.resolve({ status: 404, body: '' });

	/** Whether anything happens at a URL while it is being registered. */
	isOurs: (url: string) => boolean = () => false;

	private readonly attempts = new Map<string, Attempt[]>();

	/** What the list of endpoints was, and since when (virtual ms; first pages asked for). */
	private history: Array<{ endpoints: Endpoint[]; at: number; lists: number }> = [];

	private lists = 0;

	private requests = 0;

	private made = 0;

	constructor(
		readonly drawn: Service,
		readonly baseUrl: string,
	) {
		this.catchUp();
	}

	/** Lets lists show what there is. */
	catchUp(): void {
		this.history = [{ endpoints: this.endpoints, at: 0, lists: -Infinity }];
	}

	addEndpoint(url: string, events?: string[]): Endpoint {
		const endpoint = { id: this.newId('wh'), url, ...(events && { events }) };
		this.change([...this.endpoints, endpoint]);
		return endpoint;
	}

	addKey(name: string, scopes: string[]): Key {
		const key = `svc_live_${'0123456789abcdef'.repeat(2)}${this.made}`;
		const created = { id: this.newId('key'), name, key, scopes };
		this.keys.push(created);
		return created;
	}

	/** A delivery as it goes to an endpoint. */
	signed(endpoint: Endpoint, delivery: SentDelivery): SentDelivery {
		return sign(this.drawn, delivery, secretOf(this.drawn, endpoint.id));
	}

	/** Removes an endpoint, whoever asked for that. */
	takeAway(endpoint: Endpoint): void {
		const { removal } = this.drawn;
		this.change(this.endpoints.filter((candidate) => candidate !== endpoint));
		if (removal.kind === 'shown') {
			this.removed.endpoints.push({ ...endpoint, disabled: removal.as });
		}
	}

	/** Adds to the delivery log of an endpoint. */
	log(endpointId: string | number, status: number): Attempt {
		const attempt = { id: this.newId('del'), eventId: `logged_${this.made}`, status };
		const log = this.attempts.get(String(endpointId)) ?? [];
		this.attempts.set(String(endpointId), [...log, attempt]);
		return attempt;
	}

	attemptsOf(endpointId: string | number): Attempt[] {
		return this.attempts.get(String(endpointId)) ?? [];
	}

	/** Answers a request. */
	async answer(request: Request): Promise<Answer> {
		const answer = await this.route(request);
		const query = new URLSearchParams(request.query).toString();
		const sent = request.body === undefined ? '' : ` ${JSON.stringify(request.body)}`;
		this.exchanges.push(
			`${request.method} ${request.path}${query && `?${query}`}${sent} -> ${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`,
		);
		return answer;
	}

	private async route(request: Request): Promise<Answer> {
		const { drawn } = this;
		const { method, path, headers } = request;
		if (headers['x-api-key'] !== this.apiKey && headers.authorization !== `Bearer ${this.apiKey}`) {
			return failure(drawn, 401, 'Invalid API key');
		}
		const tooMany = this.refuseTooMany();
		if (tooMany) return tooMany;

		const [, collection = '', id = '', action = ''] =
			/^(\/workspace\/api-keys|\/webhooks\/event-types|\/webhooks)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(
				path,
			) ?? [];
		const route = `${method} ${collection}${id && '/{id}'}${action && `/${action}`}`;
		switch (route) {
			case 'GET /workspace/api-keys':
				return this.listKeys(request);
			case 'POST /workspace/api-keys':
				return this.createKey(request);
			case 'DELETE /workspace/api-keys/{id}':
				return this.revokeKey(decodeURIComponent(id));
			case 'GET /webhooks/event-types':
				return this.listEventTypes(request);
			case 'GET /webhooks':
				return this.listEndpoints(request);
			case 'POST /webhooks':
				return await register(this, request.body as Json);
			case 'POST /webhooks/{id}/test':
				return await this.sendSample(decodeURIComponent(id));
			case 'GET /webhooks/{id}/deliveries':
				return this.listDeliveries(request, decodeURIComponent(id));
			case 'DELETE /webhooks/{id}':
				return this.removeEndpoint(decodeURIComponent(id));
			default:
				return failure(drawn, 404, 'No such route');
		}
	}

	private refuseTooMany(): Answer | undefined {
		const { rateLimit } = this.drawn;
		if (rateLimit.kind === 'none' || ++this.requests % rateLimit.every !== 0) return undefined;
		const status = rateLimit.kind === 'busy' ? 503 : 429;
		const answer = failure(this.drawn, status, 'Too many requests');
		const retryAfter = {
			seconds: '1',
			busy: '1',
			date: new Date(Date.now() + 1_000).toUTCString(),
			atOnce: '0',
			untold: undefined,
		}[rateLimit.kind];
		return retryAfter === undefined
			? answer
			: { ...answer, headers: { ...answer.headers, 'retry-after': retryAfter } };
	}

	private listKeys(request: Request): Answer {
		return this.list(
			'apiKeys',
			this.ordered([...this.removed.keys, ...this.keys]),
			request,
			true,
			(key, n) => keyRecord(this.drawn, key, n),
		);
	}

	private createKey({ body }: Request): Answer {
		const { name, scopes } = body as { name?: unknown; scopes?: string[] };
		if (typeof name !== 'string') return failure(this.drawn, 422, 'name is required');
		const key = this.addKey(name, scopes ?? ['agents:read', 'calls:write']);
		const value = { key: key.key };
		const isBeside = this.drawn.keyPlace.kind === 'besideRecord';
		const record = keyRecord(this.drawn, key, 1, isBeside ? {} : value);
		return created(
			this.drawn,
			envelopRecord(this.drawn, 'apiKeys', record, body, isBeside ? value : {}),
		);
	}

	private revokeKey(id: string): Answer {
		const index = this.keys.findIndex((key) => String(key.id) === id);
		if (index < 0) return unknown(this.drawn, id) ?? removed(this.drawn, id, { id });
		const [key] = this.keys.splice(index, 1);
		const { removal } = this.drawn;
		if (removal.kind === 'shown') this.removed.keys.push({ ...key!, revoked: removal.as });
		const record = { ...keyRecord(this.drawn, key!, 1), revoked_at: '2026-01-02T03:04:05Z' };
		return removed(this.drawn, key!.id, envelopRecord(this.drawn, 'apiKeys', record, undefined));
	}

	private listEventTypes(request: Request): Answer {
		const catalog = catalogOf(this.drawn);
		if (!Array.isArray(catalog)) {
			if (Object.keys(request.query).length > 0 && this.drawn.unknownQuery.kind === 'refused') {
				return failure(this.drawn, 400, 'Unknown parameter');
			}
			return json(this.drawn, 200, envelopList(this.drawn, 'eventTypes', catalog, false, null));
		}
		return this.list(
			'eventTypes',
			catalog.map((entry) => ({ id: (entry as Json).id as string, entry })),
			request,
			isPaged(this.drawn, 'eventTypes'),
			({ entry }) => entry,
		);
	}

	private listEndpoints(request: Request): Answer {
		if (Object.keys(request.query).length === 0) this.lists++;
		return this.list(
			'webhooks',
			this.ordered([...this.removed.endpoints, ...this.visibleEndpoints()]),
			request,
			isPaged(this.drawn, 'webhooks'),
			(endpoint, n) => endpointRecord(this.drawn, endpoint, n, false),
		);
	}

	private async sendSample(id: string): Promise<Answer> {
		const endpoint = this.endpoints.find((candidate) => String(candidate.id) === id);
		if (!endpoint) return unknown(this.drawn, id) ?? failure(this.drawn, 404, 'No such endpoint');
		const sample = makeSample(
			this.drawn,
			this.someTypeOf(endpoint.events),
			unknownTypeOf(this.drawn),
			this.made++,
			endpoint.url,
		);
		const { status } = await this.send(endpoint.url, this.signed(endpoint, sample));
		this.log(endpoint.id, status);
		return sampled(this.drawn, sample.events[0], status);
	}

	/** A type that an endpoint gets. */
	someTypeOf(events: string[] | undefined): string {
		const name = events?.[0] ?? 'call.completed';
		return name.endsWith('*') ? 'call.completed' : name;
	}

	private listDeliveries(request: Request, id: string): Answer {
		if (!this.endpoints.some((endpoint) => String(endpoint.id) === id)) {
			return unknown(this.drawn, id) ?? failure(this.drawn, 404, 'No such endpoint');
		}
		const log = this.ordered(this.attemptsOf(id));
		return this.list('deliveries', log, request, true, (attempt) => ({
			id: attempt.id,
			event_id: attempt.eventId,
			status: attempt.status < 300 ? 'delivered' : 'failed',
			response: { status: attempt.status, body: '' },
		}));
	}

	private removeEndpoint(id: string): Answer {
		const { drawn } = this;
		const endpoint = this.endpoints.find((candidate) => String(candidate.id) === id);
		if (!endpoint) return unknown(drawn, id) ?? removed(drawn, id, { id });
		this.takeAway(endpoint);
		const record = endpointRecord(drawn, endpoint, 1, false);
		return removed(drawn, endpoint.id, envelopRecord(drawn, 'webhooks', record, undefined));
	}

	private list<Entry extends { id: string | number }>(
		resource: Resource,
		all: Entry[],
		{ query, path }: Request,
		paged: boolean,
		show: (entry: Entry, n: number) => unknown,
	): Answer {
		const { drawn } = this;
		const service = paged ? drawn : { ...drawn, paging: { kind: 'none' as const } };
		const page = cutPage(service, all, query, this.baseUrl + path, ({ id }) => String(id));
		if ('refused' in page) return failure(drawn, page.refused, 'No such page');
		const isEmpty = all.length === 0;
		const kind = isEmpty ? drawn.emptyList.kind : 'array';
		if (kind === 'noContent') return { ...empty(204), headers: page.headers };
		const answer = json(
			drawn,
			page.status,
			kind === 'nullBody' ? null : listBody(drawn, resource, page, kind, show),
		);
		return { ...answer, headers: { ...answer.headers, ...page.headers } };
	}

	private ordered<Entry>(entries: Entry[]): Entry[] {
		return this.drawn.order.kind === 'newestFirst' ? [...entries].reverse() : entries;
	}

	private visibleEndpoints(): Endpoint[] {
		const { lag } = this.drawn;
		const visible = this.history.findLast(({ at, lists }) => {
			if (lag.kind === 'none') return true;
			return lag.kind === 'milliseconds'
				? at + lag.ms <= Date.now()
				: lists + lag.count < this.lists;
		});
		return visible?.endpoints ?? [];
	}

	private change(endpoints: Endpoint[]): void {
		this.endpoints = endpoints;
		this.history.push({ endpoints, at: Date.now(), lists: this.lists });
	}

	private newId(prefix: string): string | number {
		return idOf(this.drawn, prefix, this.made++);
	}
}
