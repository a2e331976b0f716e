/** A Jest reporter that prints the seed of the random tests. */
module.exports = class {
	onRunComplete() {
		const { TEST_SEED, TEST_RUNS = '1' } = process.env;
		console.log(
			`Repeat random tests with TEST_SEED=${TEST_SEED} TEST_RUNS=${TEST_RUNS} npx jest FILE`,
		);
	}
};
