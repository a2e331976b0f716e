import { fc } from '../random';
import type { DrawnOf } from './production';

/** Names that services give to envelopes, and some that none does. */
const USUAL = ['data', 'items', 'results', 'result', 'response', 'content', 'payload'];
const NONSENSE = ['zorp', 'blib', 'quux', 'frobs', 'q7'];
export const word = fc.constantFrom(...USUAL, ...NONSENSE);

const between = fc.constantFrom('attributes', 'node', 'fields', 'properties', ...NONSENSE);

/** What stands around the records of a service, and what an object of it looks like. */
export const envelopeAxes = {
	list: {
		named: { name: word },
		bare: {},
		resource: { style: fc.constantFrom('camel', 'snake') },
		nested: { path: fc.uniqueArray(word, { minLength: 2, maxLength: 2 }) },
		nestedResource: { name: word, style: fc.constantFrom('camel', 'snake') },
		deep: { path: fc.uniqueArray(word, { minLength: 3, maxLength: 3 }) },
	},
	emptyList: {
		array: {},
		nullInPlace: {},
		nullBody: {},
		noContent: {},
		countOfZero: { name: fc.constantFrom('total', 'count', 'total_count') },
	},
	record: {
		bare: {},
		named: { name: word },
		resource: { style: fc.constantFrom('camel', 'snake') },
		nested: { path: fc.uniqueArray(word, { minLength: 2, maxLength: 2 }) },
		deep: { path: fc.uniqueArray(word, { minLength: 3, maxLength: 3 }) },
		arrayOfOne: { name: word },
	},
	/** What an object of the service is: its fields and its id in one, or one level apart. */
	object: {
		plain: {},
		wrapped: { name: fc.constantFrom('node', 'resource', ...NONSENSE) },
		wrappedBesideId: { name: fc.constantFrom('node', 'resource', ...NONSENSE) },
		fieldsBelowId: { name: between },
		idBelowFields: { name: fc.constantFrom('meta', 'identity', ...NONSENSE) },
	},
	/** What an object has beside the fields of the contract. */
	ownNoise: {
		none: {},
		times: {},
		owner: {},
		ownerWithUrl: {},
		links: {},
	},
	/** Ids of other things, in every envelope. */
	noiseIds: {
		none: {},
		request: {},
		workspace: {},
		person: {},
		list: {},
	},
	noiseArrays: {
		none: {},
		texts: {},
		included: {},
		filters: {},
		links: {},
		empty: {},
	},
	noiseValues: {
		none: {},
		times: {},
		verdict: {},
		quota: {},
		echo: {},
	},
	/** At which levels of an envelope the noise stands. */
	noiseLevels: { outermost: {}, every: {} },
	ids: { uuid: {}, prefixed: {}, number: {}, smallNumber: {}, digits: {} },
} as const;

type Service = DrawnOf<typeof envelopeAxes>;
type Json = Record<string, unknown>;

/** The resources, and what their lists and records are named after. */
const RESOURCES = {
	webhooks: {
		camel: 'webhooks',
		snake: 'webhook_endpoints',
		record: ['webhook', 'webhookEndpoint'],
	},
	apiKeys: { camel: 'apiKeys', snake: 'api_keys', record: ['api_key', 'apiKey'] },
	deliveries: { camel: 'deliveries', snake: 'delivery_attempts', record: ['delivery', 'attempt'] },
	eventTypes: { camel: 'eventTypes', snake: 'event_types', record: ['event_type', 'eventType'] },
} as const;
export type Resource = keyof typeof RESOURCES;

/** Where a list of a resource stands: the names from the outside in. */
export function listPath({ list }: Service, resource: Resource): string[] {
	switch (list.kind) {
		case 'bare':
			return [];
		case 'named':
			return [list.name];
		case 'resource':
			return [RESOURCES[resource][list.style]];
		case 'nestedResource':
			return [list.name, RESOURCES[resource][list.style]];
		default:
			return list.path;
	}
}

/** Whether the name of the list alone tells it from whatever stands beside it. */
export function isToldByName(service: Service, resource: Resource): boolean {
	const name = listPath(service, resource).at(-1) ?? '';
	return /esource$/.test(service.list.kind) || /^(data|items|results)$/.test(name);
}

/** Puts something under names, with noise beside it. */
function envelop(path: string[], inner: unknown, noise: Json, everyLevel: boolean): unknown {
	return path.reduceRight<unknown>((held, name, level) => {
		return { ...(level === 0 || everyLevel ? noise : {}), [name]: held };
	}, inner);
}

/** Puts the noise of a list around its entries, and what belongs to its paging. */
export function envelopList(
	service: Service,
	resource: Resource,
	entries: unknown,
	isEmpty: boolean,
	request: unknown,
): unknown {
	const isKnown = isToldByName(service, resource);
	const noise = {
		...idNoise(service, resource, `/v1/${resource}`, isKnown),
		...arrayNoise(service, resource, isKnown, isEmpty),
		...valueNoise(service, request),
	};
	return envelop(listPath(service, resource), entries, noise, service.noiseLevels.kind === 'every');
}

