/** Writes a call for people: a title, a text with a line for each value that is known, and the row of a table. */
import type { IDataObject } from 'n8n-workflow';

import { NAMELESS, type CallDetails } from './details';
import { DEEPEST_FIELD, isNonEmpty, isObject } from '../text/json';
import { clockOf, sortableTime } from '../text/times';
import { separated, splitWords, truncate } from '../text/words';

/** Longer subjects are refused by some targets. */
const LONGEST_TITLE = 200;
const NOTHING_KNOWN = 'Call without known details';

/**
 * Writes the title and the text of a call. `Call with Ada Lovelace, 3 min: appointment booked`
 * Those of a test say so.
 *
 * @param timezone of the times in the text: `Europe/Berlin`; UTC by default
 */
export function describeCall(call: CallDetails, timezone?: string) {
	const summary = call.summary === null ? [] : [indented(call.summary)];
	const lines = [...summary, ...linesOf(valuesOf(call, timezone))];
	const isKnown = lines.length > 0 || call.transcript !== null;
	const said = isKnown ? titleOf(call) : NOTHING_KNOWN;
	const title = truncate(call.test ? `Test: ${said}` : said, LONGEST_TITLE);
	const marks = call.test ? linesOf([['Test', true]]) : [];
	return { title, text: [...marks, ...lines].join('\n') || title };
}

function titleOf(call: CallDetails): string {
	const { name, phone, email } = call.customer;
	const who = name ?? phone ?? email ?? NAMELESS[call.person];
	const parts = [who ? `Call with ${who}` : 'Call', durationOf(call)].filter(Boolean);
	const outcome = plainWords(call.outcome ?? '');
	return parts.join(', ') + (outcome && `: ${outcome}`);
}

/** The values of the text with their labels. */
function valuesOf(call: CallDetails, timezone?: string): Array<[string, unknown]> {
	const { customer, agent, startedAt, endedAt, direction } = call;
	const timeOf = clockOf(timezone);
	const time = startedAt ? timeOf(startedAt) : endedAt && `until ${timeOf(endedAt)}`;
	return [
		['Customer', customer.name ?? NAMELESS[call.person]],
		['Phone', customer.phone],
		['Email', customer.email],
		['Call', [time, durationOf(call), direction].filter(Boolean).join(', ')],
		['Agent', agent.name ?? agent.phone],
		['Outcome', plainWords(call.outcome ?? '')],
		...Object.entries(call.collected ?? {}),
		['Recording', call.recordingUrl],
		['Agent ID', agent.id],
		['Call ID', call.id],
	];
}

/** Writes a line for each value that is known. `new_patient`, `true` → `New patient: yes` */
function linesOf(values: Array<[string, unknown]>): string[] {
	return values.flatMap(([label, value]): string[] => {
		if (value === null || value === undefined) return [];
		if (typeof value === 'boolean') return linesOf([[label, value ? 'yes' : 'no']]);
		const shown = typeof value === 'object' ? textOf(value) : `${value as string | number}`;
		return shown === '' ? [] : [`${lineLabel(label)}: ${indented(shown)}`];
	});
}

/** Indents further lines, so that a value can't pass for another line. */
function indented(text: string): string {
	return text.replace(/\r\n?|\n/g, '\n  ');
}

/** `['a', 'b']` → `a, b`; an empty list or object → an empty text; any other → its JSON text */
function textOf(value: object): string {
	if (!isNonEmpty(value)) return '';
	const isPlain = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
	return isPlain ? value.join(', ') : JSON.stringify(value);
}

/** `new_slot`, `newSlot` → `New slot`, `New Slot` */
function lineLabel(name: string): string {
	const words = plainWords(separated(name));
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `appointment_booked` → `appointment booked` */
function plainWords(text: string): string {
	return text.replace(/[\s_-]+/g, ' ').trim();
}

/** `45` → `45 s`; `187` → `3 min`; `3900` → `1 h 5 min` */
function durationOf({ durationSeconds: seconds }: CallDetails): string {
	if (seconds === null) return '';
	const minutes = Math.round(seconds / 60);
	if (seconds < 60) return `${Math.round(seconds)} s`;
	return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A cell of Google Sheets takes 50,000 characters, and refuses a row with a longer one. */
const LONGEST_CELL = 49_000;

type Cell = string | number | boolean;

/** How a row is written. */
export interface RowOptions {
	/** The time zone of the column `date`; UTC by default. */
	timezone?: string;
	/** Whether each collected value has a column; by default, one column has a line for each. */
	eachCollected?: boolean;
}

/**
 * Makes the row of a call: a flat item whose keys are columns, those for people first. A value that is unknown has no
 * key: a table keeps what an earlier event of the call has written.
 * `{ id: 'c1', customer: { phone: '+1415…', name: null } }` → `{ customer_phone: '+1415…', call_id: 'c1' }`
 *
 * @param callId the call's id, or another one if it is unknown
 */
export function toRow(details: CallDetails, callId: string, options: RowOptions = {}): IDataObject {
	const { customer, startedAt, durationSeconds: seconds, collected, person } = details;
	const lines = linesOf(Object.entries(collected ?? {})).join('\n');
	const columns = {
		date: startedAt && sortableTime(startedAt, options.timezone),
		customerName: customer.name,
		customerPhone: customer.phone,
		outcome: details.outcome,
		summary: details.summary,
		durationMinutes: seconds === null ? null : Math.round(seconds / 6) / 10,
		direction: details.direction,
		customerEmail: customer.email,
		collected: options.eachCollected ? collected : lines,
		transcript: details.transcript,
		recordingUrl: details.recordingUrl,
		agent: details.agent,
		customerFirstName: customer.firstName,
		customerLastName: customer.lastName,
		startedAt,
		endedAt: details.endedAt,
		durationSeconds: seconds,
		person: person === 'unknown' ? null : person,
		test: details.test || null,
		callId,
	};
	return addColumns({}, '', columns);
}

/**
 * Adds an object to a row, each value in a column of its own. `delivery`, `{ id: 'd1' }` → `delivery_id`
 * Of values with one column, the first stays: `{ slot: 1, Slot: 2 }` → `slot: 1`
 */
export function addColumns(row: IDataObject, name: string, value: IDataObject): IDataObject {
	const all = { ...row };
	for (const [column, cell] of columnsOf(name, value)) all[column] ??= cell;
	return all;
}

/** Returns the columns of a value; none for one that is unknown. `customer.firstName` → `customer_first_name` */
function columnsOf(name: string, value: unknown, depth = 0): Array<[string, Cell]> {
	if (value === null || value === undefined) return [];
	if (isObject(value) && depth < DEEPEST_FIELD) {
		return Object.entries(value).flatMap(([key, inner]) =>
			columnsOf(`${name} ${key}`, inner, depth + 1),
		);
	}
	const cell = typeof value === 'object' ? textOf(value) : (value as Cell);
	if (cell === '') return [];
	return [[columnName(name), typeof cell === 'string' ? truncate(cell, LONGEST_CELL) : cell]];
}

/** `collected newSlot`, `collected Größe (cm)` → `collected_new_slot`, `collected_grosse_cm` */
function columnName(name: string): string {
	return splitWords(name.replace(/ß/g, 'ss')).join('_') || 'value';
}
