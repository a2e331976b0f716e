/*
 * Words in the names of a call's fields, and names that help to read its details. The names of the details
 * are in details.ts. All are in lower case and in the singular.
 */
import type { TopicNames } from '../../text/topics';
import {
	splitList,
	PLAIN_TYPE_NAMES,
	TYPE_NAMES,
	groupsOf,
	setOf,
	ENVELOPES,
} from '../../text/words';

/** Words beside the names of details. */
export const CALL = 'call, phone, conversation, interaction';
/** How a call ends. */
const ENDINGS = splitList(`
	end, ended, ending, hangup, hang up, disconnect, disconnected, disconnection, termination,
	terminated, failure, finish, finished
`);
/** The names of a field for how a call ended. `reason` → `end reason`, `hangup reason`, … */
export const endNames = (field: string) => ENDINGS.map((end) => `${end} ${field}`).join();

export const OTHER_TOPICS = {
	/** The call that this one is a leg of. */
	parent: {
		sure: `
			parent call, parent call id, parent call sid, parent call uuid, parent id, orig call id,
			original call id, transferred from call id, linked call id, root call id,
			linked id, master call id, parent leg id
		`,
		beside: 'the',
	},
	medium: {
		sure: 'type, kind, channel, medium, transport, mode',
		lessSure: 'initiation method, initiation source',
		beside: 'call, conversation, session, communication, interaction',
	},
	event: {
		sure: `${TYPE_NAMES}, ${PLAIN_TYPE_NAMES}, detail type`,
		beside: 'webhook',
	},
	/** A flag of events that are tests. */
	test: {
		sure: 'test, sample',
		beside: 'is, event, call, mode, delivery, webhook',
	},
	/** An outcome where there is no other. */
	status: {
		ranked: 'result, reason, cause, call status, call state, status',
		beside: 'final',
	},
	/** Lists that count as a transcript if their entries have roles. */
	turns: {
		ranked: 'message, chat history, conversation history, call log, chat, conversation',
	},
	/** Fields of an object that is a recording. */
	address: {
		ranked: 'combined url, url, public url, download url, link, href, uri',
		beside: 'file, media',
	},
} satisfies Record<string, TopicNames>;

/* Words in the names of fields that hold the numbers, names and e-mail addresses of both sides of a call. */

/** The side of the call in a name. The direction decides whether the caller or the callee is the customer. */
export type Side = 'customer' | 'agent' | 'caller' | 'callee';

/** The value of a party in a field; `self` is the party itself: `caller`, `customerInfo`. */
export type Part = 'phone' | 'name' | 'first' | 'last' | 'email' | 'id' | 'self';

/** Words for customers. */
export const CUSTOMERS = `
	customer, contact, lead, client, prospect, patient, guest, visitor, enduser, borrower, debtor,
	candidate, applicant, consumer, guarantor
`;
/** Why a customer may be no end of the call: it may be a tenant of the service, or have a role beside the caller. */
export type Doubt = 'tenant' | 'role';
export const DOUBTS = groupsOf<Doubt>({
	tenant: 'customer, client, consumer',
	role: 'patient, guest, candidate, applicant, borrower, debtor, guarantor',
});
/** Words for people. */
export const PEOPLE = groupsOf<Side>({
	customer: CUSTOMERS,
	agent: 'agent, assistant, bot, representative, rep, receptionist',
	caller: 'caller',
	callee: 'callee',
});
/** Words for lines and places, which have a number but no name. */
const LINE_SIDES = groupsOf<Side>({
	customer: 'external, remote',
	agent: 'our, business, internal, tracking, virtual, did, trunk, line',
	caller: 'from, calling, ani, cli, clid, source, src, origin, originating',
	callee: 'to, called, dialed, dialled, dnis, destination, dest, dst, recipient, receiver',
});
export const SIDES: ReadonlyMap<string, Side> = new Map([...PEOPLE, ...LINE_SIDES]);

/** Words in the names of numbers that no side of the call has: `callback_number`. */
export const ELSEWHERE = setOf(
	'callback, transfer, transferred, forward, forwarding, fax, emergency',
);

const PHONES = 'phone, mobile, cell, telephone, tel, msisdn';

/** Words beside a side. */
export const BESIDE_SIDES = {
	/** They don't change its meaning: `called_party_number`, `ai_agent_name`. */
	neutral: setOf('the, party, call, ai, voice, endpoint'),
	/** They name a party object: `customerInfo`. */
	holders: setOf('info, information, detail, data, profile'),
	/** They name a phone. */
	phones: setOf(PHONES),
	/** All words that a phone number's name may have. */
	numbers: setOf(`
		number, num, no, e, 164, formatted, raw, primary, digit, sip, uri, address, international,
		${PHONES}
	`),
};

export const PARTS = groupsOf<Part>({
	name: 'name, full name, display name',
	first: 'first name, given name, firstname, first',
	last: 'last name, family name, lastname, surname, last',
	email: 'email, email address, primary email, mail',
	id: 'id, uuid',
});

/** Lists of participants, and the sides of two that are surely the call's. */
export const PARTICIPANTS = new Set(['participant', 'party', 'leg']);
export const OPPOSITES = setOf('agent customer, agent caller, agent callee, callee caller');
/** Names of a value, and what it is used for, in an object or a list of one. */
export const VALUES = setOf('value, number, phone, phone number, address, email, email address');
export const USES: ReadonlySet<unknown> = setOf(
	'Work, work, Mobile, mobile, Home, home, main, primary',
);

/* Names of the objects that belong to the call, in lower-case words of the singular. */

/**
 * The kind of an object. `envelope`: the event, an envelope in it, or the call itself; `metadata`: values of the call
 * and numbers of its ends, but no names; `part`: what was made of the call, its summary, outcome, transcript and
 * recording; `recording`: the recording itself, whose `url` is its address.
 */
export type CallObjectKind = 'envelope' | 'metadata' | 'part' | 'recording';

/** Envelopes that are the call itself: their plain `id` and `status` are the call's. */
const CALL_NAMES = `
	call, conversation, interaction, cdr, call data, call detail, call record, call object,
	call session, call log, conversation data, conversation detail
`;
export const CALLS = setOf(CALL_NAMES);

/** Objects with what a user gave the call, such as the ID of a record in the CRM. */
export const OF_USER = setOf('metadata, meta, call metadata, call meta');

export const KINDS = groupsOf<CallObjectKind>({
	envelope: `
		${CALL_NAMES}, ${ENVELOPES.message}, ${ENVELOPES.record}, ${ENVELOPES.fields}, object,
		resource, session, entity, call event, calling terminate, event data, event detail,
		event payload, webhook data, webhook payload
	`,
	metadata: `
		metadata, meta, phone call, call info, call information, call metadata, call meta,
		call timing, telephony, telephony data, telephony info, voip, timing, timestamp
	`,
	part: `
		analysis, call analysis, conversation analysis, post call analysis, ai analysis, artifact, media
	`,
	recording: 'recording, call recording, recording detail, recording info, recording data, mono',
});

/* Names of the fields of one collected value. */

/** Its name, the value itself, and what is said about it. */
export type CollectedField = 'name' | 'value' | 'about';

export const COLLECTED_FIELDS = groupsOf<CollectedField>({
	name: `name, key, field, field name, variable, label, question, data collection id`,
	value: 'value, result, answer',
	about: `
		rationale, reason, reasoning, explanation, description, type, data type, json schema, schema,
		confidence, score, collected, required, source, id
	`,
});
