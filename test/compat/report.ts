/** What Jest writes with `--json`, as far as it is read here. */
export interface JestReport {
	testResults: Array<{
		/** What kept the file from running at all, or the failures of its tests. */
		message: string;
		assertionResults: Array<{
			title: string;
			fullName: string;
			/** The names of the `describe` blocks around it; the first one is the suite. */
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

/** How a suite went on a line of n8n. */
export interface Outcome {
	passed: number;
	/** The full names of the tests that failed; where a file did not run, what kept it from it. */
	failed: string[];
	/** The features that tests were left out for, each with how many; see {@link needing}. */
	lacks: Record<string, number>;
	/** The full names of tests that were left out for no feature. */
	skipped: string[];
}

/** The title of a test that needs a feature of n8n, which {@link summarize} reads. */
export const needing = (feature: string, title: string) => `${title} [needs ${feature}]`;

/** @param report undefined where Jest wrote none */
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

/** Says in a few words how a suite went. */
export function describeOutcome({ passed, failed, lacks, skipped }: Outcome): string {
	const counts: Array<[number, string]> = [
		[passed, 'passed'],
		[failed.length, 'FAILED'],
		...Object.entries(lacks).map(([feature, count]): [number, string] => [
			count,
			`not there: ${feature}`,
		]),
		[skipped.length, 'skipped'],
	];
	return counts
		.filter(([count]) => count > 0)
		.map(([count, what]) => `${count} ${what}`)
		.join(', ');
}
