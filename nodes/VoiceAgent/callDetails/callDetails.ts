import type { IDataObject } from 'n8n-workflow';

import { readCallDetails as readBefore } from '../trigger/callDetails';
import type { CallDetails, DetailValues } from './details';

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

/** Reads what an event says of its call. Pure, and never throws. */
export function readCallDetails(event: IDataObject, options: ReadingOptions = {}): CallDetails {
	return options.mapping ? readBefore(event) : readBefore(event);
}

/** Tells whether a body holds something of a call: the test that call details and deliveries share. */
export function holdsCall(body: unknown): boolean {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
	const { person, customer, agent, ...call } = readBefore(body as IDataObject);
	return Object.values(call).some((value) => value !== null);
}
