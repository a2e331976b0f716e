import type { IDataObject } from 'n8n-workflow';

import { isBesideFor } from './callDetails/best';
import { readCall, type Direction } from './callDetails/calls';
import type { Name } from './callDetails/names';
import { isEnd } from './callDetails/parties';
import { readPeople, type PersonState } from './callDetails/people';
import { readAddress } from './callDetails/phoneNumbers';
import { readRecords, type Records } from './callDetails/records';
import { saysOneOf } from '../reading/words';

/** What an event tells of a call, in fields that don't depend on the service; null for what it does not tell. */
export interface CallDetails extends IDataObject {
	/**
	 * `found`: a phone number or an e-mail is there; `withheld`: the event shows that the number was
	 * held back; `web`: it says that it was no phone call; `unknown`: nobody can be told.
	 */
	person: PersonState;
	/** The call's own id. */
	id: string | null;
	direction: Direction | null;
	/** The person, never our own side. Numbers are E.164 where that is told, else digits as written. */
	customer: { phone: string | null; name: string | null; email: string | null };
	/** Our side. */
	agent: { id: string | null; name: string | null; phone: string | null };
	/** ISO 8601 in UTC, as the event tells it. */
	startedAt: string | null;
	endedAt: string | null;
	/** Of the whole call. */
	durationSeconds: number | null;
	/** The disposition, else the reason of the end, else the status. */
	outcome: string | null;
	summary: string | null;
	/** The spoken turns as text. */
	transcript: string | null;
	recordingUrl: string | null;
}

/** The field that call details are added as. */
export const CALL_DETAILS = 'callDetails';

/** Reads what an event tells of a call, by the meaning of its names. Pure, and never throws. */
export function readCallDetails(event: IDataObject): CallDetails {
	const records = readRecords(event);
	if (!isOfCall(records))
		return { ...NOTHING, customer: { ...NOTHING.customer }, agent: { ...NOTHING.agent } };
	const call = readCall(records);
	const { person, customer, agent } = readPeople(records, call);
	return {
		person,
		id: call.id,
		direction: call.direction,
		customer,
		agent,
		startedAt: isoOf(call.startedAt),
		endedAt: isoOf(call.endedAt),
		durationSeconds: call.durationSeconds,
		outcome: call.outcome,
		summary: call.summary,
		transcript: call.transcript,
		recordingUrl: call.recordingUrl,
	};
}

/**
 * Puts an event's call details first in its item. An event with a field of that name keeps it, and
 * ours goes under a name that is free.
 *
 * @returns the item, and the name of the field that was added
 */
export function withCallDetails(json: IDataObject): { json: IDataObject; field: string } {
	let field: string = CALL_DETAILS;
	for (let count = 1; field in json; count++) field = `${CALL_DETAILS}_${count}`;
	return { json: { [field]: readCallDetails(json), ...json }, field };
}

const NOTHING: CallDetails = {
	person: 'unknown',
	id: null,
	direction: null,
	customer: { phone: null, name: null, email: null },
	agent: { id: null, name: null, phone: null },
	startedAt: null,
	endedAt: null,
	durationSeconds: null,
	outcome: null,
	summary: null,
	transcript: null,
	recordingUrl: null,
};

const OF_CALLS = new Set([
	'call',
	'calling',
	'conversation',
	'chat',
	'voicemail',
	'phone',
	'interaction',
	'session',
	'voice',
]);
const OF_OTHERS = new Set(['sms', 'mms', 'fax', 'email', 'message']);

/** Topics that only a call has. */
const CALL_TOPICS = [
	'direction',
	'start',
	'end',
	'duration',
	'id',
	'outcome',
	'transcript',
	'recording',
] as const;

/** Tells whether an event is about a call at all. */
function isOfCall({ topics, parties }: Records): boolean {
	const isKind = (set: Set<string>) => topics.kind.some(({ value }) => saysOneOf(value, set));
	if (isKind(OF_OTHERS) && !isKind(OF_CALLS)) return false;
	const isOfTopic = CALL_TOPICS.some((topic) =>
		topics[topic].some((field) => !isBesideFor(topic, field) && isOnlyOfCalls(field.name, topic)),
	);
	return (
		isOfTopic ||
		isKind(OF_CALLS) ||
		parties.some(({ name, value }) => isEnd(name.side) && readAddress(value)?.kind === 'number')
	);
}

/** Anything may have an id, a status, a message or an address. */
function isOnlyOfCalls({ topics, words }: Name, topic: (typeof CALL_TOPICS)[number]): boolean {
	const score = topics[topic] ?? 0;
	if (topic === 'id') return words.length > 1;
	if (topic === 'outcome') return score >= 20;
	return (topic !== 'transcript' && topic !== 'recording') || score >= 5;
}

function isoOf(instant: number | null): string | null {
	return instant === null ? null : new Date(instant).toISOString();
}
