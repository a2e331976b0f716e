/**
 * Reads the details of a call from an event: `{ direction: 'inbound', from: '+1415…' }` → the customer's
 * phone number, and so on. In this folder,
 * - details.ts is the table of details: key, label, reader and names of each;
 * - callRecords.ts finds the objects of the call, fieldNames.ts reads the names of their fields with the
 *   words in vocabulary/, callFields.ts groups the fields by topic;
 * - callValues.ts, and customerAndAgent.ts with parties.ts choose among the candidates;
 * - phoneNumbers.ts, instants.ts, transcripts.ts and values.ts recognise a single value;
 * - mapping.ts and countryCode.ts are the user's own options.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Choice } from '../matcher/choose';
import { freeName } from '../matcher/json';
import { SUREST } from '../matcher/topicFinder';
import { isCallEvent, isWebCall, readCallFields, type CallFields } from './callRecords';
import { chooseCallValues } from './callValues';
import { completeNumber } from './countryCode';
import { chooseSides } from './customerAndAgent';
import { DETAIL_KEYS, type CallDetails, type DetailKey, type DetailValues } from './details';
import type { Mapping } from './mapping';
import { WITHHELD } from './phoneNumbers';
import type { Direction } from './values';

export type { CallDetails } from './details';

/** The user's options. */
export interface ReadingOptions {
	/** A detail in the mapping is read from its path only. */
	mapping?: Mapping;
	/** The country code for national numbers: `+49`. */
	countryCode?: string;
}

type Choices = Record<DetailKey, Choice<string | number>>;

/** Reads the call details of an event. Pure, and never throws. */
export function readCallDetails(event: IDataObject, options: ReadingOptions = {}): CallDetails {
	return readCall(event, options).details;
}

/**
 * Reads the call details of an event, with the choice of each if the event is about a call. The disposition is
 * the stated outcome; null if the outcome is only how the call ended.
 */
export function readCall(event: IDataObject, options: ReadingOptions = {}) {
	const { mapping = () => ({}), countryCode } = options;
	const mapped: Partial<DetailValues> = mapping(event);
	const call = readCallFields(event);
	const choices = isCallEvent(call) ? chooseDetails(call, mapped) : undefined;
	const details = { person: 'unknown' } as CallDetails;
	for (const key of DETAIL_KEYS) {
		const chosen = (mapped[key] === undefined ? choices?.[key].value : mapped[key]) ?? null;
		const [name, part] = key.split('.') as [string, string?];
		const value = part === 'phone' ? completeNumber(chosen as string | null, countryCode) : chosen;
		details[name] = part ? { ...(details[name] as IDataObject), [part]: value } : value;
	}
	details.person = personOf(call, details, choices);
	const disposition = isOutcomeStated(mapped, choices) ? details.outcome : null;
	return { details, disposition, choices };
}

function personOf(
	call: CallFields,
	{ customer: { phone, email } }: CallDetails,
	choices?: Choices,
): CallDetails['person'] {
	if (phone !== null || email !== null) return 'found';
	if (choices?.['customer.phone'].value === WITHHELD) return 'withheld';
	return choices && isWebCall(call) ? 'web' : 'unknown';
}

/** Whether the outcome is more than how the call ended, which has names of the lower ranks. */
function isOutcomeStated(mapped: Partial<DetailValues>, choices?: Choices): boolean {
	return mapped.outcome !== undefined || (choices?.outcome.confidence ?? 0) > SUREST - 2;
}

/** Chooses each detail among its candidates. Direction and phone, if mapped, decide who the customer is. */
function chooseDetails(call: CallFields, mapped: Partial<DetailValues>): Choices {
	const ofCall = chooseCallValues(call);
	const { direction = ofCall.direction.value, 'customer.phone': phone } = mapped;
	return { ...ofCall, ...chooseSides(call, direction as Direction | null, phone as string | null) };
}

/** Whether a body is about a call, by its event type or by a value of a call. */
export function holdsCall(body: unknown): boolean {
	return isCallEvent(readCallFields(body));
}

/**
 * Puts the call details of an event first in its item. If the event has a field `callDetails`, it keeps
 * the field, and the details are in `callDetails_1`.
 */
export function withCallDetails(
	json: IDataObject,
	details: CallDetails = readCallDetails(json),
): IDataObject {
	return { [freeName('callDetails', [json])]: details, ...json };
}
