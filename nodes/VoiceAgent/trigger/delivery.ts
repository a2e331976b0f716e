import type { IDataObject } from 'n8n-workflow';

import { withCallDetails, type ReadingOptions } from '../callDetails/callDetails';
import { isObject } from '../transport/fields';
import { textsOf, textsOfHeaders } from './eventTexts';
import type { Settings } from './settings';
import { isSigned, type Headers } from './signatures';
import { typeTeller, type Telling } from './telling';

/** A delivery as it came in, whose token was found right. */
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
	/** The names that the service's catalog had at the publish; undefined while they are not known. */
	catalog?: string[];
	/** The signing secrets that the service may use. */
	secrets: string[];
	/** True while someone waits in the editor for a test event. */
	manual: boolean;
	/** Seconds since the epoch. */
	now: number;
}

/** What to do with a delivery. */
export type Verdict =
	/** Nobody who knows the signing secret sent it. */
	| { kind: 'stranger' }
	/** It came from the service, and holds nothing that was chosen. */
	| { kind: 'ignored' }
	/** The service wants to see this text in the answer before it delivers anything. */
	| { kind: 'challenge'; challenge: string }
	| { kind: 'accepted'; events: ReceivedEvent[] };

/** An event of a delivery: its type, where that can be told, and the item that it becomes. */
export interface ReceivedEvent {
	/** As the user chose it or the catalog spells it, where it means one of these. */
	type?: string;
	json: IDataObject;
	/** The field that its call details were added as. */
	callDetailsField?: string;
}

/** Where the sender's own id of a delivery may stand. */
const ID_HEADER = /^(webhook|svix|ce)-id$|(delivery|event|message)-id$|-delivery$/;

/** Headers of proxies and clients, which say nothing of the event, and those that hold secrets. */
const PRIVATE_HEADERS =
	/auth|cookie|signature|secret|token|password|credential|session|jwt|(api|access)-?key|forwarded|^x-real-ip|(client|connecting)-ip|original-ur[il]|referer/;

/** So many entries of a list show whether it is a batch of events. */
const ENTRIES_SEEN = 20;

/** An event of a body, with what is told of its type. */
type Entry = Telling & { json: IDataObject };

type TellType = ReturnType<typeof typeTeller>;

/**
 * Judges a delivery whose token is right: whether it is signed as it should be, and whether it holds
 * what was chosen. Pure, and never throws.
 *
 * Only two things are ignored: event types of the catalog that were not chosen, and probes. What
 * can't be told runs, for nobody would see that an event was dropped. In manual mode all but a
 * challenge starts the test run.
 */
export function judge(delivery: Delivery, known: Known, settings: Settings): Verdict {
	const entries = readEntries(delivery, typeTeller(settings.events, known.catalog ?? []));
	// Before the signature: while an endpoint is created, its secret is not known yet.
	const challenge = entries.some(
		(entry) => isTold(entry) || (entry.kind === 'unknown' && !known.catalog),
	)
		? undefined
		: (challengeIn(delivery.query) ?? challengeIn(delivery.body));
	if (challenge !== undefined) return { kind: 'challenge', challenge };

	const { headers, rawBody } = delivery;
	if (!isSigned(settings.verification, known.secrets, headers, rawBody, known.now)) {
		return { kind: 'stranger' };
	}
	const events = entries
		.filter(({ kind }) => known.manual || (kind !== 'notChosen' && kind !== 'probe'))
		.map(({ type, json }) => ({ type, json }));
	if (events.length === 0) return { kind: 'ignored' };
	const added = settings.callDetails
		? events.map((event) => addCallDetails(event, settings.reading))
		: events;
	return {
		kind: 'accepted',
		events: settings.deliveryDetails
			? added.map((event) => withDetails(event, headers, entries.length > 1))
			: added,
	};
}

