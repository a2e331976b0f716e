const Sequencer = require('@jest/test-sequencer').default;

/** The names of each file's tests, from the first run that loads the file. */
const namesOf = new Map();

/** Leaves out the files without a test that reaches the mutant, because Stryker selects tests by name only. */
module.exports = class extends Sequencer {
	constructor(options) {
		super(options);
		this.pattern = new RegExp(options.globalConfig.testNamePattern ?? '', 'i');
	}

	sort(tests) {
		const isReached = (name) => this.pattern.test(name);
		return super.sort(tests.filter(({ path }) => namesOf.get(path)?.some(isReached) ?? true));
	}

	cacheResults(tests, results) {
		super.cacheResults(tests, results);
		for (const { testFilePath, testResults } of results.testResults) {
			// A file that fails to load has no tests.
			if (namesOf.has(testFilePath) || testResults.length === 0) continue;
			namesOf.set(
				testFilePath,
				testResults.map(({ fullName }) => fullName),
			);
		}
	}
};
