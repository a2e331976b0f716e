import type { IDataObject } from 'n8n-workflow';

/** Deeper than any envelope: ends what is nested without end. */
export const DEEPEST = 8;

/** A field of an answer, and the objects it is in, the outermost first. */
export interface Field {
	name: string;
	value: unknown;
	around: object[];
}

/** @returns true for a JSON object, not an array */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the JSON value, or undefined */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** All fields of an answer, the outer ones first; what is in arrays only where that is asked for. */
export function fieldsIn(body: unknown, intoArrays = false): Field[] {
	const fields: Field[] = [];
	const queue = [{ value: body, around: [] as object[] }];
	for (const { value, around } of queue) {
		if (typeof value !== 'object' || value === null || around.length >= DEEPEST) continue;
		if (Array.isArray(value) && !intoArrays) continue;
		const inner = [...around, value];
		for (const [name, field] of Object.entries(value) as Array<[string, unknown]>) {
			fields.push({ name, value: field, around: inner });
			queue.push({ value: field, around: inner });
		}
	}
	return fields;
}

/** Tells whether a field counts the entries of a list: `total`, `totalItems`, `x-total-count`, … */
export function isTotal(name: string): boolean {
	const plain = name.toLowerCase().replace(/[^a-z]|^x-/g, '');
	return (
		/^(total)?(count|items|results|records|entries|elements|hits)?(count|total)?$/.test(plain) &&
		plain !== ''
	);
}
