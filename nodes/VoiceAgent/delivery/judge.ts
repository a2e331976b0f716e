import { isObject } from '../transport/fields';
import { placesOf, placesOfHeaders } from '../eventTypes/places';
import { isEvent, typeReader, type TypeReader } from '../eventTypes/reader';
import { readEvents } from './batch';
import { isOfCall } from './call';
import { toReceived, type ReceivedEvent } from './item';
import { isSigned, type Headers, type Verification } from './signatures';

/** A delivery whose token is right. */
export interface Delivery {
	headers: Headers;
	query: Record<string, unknown>;
	/** The bytes that were signed. */
	rawBody: Buffer;
	/** The body as n8n parsed it. */
	body: unknown;
}

/** The state of the node when a delivery comes in. */
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

/** The parameters of the trigger that decide about a delivery. */
export interface Wanted {
	/** The selected event types, some perhaps twice; empty means every event type. */
	events: string[];
	verification: Verification;
	/** Add to each event the details of its call. */
	callDetails: boolean;
	deliveryDetails: boolean;
}

/** What to do with a delivery. */
export type Verdict =
	/** Its signature is wrong. */
	| { kind: 'stranger' }
	/** It holds only event types that were not selected, or is a probe. */
	| { kind: 'ignored' }
	/** The service requires this text in the answer before it delivers anything. */
	| { kind: 'challenge'; challenge: string; isPlainText: boolean }
	| { kind: 'accepted'; events: ReceivedEvent[] };

/** Query parameters of challenges: of WebSub, and of Microsoft Graph. */
const CHALLENGES_IN_QUERY = ['hub.challenge', 'validationToken'];

/**
 * Judges a delivery whose token is right. Pure, and never throws.
 *
 * Each event starts the workflow, also one of an unknown type, with two exceptions: a type of the
 * catalog that was not selected, and a probe. In manual mode these start the test run, too.
 */
export function judge(delivery: Delivery, known: Known, wanted: Wanted): Verdict {
	const { headers, rawBody, body } = delivery;
	const types = typeReader(wanted.events, known.catalog ?? []);
	// Before the signature: the endpoint's secret is not known while it is created.
	const challenge = challengeOf(delivery, types);
	if (challenge) return challenge;
	if (!isSigned(wanted.verification, known.secrets, headers, rawBody, known.now)) {
		return { kind: 'stranger' };
	}
	const entries = readEvents(body, headers, types);
	const events = entries.filter(
		({ type: { kind }, json }) =>
			known.manual || !(kind === 'notSelected' || (kind === 'test' && !isOfCall(json))),
	);
	if (events.length === 0) return { kind: 'ignored' };
	return {
		kind: 'accepted',
		events: events.map((event) => toReceived(event, headers, wanted, entries.length > 1)),
	};
}

/** Reads the challenge of a delivery that holds no event and no call. */
function challengeOf(
	{ query, headers, body }: Delivery,
	types: TypeReader,
): Extract<Verdict, { kind: 'challenge' }> | undefined {
	const fields = isObject(body) ? body : {};
	const inQuery = CHALLENGES_IN_QUERY.map((name) => query[name]).find(Boolean);
	const challenge = inQuery ?? fields.challenge;
	if (typeof challenge !== 'string' || challenge === '') return undefined;
	const type = types.read([...placesOfHeaders(headers, body), ...placesOf(fields)]);
	if (isEvent(type) || isOfCall(body)) return undefined;
	return { kind: 'challenge', challenge, isPlainText: inQuery !== undefined };
}
