/** What a part of the proof has found. */
export interface Report {
	/** Its figures, for people. */
	lines: string[];
	/** The bounds that did not hold, each in words; empty is what is hoped for. */
	broken: string[];
}

/** The texts of those checks that do not hold. */
export function brokenOf(checks: Record<string, boolean>): string[] {
	return Object.keys(checks).filter((text) => !checks[text]);
}

/** Lines up the cells of a table, numbers to the right. */
export function table(rows: Array<Array<string | number>>): string[] {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(...rows.map((row) => String(row[column]).length)),
	);
	return rows.map((row) =>
		row
			.map((cell, column) =>
				typeof cell === 'number'
					? String(cell).padStart(widths[column] ?? 0)
					: cell.padEnd(widths[column] ?? 0),
			)
			.join('  ')
			.trimEnd(),
	);
}
