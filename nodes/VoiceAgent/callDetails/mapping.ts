/** The option Call Details Mapping: the paths that the user chose for details. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { DETAIL_KEYS, DETAILS, type DetailKey, type DetailValues } from './details';

/** Reads the mapped details of an event; null where the event lacks the path. */
export type Mapping = (event: IDataObject) => Partial<DetailValues>;

/** The keys from an event to a field: `legs[0].from` → `['legs', '0', 'from']` */
type Path = readonly string[];

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`;
/** The beginning of a path that n8n's editor copies: `$json`, `$item("0").$node["Trigger"].json`. */
const ITEM = new RegExp(String.raw`^\$(?:json|(?:${QUOTED}|[^"'])*?\.json)(?=[.?[]|$)`);
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

/** Writes the path of a field as {@link parsePath} reads it. `data`, `caller number` → `data['caller number']` */
export function pathTo(path: string, key: string): string {
	if (/^\d+$/.test(key)) return `${path}[${key}]`;
	if (!/^[\p{L}\p{N}_-]+$/u.test(key)) return `${path}['${key.replace(/[\\']/g, '\\$&')}']`;
	return path === '' ? key : `${path}.${key}`;
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
	const { fields = [] } = (stored ?? {}) as { fields?: Array<{ detail?: string; path?: unknown }> };
	const paths = new Map<DetailKey, Path[]>();
	const problems: string[] = [];
	for (const { detail, path } of fields) {
		// No field is chosen yet. _Execute step_ receives the event to choose from.
		if (String(path ?? '').trim() === '') continue;
		const problem = addRow(paths, String(detail), String(path));
		if (problem) problems.push(problem);
	}
	return { mapping: paths.size > 0 ? (event) => readValues(event, paths) : undefined, problems };
}

/** @returns an error text for a wrong row */
function addRow(rows: Map<DetailKey, Path[]>, name: string, path: string): string | undefined {
	const detail = DETAIL_KEYS.find((key) => key === name);
	if (!detail) return `There is no call detail "${name}". Choose one from the list.`;
	const { label } = DETAILS[detail];
	const keys = parsePath(path);
	const others = rows.get(detail);
	const isSecond = others !== undefined && !detail.endsWith('.name');
	rows.set(detail, keys && !isSecond ? [...(others ?? []), keys] : []);
	if (!keys) {
		return `The path of ${label} in Call Details Mapping can't be read: ${path}. Write the path of one field of the event, such as data.caller.number, legs[0].from or data['caller number'].`;
	}
	return isSecond
		? `${label} has two rows in Call Details Mapping, the second with the path ${path}. Remove one of them: only names are joined.`
		: undefined;
}

function readValues(event: unknown, rows: Map<DetailKey, Path[]>): Partial<DetailValues> {
	const values: Partial<DetailValues> = {};
	for (const [detail, paths] of rows) {
		const parts = paths.flatMap((path) => DETAILS[detail].read(valueAt(event, path)) ?? []);
		values[detail] = parts.length > 1 ? parts.join(' ') : (parts[0] ?? null);
	}
	return values;
}

/** The option in the editor. */
export const mappingProperty: INodeProperties = {
	displayName: 'Call Details Mapping',
	name: 'callDetailsMapping',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	description:
		'Where a call detail stands in the events of your service. A mapped detail is read from there and from nowhere else.',
	options: [
		{
			displayName: 'Fields',
			name: 'fields',
			values: [
				{
					displayName: 'Detail',
					name: 'detail',
					type: 'options',
					noDataExpression: true,
					options: Object.entries(DETAILS)
						.map(([value, { label }]) => ({ name: label, value }))
						.sort((a, b) => (a.name < b.name ? -1 : 1)),
					default: 'customer.phone',
					description: 'The field of "callDetails". Two rows for a name are joined with a space.',
				},
				{
					displayName: 'Field Name or ID',
					name: 'path',
					type: 'options',
					typeOptions: { loadOptionsMethod: 'getEventFields', loadOptionsDependsOn: ['&detail'] },
					// A path stays valid that no recent event has.
					allowArbitraryValues: true,
					default: '',
					description:
						'The field of the event. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				},
			],
		},
	],
};
