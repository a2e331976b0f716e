const Sequencer = require('@jest/test-sequencer').default;

/** The names of each file's tests, from the first run that loads the file. */
const namesOf = new Map();

/** The time that each file took in its first run (ms). */
const durations = new Map();

/**
 * Leaves out the files without a test that reaches the mutant, because Stryker selects tests by name only, and
 * begins with the fastest: the first failure ends the run.
 */
module.exports = class extends Sequencer {
	constructor(options) {
		super(options);
		this.pattern = new RegExp(options.globalConfig.testNamePattern ?? '', 'i');
	}

	sort(tests) {
		const isReached = (name) => this.pattern.test(name);
		const durationOf = ({ path }) => durations.get(path) ?? 0;
		return tests
			.filter(({ path }) => namesOf.get(path)?.some(isReached) ?? true)
			.sort((one, other) => durationOf(one) - durationOf(other));
	}

	cacheResults(tests, results) {
		super.cacheResults(tests, results);
		for (const { testFilePath, testResults, perfStats } of results.testResults) {
			// A file that fails to load has no tests.
			if (namesOf.has(testFilePath) || testResults.length === 0) continue;
			durations.set(testFilePath, perfStats.end - perfStats.start);
			namesOf.set(
				testFilePath,
				testResults.map(({ fullName }) => fullName),
			);
		}
	}
};
