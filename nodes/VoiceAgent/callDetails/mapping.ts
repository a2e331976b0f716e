/** The option Call Details Mapping: the paths that the user chose for details. */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../text/json';
import { DETAILS, type Detail, type DetailKey, type DetailValues } from './details';

/** Reads the mapped details of an event; null where the event lacks the path. */
export type Mapping = (event: IDataObject) => Partial<DetailValues>;

/** The keys from an event to a field: `legs[0].from` → `['legs', '0', 'from']` */
type Path = readonly string[];

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
/** The beginning of a path that n8n's editor copies: `$json`, `$item("0").$node["Trigger"].json`. */
const ITEM = new RegExp(
	String.raw`^\$(?:json|(?:item\(["']?\d+["']?\)\.\$)?node(?:\[(?:${QUOTED})\]|\.\w+)\.json|(?:input|\((?:${QUOTED})\))\.(?:item|first\(\)|last\(\)|all\(\)\[0\])\.json)(?=[.?[]|$)`,
);
/** The beginning of a path in the item of a node by its name. */
const OF_NAMED_NODE = /^[={\s]*\$(\(|node\b|item\()/;
/** One key: `.from`, `?.from`, `[0]`, `['caller number']`. */
const KEY = new RegExp(
	String.raw`(?:\??\.([\p{L}\p{M}\p{N}_-]+)|(?:\?\.)?\[\s*(?:(\d+)|(${QUOTED}))\s*\])`,
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
	const keys = [...rest.matchAll(KEY)];
	const isPath = rest !== '' && keys.map(([key]) => key).join('') === rest;
	return isPath ? keys.map(keyIn) : undefined;
}

/** As {@link parsePath}, for an item of any node: a path that names a node may be of an earlier one, and is not read. */
export const parseInputPath: typeof parsePath = (text) =>
	OF_NAMED_NODE.test(String(text)) ? undefined : parsePath(text);

function keyIn([, name, index, quoted = '']: RegExpMatchArray): string {
	return name ?? index ?? quoted.slice(1, -1).replace(/\\(.)/g, '$1');
}

/** Returns the value at a path; null if the event lacks it. */
function valueAt(json: unknown, path: Path): unknown {
	// Inherited fields, such as `constructor`, are not the event's.
	const hasOwn = (value: unknown, key: string): value is Record<string, unknown> =>
		typeof value === 'object' && value !== null && Object.hasOwn(value, key);
	return path.reduce((value, key) => (hasOwn(value, key) ? value[key] : null), json) ?? null;
}

/** A row as the workflow stores it. */
type Row = { detail?: unknown; path?: unknown };

/**
 * Reads the rows of the option Call Details Mapping as the workflow stores them.
 *
 * @param parse reads a path
 * @returns the mapping, undefined without rows, and an error text for the first wrong row. The detail of a
 *   wrong row is null in every event.
 */
export function readMapping(stored: unknown, parse = parsePath) {
	const paths = new Map<DetailKey, Path[]>();
	const rows: Row[] = [isObject(stored) ? stored.fields : []].flat().filter(isObject);
	let problem: string | undefined;
	for (const { detail, path } of rows) {
		// No field is chosen yet. _Execute step_ receives the event to choose from.
		if (String(path ?? '').trim() === '') continue;
		const keys = parse(path);
		const wrong = problemOf({ detail, path }, keys, paths);
		problem ??= wrong;
		if (!isDetail(detail)) continue;
		paths.set(detail, keys && !wrong ? [...(paths.get(detail) ?? []), keys] : []);
	}
	const mapping: Mapping = (event) => readValues(event, paths);
	return { mapping: paths.size > 0 ? mapping : undefined, problem };
}

function problemOf({ detail, path }: Row, keys: Path | undefined, paths: Map<DetailKey, Path[]>) {
	if (!isDetail(detail)) {
		return `Call Details Mapping has no Detail "${String(detail)}". Choose one from the list.`;
	}
	const { label } = DETAILS[detail];
	if (!keys) {
		return `The field of ${label} in Call Details Mapping can't be read: ${String(path)}. Write the path of one field of the item that this node gets, such as data.caller.number, legs[0].from or data['caller number'].`;
	}
	// A name may have several rows, one for each part: `data.vorname` and `data.nachname`.
	if (!paths.has(detail) || detail.endsWith('.name')) return undefined;
	return `${label} has two rows in Call Details Mapping, the second with the field ${String(path)}. Remove one of them: only names are joined.`;
}

function readValues(event: unknown, mapped: Map<DetailKey, Path[]>): Partial<DetailValues> {
	const values = [...mapped].map(([detail, paths]) => {
		const { read } = DETAILS[detail] as Detail;
		const parts = paths.flatMap((path) => read(valueAt(event, path), path.at(-1)) ?? []);
		return [detail, parts.length > 1 ? parts.join(' ') : (parts[0] ?? null)];
	});
	return Object.fromEntries(values) as Partial<DetailValues>;
}

function isDetail(name: unknown): name is DetailKey {
	return typeof name === 'string' && Object.hasOwn(DETAILS, name);
}
