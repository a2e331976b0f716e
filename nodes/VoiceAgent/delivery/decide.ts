import type { IDataObject } from 'n8n-workflow';

import { isInHeader, isSigned } from '../auth/signatures';
import { addColumns } from '../callDetails/writing';
import { isAboutCall, readEvents, type Entry } from './batch';
import { toReceived, type ReceivedEvent } from './item';
import { readBodyIds } from '../events/identity';
import { isEveryType } from '../events/names';
import { type Headers, idsIn, shownHeaders } from '../events/places';
import { isEvent, isKnownType, typeReader, type TypeReader } from '../events/reader';
import type { LoggedEvent } from '../log/missed';
import { freeName, isObject } from '../text/json';
import type { Unmet } from '../trigger/callFilter';
import type { DeliverySettings } from '../trigger/settings';

/** A delivery whose sender is identified, or one that was read from the log. */
export interface Delivery {
	headers: Headers;
	/** The signed bytes. */
	rawBody: Buffer;
	/** The parsed JSON or form, else the text; undefined for an empty body. */
	body: unknown;
}

/** What is known of the trigger and of the moment when a delivery comes, beside the settings. */
export interface TriggerFacts {
	/** The catalog at the time of publishing; undefined if it could not be read. */
	catalog?: string[];
	/** The secrets that may have signed the delivery. */
	signingSecrets: string[];
	/** The secret that a delivery to a pasted webhook must carry; undefined if its URL is the secret. */
	pastedSecret?: string;
	/** The IDs of the node's endpoints, which services may send in a header. */
	endpointIds: string[];
	/** True while the editor waits for a test event. */
	manual: boolean;
	/** Milliseconds since the epoch. */
	now: number;
	/** Of an event that was read from the service's log: what delivery details say of its arrival. */
	arrival?: IDataObject;
}

/** What becomes of a delivery. */
export type Decision =
	/** The signature is missing, or no secret fits it. */
	| { kind: 'unverified' }
	/** A probe, or a delivery whose event types are not selected or whose calls the filter excludes. */
	| { kind: 'ignored'; type?: string; unmet?: Unmet }
	/** The service requires this text in the answer before it delivers events. */
	| { kind: 'challenge'; challenge: string }
	| { kind: 'accepted'; events: ReceivedEvent[] };

/** The most bytes of a body with a challenge, which is read before its signature is verified. */
const LONGEST_CHALLENGE = 10_000;

/**
 * Decides what becomes of a delivery. Pure, but for what `isSigned` remembers.
 *
 * Each event starts the workflow, also an event of unknown type, with these exceptions: a type of the catalog that
 * was not selected, at a pasted webhook also any other name that was not written down; a probe; and a call that the
 * filter excludes. In manual mode, these start the test execution, too.
 */
export function decide(
	delivery: Delivery,
	facts: TriggerFacts,
	settings: DeliverySettings,
): Decision {
	const { headers, body } = delivery;
	const readType = typeReader(settings.events, facts.catalog ?? []);
	// Before the signature: the endpoint's secret is unknown while the endpoint is created.
	const challenge = challengeOf(delivery, readType);
	if (challenge) return challenge;
	// Before the body is read, because anyone with the callback token can send a long one.
	if (!isVerified(delivery, facts, settings)) return { kind: 'unverified' };
	const entries = readEvents(body, headers, readType);
	// All events of a batch share the headers.
	const ids = entries.length > 1 ? [] : idsIn(headers, facts.endpointIds);
	const read = entries
		.filter((entry) => mayStartWorkflow(entry, facts, settings))
		.map((entry) => toReceived(entry, settings, ids));
	const started = read.filter(({ unmet }) => facts.manual || unmet === undefined);
	if (started.length === 0) {
		return { kind: 'ignored', type: entries[0]?.type.name, unmet: read[0]?.unmet };
	}
	const events = settings.deliveryDetails
		? started.map(deliveryAdder(headers, facts, entries.length > 1, settings.output === 'row'))
		: started;
	return { kind: 'accepted', events };
}