/** Puts a created or removed record into its envelope. */
export function envelopRecord(
	service: Service,
	resource: 'webhooks' | 'apiKeys',
	record: Json,
	request: unknown,
	beside: Json = {},
): unknown {
	const { record: place } = service;
	const noise: Json = {
		...idNoise(service, resource, '/v1/requests/77', true),
		...arrayNoise(service, resource, true, false),
		...valueNoise(service, request),
	};
	if (place.kind === 'bare') {
		delete noise.id;
		delete noise.url;
		return { ...noise, ...record, ...beside };
	}
	const everyLevel = service.noiseLevels.kind === 'every';
	const path =
		place.kind === 'named' || place.kind === 'arrayOfOne'
			? [place.name]
			: place.kind === 'resource'
				? [RESOURCES[resource].record[place.style === 'camel' ? 1 : 0]]
				: place.path;
	const name = path.at(-1)!;
	const held = {
		...(path.length === 1 || everyLevel ? noise : {}),
		...beside,
		[name]: place.kind === 'arrayOfOne' ? [record] : record,
	};
	return envelop(path.slice(0, -1), held, noise, everyLevel);
}

/** Shapes an object of the service: its id, the fields of the contract, and its noise. */
export function shape(service: Service, id: unknown, fields: Json, seed: number): Json {
	const { object } = service;
	const noise = ownNoiseOf(service, seed);
	switch (object.kind) {
		case 'plain':
			return { id, ...fields, ...noise };
		case 'wrapped':
			return { cursor: `c${seed}`, [object.name]: { id, ...fields, ...noise } };
		case 'wrappedBesideId':
			return { id: `edge_${seed}`, [object.name]: { id, ...fields, ...noise } };
		case 'fieldsBelowId':
			return { id, type: 'resource', [object.name]: fields, ...noise };
		case 'idBelowFields':
			return { ...fields, [object.name]: { id, version: 1 }, ...noise };
	}
}

/** Gives the id of the n-th object of a kind, in the service's way. */
export function idOf({ ids }: Service, prefix: string, n: number): string | number {
	const digits = 1000 + n * 7;
	switch (ids.kind) {
		case 'uuid': {
			const group = Buffer.from(prefix).toString('hex').padEnd(12, '0').slice(0, 12);
			return `${digits.toString(16).padStart(8, '0')}-9c1f-4d2a-8b7e-${group}`;
		}
		case 'prefixed':
			return `${prefix}_${digits.toString(36)}`;
		case 'number':
			return digits;
		case 'smallNumber':
			return n + 1;
		case 'digits':
			return String(digits);
	}
}

function ownNoiseOf({ ownNoise }: Service, seed: number): Json {
	switch (ownNoise.kind) {
		case 'none':
			return {};
		case 'times':
			return { created_at: '2026-01-02T03:04:05Z', updatedAt: 1767323045, version: seed };
		case 'owner':
			return { owner: { id: `usr_${seed}`, name: 'Ann' }, workspace_id: 'ws_1' };
		case 'ownerWithUrl':
			return { owner: { id: `usr_${seed}`, name: 'Ann', url: 'https://api.example.com/users/1' } };
		case 'links':
			return { links: { self: '/v1/things/1' }, tags: [], labels: { team: 'crm' } };
	}
}

function idNoise({ noiseIds }: Service, resource: Resource, url: string, isKnown: boolean): Json {
	switch (noiseIds.kind) {
		case 'none':
			return {};
		case 'request':
			return { id: 'req_77', request_id: 'req_77' };
		case 'workspace':
			return {
				workspace: { id: 'ws_1', name: 'Acme', url: 'https://acme.example.com', key: 'ACME' },
			};
		case 'person':
			// Their scopes are texts, as a catalog may be.
			return { requested_by: { id: 'usr_1', name: 'Ann', ...(isKnown && { scopes: ['admin'] }) } };
		case 'list':
			return { object: resource, id: 'lst_1', url };
	}
}

function arrayNoise(
	{ noiseArrays, emptyList }: Service,
	resource: Resource,
	isKnown: boolean,
	isEmpty: boolean,
): Json {
	// Which of two is the list, nobody could know.
	const hasOwnFields = resource === 'webhooks' || resource === 'apiKeys';
	if (noiseArrays.kind === 'empty') return { errors: [], warnings: [] };
	const isOnlyCounted = isEmpty && emptyList.kind === 'countOfZero';
	if (isOnlyCounted || (!isKnown && (isEmpty || !hasOwnFields))) return {};
	switch (noiseArrays.kind) {
		case 'none':
			return {};
		case 'texts':
			return { warnings: ['This version is supported until 2031', 'Ask for less'] };
		case 'included':
			return {
				included: [
					{ id: 'usr_1', type: 'user' },
					{ id: 'usr_2', type: 'user' },
				],
			};
		case 'filters':
			return { filters: [{ field: 'status', value: 'any' }], columns: ['id', 'name'] };
		case 'links':
			return { links: [{ rel: 'self', href: '/v1/here' }] };
	}
}

function valueNoise({ noiseValues }: Service, request: unknown): Json {
	switch (noiseValues.kind) {
		case 'none':
			return {};
		case 'times':
			return { timestamp: 1767323045, took_ms: 12, server_time: '2026-01-02T03:04:05Z' };
		case 'verdict':
			return { ok: true, success: true, error: null, code: 0, message: 'OK', status: 'success' };
		case 'quota':
			return { rate_limit: { limit: 100, remaining: 97 }, plan: { max_endpoints: 50 } };
		case 'echo':
			return { request: { method: 'ANY', body: request ?? null } };
	}
}
