const Sequencer = require('@jest/test-sequencer').default;

/** Starts the end-to-end tests first: they take longest, and leave the processor to others while they wait. */
module.exports = class extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => (path.includes('/test/e2e/') ? 0 : 1);
		return super.sort(tests).sort((a, b) => rank(a) - rank(b));
	}
};
