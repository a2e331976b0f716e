import type { IDataObject } from 'n8n-workflow';

import type { Choice } from '../matcher/choose';
import { isOfCall, isWeb, readFields } from './call';
import { readCall } from './callValues';
import { completeNumber } from './countryCode';
import type { CallDetails, DetailKey, DetailValues } from './details';
import { DETAIL_KEYS } from './mappingValues';
import { readPeople } from './people';

export type { CallDetails } from './details';

/** The field that call details are added as. */
export const CALL_DETAILS = 'callDetails';

/** The user's mapping: the details that it names, with their values in an event; null where it lacks the path. */
export type Mapping = (event: IDataObject) => Partial<DetailValues>;

/** What the user says of the events. */
export interface ReadingOptions {
	/** A detail that it names is read from nowhere else. */
	mapping?: Mapping;
	/** `+` and one to three digits, which complete national numbers. */
	countryCode?: string;
}

/** How each detail was chosen, and what tells that there is no phone number. */
export interface Trace {
	choices: Partial<Record<DetailKey, Choice<string | number>>>;
	isWithheld: boolean;
	isWeb: boolean;
}

/** Reads an event with the candidates of each detail; an event that is not about a call has none. */
export function traceCallDetails(event: unknown): Trace {
	const call = readFields(event);
	if (!isOfCall(call)) return { choices: {}, isWithheld: false, isWeb: false };
	const choices = readCall(call);
	const people = readPeople(call, choices.direction.value);
	return {
		choices: { ...choices, ...people.choices },
		isWithheld: people.isWithheld,
		isWeb: isWeb(call),
	};
}

/** Reads what an event says of its call. Pure, and never throws. */
export function readCallDetails(event: IDataObject, options: ReadingOptions = {}): CallDetails {
	const { choices, isWithheld, isWeb } = traceCallDetails(event);
	const values = Object.fromEntries(
		DETAIL_KEYS.map((key) => [key, choices[key]?.value ?? null]),
	) as DetailValues;
	Object.assign(values, options.mapping?.(event));
	for (const key of ['customer.phone', 'agent.phone'] as const) {
		const phone = values[key];
		if (options.countryCode && phone) values[key] = completeNumber(`${phone}`, options.countryCode);
	}
	const hidden = isWithheld ? 'withheld' : isWeb ? 'web' : 'unknown';
	const isFound = values['customer.phone'] !== null || values['customer.email'] !== null;
	const details: IDataObject = { person: isFound ? 'found' : hidden };
	for (const key of DETAIL_KEYS) {
		const [side, field] = key.split('.') as [string, string?];
		if (field === undefined) details[side] = values[key];
		else ((details[side] ??= {}) as IDataObject)[field] = values[key];
	}
	return details as CallDetails;
}

/** Tells whether a body holds something of a call: the test that call details and deliveries share. */
export function holdsCall(body: unknown): boolean {
	return isOfCall(readFields(body));
}

/**
 * Puts an event's call details first in its item. An event with a field of that name keeps it, and
 * ours goes under a name that is free.
 *
 * @returns the item, and the name of the field that was added
 */
export function withCallDetails(
	json: IDataObject,
	options?: ReadingOptions,
): { json: IDataObject; field: string } {
	let field: string = CALL_DETAILS;
	for (let count = 1; field in json; count++) field = `${CALL_DETAILS}_${count}`;
	return { json: { [field]: readCallDetails(json, options), ...json }, field };
}
