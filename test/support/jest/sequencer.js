const Sequencer = require('@jest/test-sequencer').default;

/**
 * Starts the end-to-end tests first: they take longest, and mostly wait. The longest integration test
 * starts before the others, so that no long test runs alone at the end.
 */
module.exports = class extends Sequencer {
	sort(tests) {
		const kinds = ['e2e/', 'integration/dialects', 'integration/', 'unit/', 'browser/'];
		const rank = ({ path }) => kinds.findIndex((kind) => path.includes(`/test/${kind}`));
		return super.sort(tests).sort((a, b) => rank(a) - rank(b));
	}
};
