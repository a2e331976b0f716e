/** Deeper than any envelope: ends what is nested without end. */
export const DEEPEST = 8;

/** A field of an answer, and how many objects it is in. */
export interface Field {
	name: string;
	value: unknown;
	depth: number;
}

/** All fields of an answer, the outer ones first; what is in arrays only where that is asked for. */
export function fieldsIn(body: unknown, intoArrays = false): Field[] {
	let fields: Field[] = [];
	let level = [body];
	for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
		const own = level
			.filter((value) => isContainer(value) && (intoArrays || !Array.isArray(value)))
			.flatMap((value) => Object.entries(value as object))
			.map(([name, value]: [string, unknown]) => ({ name, value, depth }));
		fields = fields.concat(own);
		level = own.map(({ value }) => value);
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

function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
