/**
 * Reads the details of a call from an event: `{ direction: 'inbound', from: '+1415…' }` → the customer's
 * phone number, and so on. In this folder,
 * - details.ts is the table of details: key, label, reader and names of each;
 * - fieldNames.ts reads the names of fields with the words in vocabulary/, callFields.ts finds the objects of
 *   the call and groups their fields by topic;
 * - callValues.ts, and customerAndAgent.ts with parties.ts choose among the candidates;
 * - sameNumber.ts decides whether two texts are one phone number;
 * - phoneNumbers.ts, names.ts, transcripts.ts, values.ts and ../text/times.ts recognise a single value;
 * - fieldRanking.ts orders the fields of events for the list of the mapping;
 * - writing.ts writes title, text and the row of a table;
 * - mapping.ts and countryCode.ts are the user's own options.
 */
import type { IDataObject } from 'n8n-workflow';

import { freeName } from '../text/json';
import { LESS_SURE, type Candidate } from '../text/topics';
import { readCallFields } from './callFields';
import { describeCall, type RowOptions } from './writing';
import { chooseCallValues, isCallEvent, isTestEvent, isWebCall } from './callValues';
import { completeNumber } from './countryCode';
import { chooseSides } from './customerAndAgent';
import { DETAIL_KEYS, type CallDetails, type DetailKey, type DetailValues } from './details';
import type { Mapping } from './mapping';
import { splitName } from './names';
import { readOutcome } from './values';

/** Each detail with its place in call details: `agent.id` → `agent`, `id` */
const PLACES = DETAIL_KEYS.map((key) => [key, ...key.split('.')] as [DetailKey, string, string?]);

/** The user's options, of which a time zone also counts in the text. */
export interface DetailOptions extends RowOptions {
	/** A detail in the mapping is read from its path only. */
	mapping?: Mapping;
	/** The country code for national numbers: `+49`. */
	countryCode?: string;
	/** Whether the event was asked for as a test, and need not state it. */
	isTest?: boolean;
}

/**
 * Chooses each detail of an event among its candidates. An event that is not about a call has none.
 * `nobody` is the person of a call without a number and an e-mail address of the customer.
 *
 * @param mapped the details of the user's mapping. The direction and the customer's phone number among them
 *   decide who the customer is.
 * @param countryCode of national numbers
 */
function chooseDetails(event: unknown, mapped: Partial<DetailValues>, countryCode?: string) {
	const call = readCallFields(event);
	const isTest = isTestEvent(call);
	// Names of dispositions are sure or less sure; those of reasons for the end are ranked.
	const isStated = ({ value, confidence }: Candidate) =>
		confidence >= LESS_SURE && readOutcome(value) !== null;
	const isDisposition = mapped.outcome !== undefined || call.get('outcome').some(isStated);
	let nobody: CallDetails['person'] = isWebCall(call) ? 'web' : 'unknown';
	if (!isCallEvent(call)) return { values: {}, isTest, isDisposition, nobody: 'unknown' as const };
	const own = chooseCallValues(call);
	const { direction = own.direction ?? null, 'customer.phone': phone } = mapped;
	const { values, isWithheld } = chooseSides(call, direction, { phone, countryCode });
	if (isWithheld) nobody = 'withheld';
	return { values: { ...own, ...values }, isTest, isDisposition, nobody };
}

/** Reads the call details of an event. Pure, and never throws. */
export function readCallDetails(event: IDataObject, options: DetailOptions = {}): CallDetails {
	return readCall(event, options).details;
}

/** Reads the call details of an event, and the stated outcome apart from how the call ended. */
export function readCall(event: IDataObject, options: DetailOptions) {
	const { mapping = () => ({}), countryCode, timezone } = options;
	const mapped: Partial<DetailValues> = mapping(event);
	const { values, isTest, isDisposition, nobody } = chooseDetails(event, mapped, countryCode);
	const test = isTest || options.isTest === true;
	const details = { person: 'unknown', test } as CallDetails;
	const all = withMappedSpan({ ...values, ...mapped }, mapped);
	for (const [key, name, part] of PLACES) {
		const value = all[key] ?? null;
		const full = part === 'phone' && value ? completeNumber(`${value}`, countryCode) : value;
		if (part) ((details[name] ??= {}) as IDataObject)[part] = full;
		else details[name] = full;
	}
	completeName(details.customer, mapped);
	details.person = details.customer.phone || details.customer.email ? 'found' : nobody;
	Object.assign(details, describeCall(details, timezone));
	return { details, disposition: isDisposition ? details.outcome : null };
}

/** Adds the time between a start and an end of which one is mapped, unless the duration is known, or mapped, too. */
function withMappedSpan(all: Partial<DetailValues>, mapped: Partial<DetailValues>) {
	const { startedAt, endedAt, durationSeconds } = mapped;
	const span = (Date.parse(all.endedAt ?? '') - Date.parse(all.startedAt ?? '')) / 1000;
	const isMapped = durationSeconds === undefined && Boolean(startedAt ?? endedAt);
	return isMapped && span >= 0 ? { ...all, durationSeconds: all.durationSeconds ?? span } : all;
}

/** Splits the customer's name, or joins its mapped parts. A mapped detail stays as it is. */
function completeName(customer: CallDetails['customer'], mapped: Partial<DetailValues>): void {
	const { name, firstName, lastName } = customer;
	const { 'customer.firstName': first, 'customer.lastName': last } = mapped;
	const isStated = firstName !== null || lastName !== null;
	const parts = name === null || isStated ? customer : splitName(name);
	if (first === undefined) customer.firstName = parts.firstName;
	if (last === undefined) customer.lastName = parts.lastName;
	if (mapped['customer.name'] === undefined)
		customer.name ??= [first, last].filter(Boolean).join(' ') || null;
}

/**
 * Puts the call details of an event first in its item. If the event has a field `callDetails`, it keeps
 * the field, and the details are in `callDetails_1`.
 */
export function withCallDetails(json: IDataObject, details = readCallDetails(json)): IDataObject {
	return { [freeName('callDetails', json)]: details, ...json };
}
