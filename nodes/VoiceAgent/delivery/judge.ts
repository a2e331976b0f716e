import { isObject } from '../matcher/fields';
import { isEvent, typeReader } from '../eventTypes/reader';
import { readEvents } from './batch';
import { isOfCall } from './call';
import { toReceived, type ItemOptions, type ReceivedEvent } from './item';
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
export interface Wanted extends ItemOptions {
	/** The selected event types; empty means every event type. */
	events: string[];
	verification: Verification;
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
	const entries = readEvents(body, headers, types);
	// Before the signature: the endpoint's secret is not known while it is created.
	const challenge = challengeOf(delivery);
	if (challenge && !entries.some(({ type, json }) => isEvent(type) || isOfCall(json))) {
		return challenge;
	}
	if (!isSigned(wanted.verification, known.secrets, headers, rawBody, known.now)) {
		return { kind: 'stranger' };
	}
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

/** Reads the text of a challenge: a parameter of the query, or the body's own `challenge`. */
function challengeOf({ query, body }: Delivery): Verdict | undefined {
	const inQuery = CHALLENGES_IN_QUERY.map((name) => query[name]).find(Boolean);
	const challenge = inQuery ?? (isObject(body) ? body.challenge : undefined);
	return typeof challenge === 'string' && challenge !== ''
		? { kind: 'challenge', challenge, isPlainText: inQuery !== undefined }
		: undefined;
}
