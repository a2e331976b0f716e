import type { IDataObject } from 'n8n-workflow';

/** @returns true for a JSON object, not an array */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns true for a value that may be an ID: a number, or a text that is neither empty nor a step in a path, `..` */
export function isId(value: unknown): value is string | number {
	return typeof value === 'number' || (typeof value === 'string' && !/^\.{0,2}$/.test(value));
}

/** @returns true for an object or an array with entries */
export function isNonEmpty(value: unknown): value is object {
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/**
 * Finds a name for a field to add to an object: the name itself, else the name with the first number that the object
 * lacks: `delivery` and `{"delivery": 1}` → `delivery_1`
 */
export function freeName(name: string, object: IDataObject): string {
	let free = name;
	for (let count = 1; free in object; count++) free = `${name}_${count}`;
	return free;
}

/** More levels than any event has, and far fewer than overflow the stack of a recursive function. */
const MOST_LEVELS = 500;

/** @returns true for objects and arrays that nest so deep that `JSON.stringify` and others may throw */
export function isDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; depth <= MOST_LEVELS && level.length > 0; depth++) {
		level = level.filter(isNonEmpty).flatMap((holder) => Object.values(holder) as unknown[]);
	}
	return level.length > 0;
}

/** @returns the JSON value, or undefined */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** A field with a long whole number. In JSON, no text holds a quote without a `\`. */
const LONG_NUMBER = /([{,\s]"[^"\\]*"\s*:\s*)(-?\d{16,400})(?=\s*[,}])/g;

/**
 * Parses JSON as it was sent. Whole numbers that JavaScript would round, such as IDs of 64 bits, are texts:
 * `{"id": 9007199254740993}` → `{ id: '9007199254740993' }`
 *
 * @returns undefined if it is not JSON
 */
export function parseExactly(text: string): unknown {
	const quoted = text.replace(LONG_NUMBER, (field, name: string, digits: string) =>
		Number.isSafeInteger(Number(digits)) ? field : `${name}"${digits}"`,
	);
	// What looks like a field may stand in a text.
	return parseJson(quoted) ?? parseJson(text);
}

/** The parameters of a URL that a service signs anew in each answer: `X-Amz-Signature=…`, `token=…` */
const SIGNED =
	/(?<=[?&])([qx]-[\w-]+|hash|md5|jwt|auth(_?key|orization)?|verify|[\w-]*(sig|signature|token|hmac|expir(es|y|ation)|expires_?at|policy|access_?key_?id|timestamp|nonce)|hdn\w+|exp|ts|s[et]|sk[te])=[^&#\s]*/gi;

/** A text, without the signature if it is a URL. */
export function withoutSignature(text: string): string {
	return /^https?:/i.test(text) ? text.replace(SIGNED, '') : text;
}

/**
 * Writes the path of a field as users do. `data`, `caller number` → `data['caller number']`; `legs`, `0` → `legs[0]`
 */
export function pathTo(path: string, key: string): string {
	if (/^\d+$/.test(key)) return `${path}[${key}]`;
	if (!/^[\p{L}\p{M}\p{N}_-]+$/u.test(key)) return `${path}['${key.replace(/[\\']/g, '\\$&')}']`;
	return path === '' ? key : `${path}.${key}`;
}

/** Whether a path is that of an object or leads into it. `data.call.id`, `data.call` → true */
export function isWithin(path: string, object: string): boolean {
	return object === '' || (path.startsWith(object) && /^([.[]|$)/.test(path.slice(object.length)));
}

/** Deeper than any envelope. Limits bodies that nest without end. */
export const DEEPEST_FIELD = 8;

/** A field of a JSON body. */
export interface Field {
	name: string;
	value: unknown;
	/** The names on the way to it, the last is its own. */
	keys: string[];
	/** The objects and arrays that hold it, the outermost first. */
	holders: object[];
}

/**
 * Collects the fields of a body, the outer ones first.
 *
 * @param isEntered whether the fields of a field's value count too
 */
export function fieldsIn(body: unknown, isEntered: (field: Field) => boolean): Field[] {
	const fields: Field[] = [];
	const collect = ({ value, keys, holders }: Omit<Field, 'name'>) => {
		if (typeof value !== 'object' || value === null || holders.length >= DEEPEST_FIELD) return;
		const inner = [...holders, value];
		for (const [name, entry] of Object.entries(value) as Array<[string, unknown]>) {
			fields.push({ name, value: entry, keys: [...keys, name], holders: inner });
		}
	};
	collect({ value: body, keys: [], holders: [] });
	for (const field of fields) if (isEntered(field)) collect(field);
	return fields;
}

/* An expression may return a value of another type than its field has in the editor. */

/** @returns the trimmed text of a field; empty for a value that is neither text nor number */
export function readText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** @returns the choices of a field, also repeated ones: `['a', 'b']` or `'a, b'` → a, b */
export function readChoices(value: unknown): string[] {
	const given: unknown[] = Array.isArray(value) ? value : readText(value).split(',');
	return given.map(readText).filter(Boolean);
}
