/**
 * The table of call details. A row holds the key of a detail, its label in the editor, the function that
 * reads its value, and the names of its fields; the order is that of `callDetails`. The names of a party's
 * fields are in vocabulary/fieldWords.ts.
 */
import type { IDataObject } from 'n8n-workflow';

import type { TopicNames } from '../text/topics';
import { CLOCK_WORDS, wordsOf } from '../text/words';
import {
	readDirection,
	readEmail,
	readOutcome,
	readPlainId,
	readStatedText,
	readWebUrl,
	readCollected,
} from './values';
import { DURATION_UNITS, readSeconds } from '../text/durations';
import { readInstant, toIso } from '../text/times';
import { readName } from './names';
import { isObject } from '../text/json';
import { readPhone } from './phoneNumbers';
import { readTranscript } from './transcripts';
import { CALL, endNames } from './vocabulary/fieldWords';

/** A row of the table, with the names in lower-case words of the singular. */
export interface Detail extends TopicNames {
	label: string;
	/** Reads a value; null for anything that is not the detail. The name of its field may state a unit. */
	read: (value: unknown, name?: string) => string | number | IDataObject | null;
}

const readCallTime = (value: unknown) => toIso(readInstant(value));

/** Reads a phone number, which may be national or a JSON number. */
const readMappedPhone = (value: unknown) => readPhone(value, 'mapped');

export const DETAILS = {
	/** The id of the call itself. */
	id: {
		label: 'Call ID',
		read: readPlainId,
		sure: 'call id, phone call id',
		lessSure: 'id',
		ranked: `
			call uuid, call guid, call reference, call ref, uuid, guid, conversation id,
			interaction id, execution id, chat id, conversation uuid, call sid, call unique id,
			unique id, sid, session id, call session id, call control id, call leg id
		`,
		beside: 'the',
	},
	direction: {
		label: 'Direction',
		read: readDirection,
		sure: 'direction',
		lessSure: 'inbound, incoming, outbound, outgoing',
		beside: 'call, is, was, phone',
	},
	/** E.164 if the event or the country code allows it, else digits as written. */
	'customer.phone': { label: 'Customer Phone', read: readMappedPhone },
	'customer.name': { label: 'Customer Name', read: readName },
	/** As stated, else a part of the name. */
	'customer.firstName': { label: 'Customer First Name', read: readName },
	'customer.lastName': { label: 'Customer Last Name', read: readName },
	'customer.email': { label: 'Customer Email', read: readEmail },
	'agent.id': { label: 'Agent ID', read: readPlainId },
	'agent.name': { label: 'Agent Name', read: readName },
	'agent.phone': { label: 'Agent Phone', read: readMappedPhone },
	/** ISO 8601 in UTC. */
	startedAt: {
		label: 'Started At',
		read: readCallTime,
		sure: 'start, started, begin, began',
		lessSure: 'date started, call start date, start date time',
		ranked: 'initiated, initiation, joined',
		beside: `${CALL}, ${CLOCK_WORDS}`,
	},
	endedAt: {
		label: 'Ended At',
		read: readCallTime,
		sure: 'end, ended, finish, finished',
		lessSure: 'completed, hangup, hang up, disconnect, disconnected',
		ranked: 'date ended, call end date, end date time',
		beside: `${CALL}, ${CLOCK_WORDS}`,
	},
	/** The duration of the whole call. */
	durationSeconds: {
		label: 'Duration in Seconds',
		read: (value: unknown, name = '') => readSeconds(value, wordsOf(name)),
		sure: 'total duration, corrected duration, overall duration, call duration',
		ranked: 'duration, length',
		beside: `${CALL}, ${[...DURATION_UNITS.keys()].join()}, in`,
	},
	/** The disposition, else the reason of the end, else the status. */
	outcome: {
		label: 'Outcome',
		read: (value: unknown) =>
			readOutcome(isObject(value) ? (value.label ?? value.value ?? value.name) : value),
		sure: 'disposition, outcome, call result, disposition name, disposition label',
		lessSure: 'disposition code',
		ranked: `missed reason, end call reason, ${endNames('reason')}, ${endNames('cause')}`,
		beside: 'call, conversation, final, the',
	},
	summary: {
		label: 'Summary',
		read: (value: unknown) =>
			readStatedText(isObject(value) ? (value.text ?? value.content) : value),
		sure: 'summary, summarization, synopsis, recap',
		lessSure: 'long summary, transcript summary, summary text',
		ranked: 'short summary, brief summary',
		beside: `${CALL}, transcript, ai, text, generated, analysis, long, post`,
	},
	/** The spoken turns as text, one line each. */
	transcript: {
		label: 'Transcript',
		read: readTranscript,
		sure: 'transcript, transcription, dialogue, dialog',
		lessSure: 'concatenated transcript, transcript object, utterance, turn',
		beside: `${CALL}, full, text, formatted, plain, complete, final, json`,
	},
	recordingUrl: {
		label: 'Recording URL',
		read: readWebUrl,
		sure: 'recording, combined recording',
		ranked: 'mono recording, recorded, stereo recording',
		beside: `
			${CALL}, url, link, uri, href, download, file, audio, media, public, signed, presigned, mp3,
			wav, full, secure
		`,
	},
	/** What the agent collected in the call, by the names of the workspace: `{ interest: 'high' }` */
	collected: {
		label: 'Collected Data',
		read: readCollected,
		sure: 'custom analysis, structured, data collection, data collection result',
		lessSure: 'extracted, extraction, collected, captured, data collection result list',
		beside:
			'call, data, dynamic, variable, value, field, info, information, output, entity, answer, result',
	},
} satisfies Record<string, Detail>;

/** The details that a mapping can name: `customer.phone`. */
export type DetailKey = keyof typeof DETAILS;

/** All details, in the order of call details. */
export const DETAIL_KEYS = Object.keys(DETAILS) as DetailKey[];

/** The values of the details by their dotted keys. */
export type DetailValues = { [K in DetailKey]: ReturnType<(typeof DETAILS)[K]['read']> };

type PartsOf<S extends string> = {
	[K in DetailKey as K extends `${S}.${infer P}` ? P : never]: DetailValues[K];
};

/** Call details, which don't depend on the service. A value that is not certain is null. */
export type CallDetails = IDataObject & {
	/**
	 * Whether the event names the customer, whom a CRM may know or not. `found`: by a phone number or an e-mail
	 * address; `withheld`: the number of the customer is hidden; `web`: the event states that it was no phone
	 * call; `unknown`: none of these.
	 */
	person: 'found' | 'withheld' | 'web' | 'unknown';
	/** Whether the event is a test, whose values may be invented. */
	test: boolean;
	customer: PartsOf<'customer'>;
	agent: PartsOf<'agent'>;
	/** The call in one line: `Call with Ada Lovelace, 3 min: appointment booked` */
	title: string;
	/** What is known of the call, a line for each value. */
	text: string;
} & Omit<DetailValues, `${string}.${string}`>;

/** Customers without a name, a number and an address, by `person`. */
export const NAMELESS: Partial<Record<CallDetails['person'], string>> = {
	withheld: 'a hidden number',
	web: 'a website visitor',
};

/** @returns the value of a detail by its key: `customer.phone` */
export function valueOf(details: CallDetails, key: DetailKey): unknown {
	return key.split('.').reduce<unknown>((value, name) => (value as IDataObject)[name], details);
}
