/** The option Call Details Mapping: the paths that the user chose for details. */
import type { IDataObject } from 'n8n-workflow';

import { DETAILS, type DetailKey, type DetailValues } from './details';

/** Reads the mapped details of an event; null where the event lacks the path. */
export type Mapping = (event: IDataObject) => Partial<DetailValues>;

/** Details with one or more rows, for names in parts: `data.vorname` and `data.nachname`. */
const JOINED: ReadonlySet<DetailKey> = new Set(['customer.name', 'agent.name']);

/** The keys from an event to a field: `legs[0].from` → `['legs', '0', 'from']` */
type Path = readonly string[];

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
/** The beginning of a path that n8n's editor copies: `$json`, `$item("0").$node["Trigger"].json`. */
const ITEM = new RegExp(
	String.raw`^\$(?:json|(?:item\(["']?\d+["']?\)\.\$)?node(?:\[(?:${QUOTED})\]|\.\w+)\.json|(?:input|\((?:${QUOTED})\))\.(?:item|first\(\)|last\(\)|all\(\)\[0\])\.json)(?=[.?[]|$)`,
);
/** One key: `.from`, `?.from`, `[0]`, `['caller number']`. */
const KEY = new RegExp(
	String.raw`(?:\??\.([\p{L}\p{N}_-]+)|(?:\?\.)?\[\s*(?:(\d+)|(${QUOTED}))\s*\])`,
	'guy',
);

/**
 * Reads a path that the user typed or pasted. The text is never evaluated.
 *
 * `data.anrufer.nummer`, `={{ $node["Trigger"].json.data["anrufer"].nummer }}` → `['data', 'anrufer', 'nummer']`
 *
 * @returns undefined for any other text
 */
export function parsePath(text: unknown): Path | undefined {
	if (typeof text !== 'string') return undefined;
	const stored = text.trim().replace(/^=\s*/, '');
	const [, inner = stored] = /^\{\{(.*)\}\}$/s.exec(stored) ?? [];
	const written = inner.trim();
	const item = ITEM.exec(written)?.[0];
	// A path that the user typed begins with a key.
	const rest = item !== undefined ? written.slice(item.length) : written.replace(/^(?=[^[])/, '.');
	const keys: string[] = [];
	let end = 0;
	for (const match of rest.matchAll(KEY)) {
		keys.push(keyIn(match));
		end += match[0].length;
	}
	return keys.length > 0 && end === rest.length ? keys : undefined;
}

function keyIn([, name, index, quoted = '']: RegExpMatchArray): string {
	return name ?? index ?? quoted.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** Returns the value at a path; null if the event lacks it. */
function valueAt(json: unknown, path: Path): unknown {
	let value = json;
	for (const key of path) {
		// Inherited fields, such as `constructor`, are not the event's.
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
		value = (value as Record<string, unknown>)[key];
	}
	return value ?? null;
}

/**
 * Reads the rows of the option Call Details Mapping as the workflow stores them.
 *
 * @returns the mapping, undefined without rows, and an error text for each wrong row. The detail of a
 *   wrong row is null in every event.
 */
export function readMapping(stored: unknown): { mapping?: Mapping; problems: string[] } {
	const { fields } = (stored ?? {}) as { fields?: Array<{ detail?: unknown; path?: unknown }> };
	const paths = new Map<DetailKey, Path[]>();
	const problems: string[] = [];
	for (const { detail, path } of Array.isArray(fields) ? fields : []) {
		// No field is chosen yet. _Execute step_ receives the event to choose from.
		if (String(path ?? '').trim() === '') continue;
		if (!isDetail(detail)) {
			problems.push(`There is no call detail "${String(detail)}". Choose one from the list.`);
			continue;
		}
		const keys = parsePath(path);
		const before = paths.get(detail);
		const problem = problemOf(detail, String(path), keys, before !== undefined);
		if (problem) problems.push(problem);
		paths.set(detail, keys && !problem ? [...(before ?? []), keys] : []);
	}
	return { mapping: paths.size > 0 ? (event) => readValues(event, paths) : undefined, problems };
}

function problemOf(
	detail: DetailKey,
	path: string,
	keys: Path | undefined,
	isSecond: boolean,
): string | undefined {
	const { label } = DETAILS[detail];
	if (!keys) {
		return `The path of ${label} in Call Details Mapping can't be read: ${path}. Write the path of one field of the event, such as data.caller.number, legs[0].from or data['caller number'].`;
	}
	if (!isSecond || JOINED.has(detail)) return undefined;
	return `${label} has two rows in Call Details Mapping, the second with the path ${path}. Remove one of them: only names are joined.`;
}

function readValues(event: unknown, mapped: Map<DetailKey, Path[]>): Partial<DetailValues> {
	const values: Partial<DetailValues> = {};
	for (const [detail, paths] of mapped) {
		const parts = paths.flatMap((path) => DETAILS[detail].read(valueAt(event, path)) ?? []);
		values[detail] = parts.length > 1 ? parts.join(' ') : (parts[0] ?? null);
	}
	return values;
}

function isDetail(name: unknown): name is DetailKey {
	return typeof name === 'string' && Object.hasOwn(DETAILS, name);
}
