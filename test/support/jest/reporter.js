const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

/**
 * A Jest reporter that prints the seed of the random tests, and adds the seconds of each test file to
 * the file that `scripts/steps.mjs` names.
 */
module.exports = class {
	onTestFileResult({ path }, { perfStats: { start, end } }) {
		const { TEST_SECONDS_FILE } = process.env;
		if (!TEST_SECONDS_FILE) return;
		const line = { file: relative(process.cwd(), path), seconds: (end - start) / 1000 };
		appendFileSync(TEST_SECONDS_FILE, `${JSON.stringify(line)}\n`);
	}

	onRunComplete() {
		const { TEST_SEED, TEST_RUNS = '1' } = process.env;
		console.log(
			`Repeat random tests with TEST_SEED=${TEST_SEED} TEST_RUNS=${TEST_RUNS} npx jest FILE`,
		);
	}
};
