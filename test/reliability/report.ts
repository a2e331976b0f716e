import { step } from '../../sandbox/stack/progress';

/** A part of a proof; it may say meanwhile how far it is. */
export type Part = [title: string, prove: (say: (text: string) => void) => Promise<Report>];

/** What a part of the proof has found. */
export interface Report {
	/** Its figures, for people. */
	lines: string[];
	/** The bounds that did not hold, each in words; empty is what is hoped for. */
	broken: string[];
}

/** Shows the figures of each part, and gives the bounds that did not hold. */
export async function proveAll(parts: Part[]): Promise<string[]> {
	const broken: string[] = [];
	for (const [title, prove] of parts) {
		const report = await step(title, prove);
		console.log(report.lines.map((line) => `    ${line}`).join('\n'));
		broken.push(...report.broken);
	}
	return broken;
}

/**
 * Ends an npm script with a line that says how its proof went, and the exit code for it.
 *
 * @param prove gives the bounds that did not hold
 */
export async function conclude(script: string, prove: () => Promise<string[]>): Promise<void> {
	process.exitCode = 1;
	try {
		const broken = await prove();
		for (const bound of broken) console.log(`BROKEN: ${bound}`);
		if (broken.length === 0) process.exitCode = 0;
		const verdict = broken.length > 0 ? `${broken.length} bound(s) broken` : 'every bound holds';
		console.log(`${script}: ${verdict}`);
	} catch (error) {
		console.error(error);
	}
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
