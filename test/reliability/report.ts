import { step } from '../../sandbox/stack/progress';

/** A part of a test script. `showProgress` replaces the text beside the part's title. */
export type Part = [
	title: string,
	measure: (showProgress: (text: string) => void) => Promise<Report>,
];

export interface Report {
	/** The measured values, as printed. */
	lines: string[];
	/** The bounds that are violated. */
	violations: string[];
}

/** Runs the parts, prints their lines, and returns all violated bounds. */
export async function runParts(parts: Part[]): Promise<string[]> {
	const violations: string[] = [];
	for (const [title, measure] of parts) {
		const report = await step(title, measure);
		console.log(report.lines.map((line) => `    ${line}`).join('\n'));
		violations.push(...report.violations);
	}
	return violations;
}

/**
 * Runs an npm script, prints its result, and sets the exit code.
 *
 * @param run returns the violated bounds
 */
export async function runScript(script: string, run: () => Promise<string[]>): Promise<void> {
	process.exitCode = 1;
	try {
		const violations = await run();
		for (const bound of violations) console.log(`VIOLATED: ${bound}`);
		if (violations.length === 0) process.exitCode = 0;
		const count = violations.length;
		console.log(`${script}: ${count > 0 ? `${count} bound(s) violated` : 'every bound holds'}`);
	} catch (error) {
		console.error(error);
	}
}

/** @returns the names of the bounds that do not hold */
export function violationsOf(bounds: Record<string, boolean>): string[] {
	return Object.keys(bounds).filter((name) => !bounds[name]);
}

/** Formats rows as aligned columns, with numbers to the right. */
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
