import type { IDataObject } from 'n8n-workflow';

import { asToken, maskTokens, TOKEN_PARAMETER } from '../transport/callbackUrl';
import { isObject } from '../transport/read';
import type { Settings } from './settings';
import { isEqual, isSigned, type Headers } from './signatures';

/** A delivery as it came in. */
export interface Delivery {
	headers: Headers;
	query: Record<string, unknown>;
	/** The bytes that were signed. */
	rawBody: Buffer;
	/** The body as n8n parsed it. */
	body: unknown;
}

/** What the node knows when a delivery comes in. */
export interface Known {
	/** The stored callback token; undefined while n8n has stored none. */
	token?: string;
	/** The signing secrets that the service may use. */
	secrets: string[];
	/** True while someone waits in the editor for a test event. */
	manual: boolean;
	/** Seconds since the epoch. */
	now: number;
}

/** What to do with a delivery. */
export type Verdict =
	/** Nobody who knows the secrets sent it. */
	| { kind: 'stranger' }
	/** It has a token that may be right, but is not the stored one: the service's list can tell. */
	| { kind: 'unknownToken'; token: string }
	/** It came from the service, and holds nothing that was chosen. */
	| { kind: 'ignored' }
	| { kind: 'accepted'; events: ReceivedEvent[] };

/** An event of a delivery: its type, where that can be told, and the item that it becomes. */
export interface ReceivedEvent {
	type?: string;
	json: IDataObject;
}

/** Where the type stands in an event, since the contract does not show it (section 6). */
const TYPE_KEYS = ['type', 'event', 'event_type', 'eventType', 'topic'];
const HINT_KEYS = ['name', 'event_name', 'eventName', 'action'];
const TYPE_HEADERS = ['x-event-type', 'x-webhook-event', 'x-event', 'webhook-event', 'x-topic'];
const ID_HEADERS = ['webhook-id', 'x-delivery-id', 'x-event-id'];

/** Types of requests that only try whether the endpoint answers. */
const PROBES = ['ping', 'test', 'sample', 'verification', 'challenge'];

/** Headers of proxies and clients, which say nothing of the event, and those that hold secrets. */
const PRIVATE_HEADERS =
	/authorization|cookie|signature|secret|token|api-?key|^x-forwarded|^x-real-ip/;

/**
 * Judges a delivery: who sent it, and whether the workflow asked for it. Pure, and never throws.
 */
export function judge(delivery: Delivery, known: Known, settings: Settings): Verdict {
	const sent = asToken(delivery.query[TOKEN_PARAMETER]);
	// The URL of a test lives for two minutes and starts only the run in front of the user; n8n
	// stores what `create` wrote to it too late for a sample that comes at once.
	const isFirstTestEvent = known.manual && known.token === undefined;
	if (!isFirstTestEvent) {
		if (sent === undefined) return { kind: 'stranger' };
		if (known.token === undefined || !isEqual(sent, known.token)) {
			return { kind: 'unknownToken', token: sent };
		}
		const { headers, rawBody } = delivery;
		if (!isSigned(settings.verification, known.secrets, headers, rawBody, known.now)) {
			return { kind: 'stranger' };
		}
	}
	const events = readEvents(delivery, settings.events).filter(
		({ type }) => known.manual || isWanted(settings.events, type),
	);
	if (events.length === 0) return { kind: 'ignored' };
	return {
		kind: 'accepted',
		events: settings.deliveryDetails ? events.map((event) => withDetails(event, delivery)) : events,
	};
}

/** A delivery whose type can't be told is passed on, for losing it would be worse. */
function isWanted(chosen: string[], type: string | undefined): boolean {
	if (chosen.length === 0 || type === undefined || chosen.includes(type)) return true;
	// Of names without parts, such as `ended`, each may be an event's.
	const isTelling =
		hasParts(type) || PROBES.includes(type.toLowerCase()) || !chosen.every(hasParts);
	return !isTelling;
}

function readEvents({ body, headers }: Delivery, chosen: string[]): ReceivedEvent[] {
	const bodies: unknown[] = Array.isArray(body) ? body : [body ?? {}];
	return bodies.map((entry) => {
		const json = isObject(entry) ? entry : { body: entry as IDataObject[string] };
		const types = typesOf(json, headers);
		// Beside the event's type there may be one of something else, such as of the call.
		const type =
			chosenAmong(types, chosen) ??
			types.find(hasParts) ??
			chosenAmong(hintsOf(json), chosen) ??
			types[0];
		return { type, json };
	});
}

function typesOf(json: IDataObject, headers: Headers): string[] {
	const nested = isObject(json.event) ? json.event.type : undefined;
	return texts([
		...TYPE_KEYS.map((key) => json[key]),
		nested,
		...TYPE_HEADERS.map((name) => headers[name]),
	]);
}

/** What may be the event's type, or something else: it only counts where nothing better tells it. */
function hintsOf(json: IDataObject): string[] {
	const { data } = json;
	return texts([
		...HINT_KEYS.map((key) => json[key]),
		...(isObject(data) ? TYPE_KEYS.map((key) => data[key]) : []),
	]);
}

/** Finds a chosen type, also in capitals or as CloudEvents has it: `com.example.call.completed`. */
function chosenAmong(types: string[], chosen: string[]): string | undefined {
	const exact = types.find((type) => chosen.includes(type));
	return exact ?? chosen.find((name) => types.some((type) => isVariant(type, name)));
}

function isVariant(type: string, name: string): boolean {
	const [given, wanted] = [type.toLowerCase(), name.toLowerCase()];
	return given.endsWith(wanted) && /^([\w-]+\.){2,}$|^$/.test(given.slice(0, -wanted.length));
}

/** Tells whether a type says what happened: `event` or `notification` say nothing, `call.started` does. */
function hasParts(type: string): boolean {
	return /[._:/-]/.test(type);
}

function withDetails({ type, json }: ReceivedEvent, { body, headers }: Delivery): ReceivedEvent {
	const { id, delivery_id, deliveryId, event } = json;
	const own = [id, isObject(event) ? event.id : undefined, delivery_id, deliveryId];
	const inHeaders = ID_HEADERS.map((name) => headers[name]);
	// The header's is one for all the events of a body.
	const ids =
		Array.isArray(body) && body.length > 1 ? [...own, ...inHeaders] : [...inHeaders, ...own];
	const shown = Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.test(name));
	return {
		type,
		json: {
			...json,
			delivery: {
				id: ids.find(isId) ?? null,
				eventType: type ?? null,
				receivedAt: new Date().toISOString(),
				headers: maskTokens(Object.fromEntries(shown)),
			},
		},
	};
}

function isId(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

function texts(values: unknown[]): string[] {
	return values.filter((value): value is string => typeof value === 'string' && value !== '');
}
