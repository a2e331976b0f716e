/** Reads what the agent collected in the call. The names of its fields are in details.ts. */
import type { IDataObject } from 'n8n-workflow';

import { isDeep, isId, isObject, parseJson } from '../text/json';
import { wordsOf } from '../text/words';
import { COLLECTED_FIELDS, type CollectedField } from './vocabulary/collectedFields';

/** More names than a workspace gives. A limit for hostile events. */
const MOST_NAMES = 200;

/**
 * Reads the names and values of collected data from an object, a list of named entries, or their JSON text.
 * `{ email: { value: 'ada@…', rationale: '…' } }`, `[{ name: 'email', value: 'ada@…' }]` → `{ email: 'ada@…' }`
 *
 * @returns null if no name has a value
 */
export function readCollected(value: unknown): IDataObject | null {
	const isJson = typeof value === 'string' && /^\s*[[{]/.test(value);
	const holder = isJson ? parseJson(value) : value;
	if (typeof holder !== 'object' || holder === null) return null;
	const entries = Object.entries(holder as Record<string, unknown>)
		.slice(0, MOST_NAMES)
		.flatMap(([key, entry]) => {
			const { name = Array.isArray(holder) ? undefined : key, value: stated } = readEntry(entry);
			// n8n's expressions fail at an object whose `toString` is no function.
			if (name === undefined || name in {} || isDeep(stated)) return [];
			return [[name, stated === '' ? null : stated]];
		});
	const isAny = entries.some(([, stated]) => stated !== null && stated !== undefined);
	return isAny ? (Object.fromEntries(entries) as IDataObject) : null;
}

/** Reads an entry: an object with only a name, a value and words about it, else the value itself. */
function readEntry(entry: unknown): { name?: string; value: unknown } {
	if (!isObject(entry)) return { value: entry };
	const fields = new Map<CollectedField | undefined, unknown>();
	for (const [key, value] of Object.entries(entry)) {
		fields.set(COLLECTED_FIELDS.get(wordsOf(key).join(' ')), value);
	}
	if (!fields.has('value') || fields.has(undefined)) return { value: entry };
	const name = fields.get('name');
	return { name: isId(name) ? String(name) : undefined, value: fields.get('value') };
}
