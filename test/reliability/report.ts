import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { step } from '../../sandbox/stack/progress';

/** A part of a test script. */
export type Part = [title: string, measure: () => Promise<Report>];

export interface Report {
	/** The measured values, as printed. */
	lines: string[];
	/** Whether each bound holds, by its name. */
	bounds: Record<string, boolean>;
}

export interface ScriptOptions {
	/** Whether `--short` was given. */
	isShort: boolean;
	/** Decides what is left to chance; `--seed random` draws a seed. */
	seed: string;
}

/**
 * Runs the parts of an npm script, prints their results, and sets the exit code. `--part TITLE` selects
 * the parts whose titles begin with it.
 *
 * @param start starts the subject of the parts
 */
export async function runScript<Subject extends { stop(): Promise<void> }>(
	script: string,
	start: (options: ScriptOptions) => Promise<Subject>,
	partsOf: (subject: Subject, options: ScriptOptions) => Part[],
): Promise<void> {
	const { values } = parseArgs({
		options: {
			short: { type: 'boolean', default: false },
			seed: { type: 'string', default: '20261122' },
			part: { type: 'string', default: '' },
		},
	});
	const seed = values.seed === 'random' ? String(randomInt(1e6)) : values.seed;
	console.log(`Repeat with npm run ${script} -- --seed ${seed}`);
	const options = { isShort: values.short, seed };
	process.exitCode = 1;
	try {
		const subject = await start(options);
		const violations: string[] = [];
		try {
			for (const [title, measure] of partsOf(subject, options)) {
				if (!title.startsWith(values.part)) continue;
				const report = await step(title, () => measure());
				console.log(report.lines.map((line) => `    ${line}`).join('\n'));
				violations.push(...Object.keys(report.bounds).filter((name) => !report.bounds[name]));
			}
		} finally {
			await step('Stop everything', () => subject.stop());
		}
		for (const bound of violations) console.log(`VIOLATED: ${bound}`);
		const count = violations.length;
		console.log(`${script}: ${count > 0 ? `${count} bound(s) violated` : 'every bound holds'}`);
		process.exitCode = Math.min(count, 1);
	} catch (error) {
		console.error(error);
	}
}

/** Formats rows, header row first, as the lines of an aligned table in Markdown. */
export function table(rows: Array<Array<string | number>>): string[] {
	const widths = (rows[0] ?? []).map((_, column) =>
		Math.max(3, ...rows.map((row) => String(row[column]).length)),
	);
	const lineOf = (cells: Array<string | number>) =>
		`| ${widths.map((width, column) => String(cells[column]).padEnd(width)).join(' | ')} |`;
	const [head = '', ...others] = rows.map(lineOf);
	return [head, lineOf(widths.map((width) => '-'.repeat(width))), ...others];
}
