/** Writes call details as a row of a table: a flat item whose keys are columns, those for people first. */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../text/json';
import { splitWords } from '../text/words';
import { linesOf, textOf } from './callText';
import { sortableTime } from './clock';
import type { CallDetails } from './details';

/** The deepest object in a row's value that has columns of its own. A limit for hostile events. */
const DEEPEST_COLUMN = 6;
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
 * Makes the row of a call. A value that is unknown has no key: a table keeps what an earlier event of the call
 * has written. `{ id: 'c1', customer: { phone: '+1415…', name: null } }` → `{ customer_phone: '+1415…', call_id: 'c1' }`
 *
 * @param callId the call's id, or another one if it is unknown
 */
export function toRow(details: CallDetails, callId: string, options: RowOptions = {}): IDataObject {
	const { customer, startedAt, durationSeconds: seconds, collected, person } = details;
	const columns = {
		date: startedAt && sortableTime(startedAt, options.timezone),
		customerName: customer.name,
		customerPhone: customer.phone,
		outcome: details.outcome,
		summary: details.summary,
		durationMinutes: seconds === null ? null : Math.round(seconds / 6) / 10,
		direction: details.direction,
		customerEmail: customer.email,
		collected: options.eachCollected
			? collected
			: linesOf(Object.entries(collected ?? {})).join('\n'),
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
	if (value === null || value === undefined || value === '') return [];
	if (isObject(value) && depth < DEEPEST_COLUMN) {
		return Object.entries(value).flatMap(([key, inner]) =>
			columnsOf(`${name} ${key}`, inner, depth + 1),
		);
	}
	const cell = typeof value === 'object' ? textOf(value) : (value as Cell);
	return [[columnName(name), typeof cell === 'string' ? truncate(cell) : cell]];
}

/** Cuts a text to the length of a cell, but no character in two. */
function truncate(text: string): string {
	return text.slice(0, LONGEST_CELL).replace(/[\ud800-\udbff]$/, '');
}

/** `collected newSlot`, `collected Größe (cm)` → `collected_new_slot`, `collected_grosse_cm` */
function columnName(name: string): string {
	return splitWords(name.replace(/ß/g, 'ss')).join('_') || 'value';
}
