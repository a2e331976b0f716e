/** Writes call details as a row of a table: a flat item whose keys are columns. */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../text/json';
import { splitWords } from '../text/words';
import { DETAIL_KEYS, valueOf, type CallDetails } from './details';

/** The deepest object in a row's value that has columns of its own. A limit for hostile events. */
const DEEPEST_COLUMN = 5;

/**
 * Makes the row of a call. A value that is unknown has no key: a table keeps what an earlier event of the call
 * has written. `{ id: 'c1', customer: { phone: '+1415…', name: null } }` → `{ call_id: 'c1', customer_phone: '+1415…' }`
 *
 * @param callId the call's id, or another one if it is unknown
 */
export function toRow(details: CallDetails, callId: string): IDataObject {
	const { person, test } = details;
	const values = DETAIL_KEYS.flatMap((key) =>
		key === 'id' ? [] : columnsOf(key, valueOf(details, key)),
	);
	const known = columnsOf('person', person === 'unknown' ? null : person);
	return rowOf([['call_id', callId], ...known, ...columnsOf('test', test || null), ...values]);
}

/** Adds an object to a row, each value in a column of its own. `delivery`, `{ id: 'd1' }` → `delivery_id` */
export function addColumns(row: IDataObject, name: string, value: IDataObject): IDataObject {
	return rowOf([...Object.entries(row), ...columnsOf(name, value)]);
}

function rowOf(columns: Array<[string, unknown]>): IDataObject {
	const row: IDataObject = {};
	// Counted, since a hostile event has one name a thousand times.
	const counts = new Map<string, number>();
	for (const [name, value] of columns) {
		let free = name;
		for (let count = counts.get(name) ?? 0; free in row; free = `${name}_${count}`) {
			counts.set(name, ++count);
		}
		row[free] = value as IDataObject[string];
	}
	return row;
}

/** Returns the columns of a value; none for one that is unknown. `customer.firstName` → `customer_first_name` */
function columnsOf(name: string, value: unknown, depth = 0): Array<[string, unknown]> {
	if (value === null || value === undefined || value === '') return [];
	if (isObject(value) && depth < DEEPEST_COLUMN) {
		return Object.entries(value).flatMap(([key, inner]) =>
			columnsOf(`${name} ${key}`, inner, depth + 1),
		);
	}
	return [[columnName(name), typeof value === 'object' ? textOf(value) : value]];
}

/** `['a', 'b']` → `a, b`; a list with objects → its JSON text */
export function textOf(value: object): string {
	const isPlain = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
	return isPlain ? value.join(', ') : JSON.stringify(value);
}

/** `collected newSlot`, `collected Größe (cm)` → `collected_new_slot`, `collected_grosse_cm` */
function columnName(name: string): string {
	return splitWords(name.replace(/ß/g, 'ss')).join('_') || 'value';
}
