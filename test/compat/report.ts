/** The fields of Jest's JSON report that are read here. */
export interface JestReport {
	testResults: Array<{
		/** The error that prevented the file from running, or the failures of its tests. */
		message: string;
		assertionResults: Array<{
			title: string;
			fullName: string;
			/** The names of the enclosing `describe` blocks, outermost first. */
			ancestorTitles: string[];
			status: string;
		}>;
	}>;
}

/**
 * Splits a report by the outermost `describe` of its tests.
 *
 * @param report undefined if Jest wrote none
 * @returns at least one entry, also for a report without a test
 */
export function bySuite(report: JestReport | undefined): Map<string, JestReport | undefined> {
	const suites = new Map<string, JestReport | undefined>();
	for (const { message, assertionResults } of report?.testResults ?? []) {
		const names = new Set(assertionResults.map(({ ancestorTitles: [name = 'editor'] }) => name));
		for (const name of names.size > 0 ? names : ['no test']) {
			const own = assertionResults.filter(
				({ ancestorTitles: [suite = 'editor'] }) => suite === name,
			);
			suites.set(name, { testResults: [{ message, assertionResults: own }] });
		}
	}
	return suites.size > 0 ? suites : new Map([['no test', undefined]]);
}

/** The results of a suite on a line of n8n. */
export interface Outcome {
	passed: number;
	/** The full names of failed tests, and the errors of files that did not run. */
	failed: string[];
	/** The number of tests skipped for each lacking feature; see {@link needing}. */
	lacks: Record<string, number>;
	/** The full names of the other skipped tests. */
	skipped: string[];
}

/** @returns the title of a test that needs a feature of n8n, as {@link summarize} reads it */
export const needing = (feature: string, title: string) => `${title} [needs ${feature}]`;

/** @param report undefined if Jest wrote none */
export function summarize(report: JestReport | undefined): Outcome {
	const outcome: Outcome = { passed: 0, failed: [], lacks: {}, skipped: [] };
	if (!report || report.testResults.length === 0) outcome.failed.push('Jest ran no test');
	for (const { message, assertionResults } of report?.testResults ?? []) {
		if (assertionResults.length === 0) outcome.failed.push(message || 'The file has no test');
		for (const { title, fullName, status } of assertionResults) {
			const [, feature] = /\[needs (.+)\]$/.exec(title) ?? [];
			if (status === 'passed') outcome.passed++;
			else if (status !== 'pending') outcome.failed.push(fullName);
			else if (feature) outcome.lacks[feature] = (outcome.lacks[feature] ?? 0) + 1;
			else outcome.skipped.push(fullName);
		}
	}
	return outcome;
}

/** Formats the counts above zero, e.g. `12 passed, 1 skipped`. */
export function describeOutcome({ passed, failed, lacks, skipped }: Outcome): string {
	const counts: Array<[number, string]> = [
		[passed, 'passed'],
		[failed.length, 'FAILED'],
		...Object.entries(lacks).map(([feature, count]): [number, string] => [
			count,
			`skipped without ${feature}`,
		]),
		[skipped.length, 'skipped'],
	];
	return counts
		.filter(([count]) => count > 0)
		.map(([count, label]) => `${count} ${label}`)
		.join(', ');
}