/** Reads the events of a body: itself, or the entries of an array or of a batch. */
function readEntries({ body, headers }: Delivery, tell: TellType): Entry[] {
	const inHeaders = textsOfHeaders(headers);
	const read = (json: IDataObject): Entry => {
		const texts = textsOf(json);
		// A header stands as near as the body's own top.
		const top = texts.filter(({ depth }) => depth === 0);
		return { json, ...tell([...top, ...inHeaders, ...texts.slice(top.length)]) };
	};
	const readEach = (batch: unknown[]): Entry[] =>
		batch.map((value) => {
			const json = isObject(value) ? value : { body: value as IDataObject[string] };
			const telling = tell(textsOf(json));
			// The header is one for all, so it counts where an entry does not tell by itself.
			return isTold(telling) ? { json, ...telling } : read(json);
		});
	if (Array.isArray(body)) return readEach(body);
	if (body === undefined || body === null) return [read({})];
	if (!isObject(body)) return [read({ body: body as IDataObject[string] })];
	const whole = read(body);
	const batch = whole.kind === 'untold' ? batchIn(body, tell) : undefined;
	return batch ? readEach(batch) : [whole];
}

/** Finds the batch that a body is, where the body itself tells no type: its list of events. */
function batchIn(body: IDataObject, tell: TellType): unknown[] | undefined {
	const values = Object.values(body);
	if (values.length === 1 && Array.isArray(values[0]) && values[0].length === 0) return [];
	for (const place of [body, ...values.filter(isObject)]) {
		for (const [name, list] of Object.entries(place)) {
			if (Array.isArray(list) && isBatch(name, list, place, tell)) return list;
		}
	}
	return undefined;
}

/** A list is a batch if its entries are known events, or tell types, are called events and stand alone. */
function isBatch(name: string, list: unknown[], place: IDataObject, tell: TellType): boolean {
	const seen = list.slice(0, ENTRIES_SEEN);
	if (seen.length === 0 || !seen.every(isObject)) return false;
	const tellings = seen.map((entry) => tell(textsOf(entry)));
	if (tellings.some(isTold)) return true;
	const standsAlone = Object.values(place).every(
		(value) => value === list || typeof value !== 'object' || value === null,
	);
	return /event/i.test(name) && standsAlone && tellings.every(({ kind }) => kind !== 'untold');
}

/** Tells whether the type of an event is one of the names that are known. */
function isTold({ kind }: Telling): boolean {
	return kind === 'chosen' || kind === 'notChosen';
}

/** Finds the text that the service wants to see in the answer: near the top, also `hub.challenge`. */
function challengeIn(value: unknown, depth = 0): string | undefined {
	if (!isObject(value) || depth > 1) return undefined;
	const entries = Object.entries(value);
	const found = entries.find(
		([name, text]) => /challenge$/i.test(name) && typeof text === 'string' && text !== '',
	);
	if (found) return found[1] as string;
	for (const [, nested] of entries) {
		const challenge = challengeIn(nested, depth + 1);
		if (challenge !== undefined) return challenge;
	}
	return undefined;
}

function addCallDetails(event: ReceivedEvent, reading: ReadingOptions): ReceivedEvent {
	const { json, field } = withCallDetails(event.json, reading);
	return { ...event, json, callDetailsField: field };
}

function withDetails(
	received: ReceivedEvent,
	headers: Headers,
	isOneOfSeveral: boolean,
): ReceivedEvent {
	const { type, json } = received;
	const { id, delivery_id, deliveryId, event_id, eventId, event } = json;
	const nested = isObject(event) ? event.id : undefined;
	const own = [id, nested, delivery_id, deliveryId, event_id, eventId];
	const inHeaders = Object.keys(headers)
		.filter((name) => ID_HEADER.test(name))
		.map((name) => headers[name]);
	// The header's is one for all the events of a body.
	const ids = isOneOfSeveral ? [...own, ...inHeaders] : [...inHeaders, ...own];
	const shown = Object.entries(headers).filter(([name]) => !PRIVATE_HEADERS.test(name));
	return {
		...received,
		json: {
			...json,
			delivery: {
				id: ids.find(isId) ?? null,
				eventType: type ?? null,
				receivedAt: new Date().toISOString(),
				headers: Object.fromEntries(shown) as IDataObject,
			},
		},
	};
}

function isId(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
