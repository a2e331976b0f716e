import { isObject } from './json';

/** Deeper than any envelope. Limits bodies that nest without end. */
export const DEEPEST_FIELD = 8;

/** A field of a JSON body. */
export interface Field {
	name: string;
	value: unknown;
	/** The objects and arrays that hold it, the outermost first. */
	holders: object[];
}

/**
 * Collects the fields of a body, the outer ones first.
 *
 * @param isEntered whether the fields of a field's value count too; by default those of objects
 */
export function fieldsIn(
	body: unknown,
	isEntered: (field: Field) => boolean = ({ value }) => isObject(value),
): Field[] {
	const fields: Field[] = [];
	const collect = (value: unknown, holders: object[]) => {
		if (typeof value !== 'object' || value === null || holders.length >= DEEPEST_FIELD) return;
		const inner = [...holders, value];
		for (const [name, entry] of Object.entries(value) as Array<[string, unknown]>) {
			fields.push({ name, value: entry, holders: inner });
		}
	};
	collect(body, []);
	for (const field of fields) if (isEntered(field)) collect(field.value, field.holders);
	return fields;
}