/**
 * Makes a function that puts the field `delivery` behind an event. If the event has a field `delivery`, it
 * keeps the field, and the added one is `delivery_1`. In a row, its values are columns: `delivery_id`.
 */
function deliveryAdder(headers: Headers, facts: TriggerFacts, isBatch: boolean, isRow: boolean) {
	const { now, endpointIds } = facts;
	const arrival = facts.arrival ?? {
		receivedAt: new Date(now).toISOString(),
		headers: shownHeaders(headers),
	};
	const inHeaders = idsIn(headers, endpointIds);
	return ({ json, ...event }: ReceivedEvent): ReceivedEvent => {
		const { sure, bare = [] } = readBodyIds(event.sent);
		const inBody = [bare, ...sure].flat();
		// All events of a batch share the headers.
		const [id = null] = isBatch ? [...inBody, ...inHeaders] : [...inHeaders, ...inBody];
		const delivery = { id, eventType: event.type ?? null, ...arrival };
		if (isRow) return { ...event, json: addColumns(json, 'delivery', delivery) };
		return { ...event, json: { ...json, [freeName('delivery', json)]: delivery } };
	};
}

/** Tests the signature or the secret in a header, if one is required. */
function isVerified(
	{ headers, rawBody }: Delivery,
	{ signingSecrets, pastedSecret, now }: TriggerFacts,
	{ verifySignature }: DeliverySettings,
): boolean {
	if (pastedSecret === undefined) {
		return !verifySignature || isSigned(signingSecrets, headers, rawBody, now);
	}
	return isInHeader(pastedSecret, headers) || isSigned([pastedSecret], headers, rawBody, now);
}

/** Tests the event type: neither unselected nor that of a probe. In manual mode, only names of a pasted webhook count. */
function mayStartWorkflow(
	{ type: { kind, isStated }, json }: Entry,
	{ manual }: TriggerFacts,
	{ isPasted, events }: DeliverySettings,
): boolean {
	// The names of a pasted webhook are the service's own, so any other name is not selected.
	if (isPasted && isStated && !isEveryType(events)) return false;
	return manual || !(kind === 'notSelected' || (kind === 'test' && !isAboutCall(json)));
}

/** Reads the text of a challenge from the field `challenge` of a body without an event. */
function challengeOf(delivery: Delivery, readType: TypeReader): Decision | undefined {
	const { headers, rawBody, body } = delivery;
	const challenge = isObject(body) ? body.challenge : undefined;
	if (typeof challenge !== 'string' || challenge === '') return undefined;
	if (rawBody.length > LONGEST_CHALLENGE) return undefined;
	const entries = readEvents(body, headers, readType);
	if (entries.some(({ type, json }) => isEvent(type) || isAboutCall(json))) return undefined;
	return { kind: 'challenge', challenge };
}

/**
 * Decides on an event of the log: the same events as in a delivery start the workflow, with the same items.
 *
 * @param catalog at the time of publishing
 * @returns the events of its delivery that start the workflow; none if the log does not hold the event
 */
export function decideLogged(
	logged: LoggedEvent,
	settings: DeliverySettings,
	catalog: string[],
): ReceivedEvent[] {
	const { details, identity, isMissed, reason, attempts, lastAttemptAt } = logged;
	const { event } = details;
	if (event === null) return [];
	const { ids, type } = identity;
	const entries = readEvents(event, {}, typeReader(settings.events, catalog));
	// The type that the log states may come from a header. Beside those of the body, it would make a batch one event.
	const isTyped = type === null || entries.some((one) => isKnownType(one.type));
	const headers = { 'event-id': ids[0] ?? '', ...(!isTyped && { 'event-type': type }) };
	const delivery = { headers, rawBody: Buffer.alloc(0), body: event };
	const arrival = isMissed
		? { receivedAt: null, headers: {}, missed: { reason, attempts, lastAttemptAt } }
		: { receivedAt: lastAttemptAt, headers: {} };
	const facts = { catalog, signingSecrets: [], endpointIds: [], manual: false, now: 0, arrival };
	const decision = decide(delivery, facts, { ...settings, verifySignature: false });
	return decision.kind === 'accepted' ? decision.events : [];
}
