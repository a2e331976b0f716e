const Sequencer = require('@jest/test-sequencer').default;

/**
 * Starts the end-to-end tests first: they take longest, and leave the processor to others while they wait.
 * Unit tests come last, and the longest integration test first, since no long one shall run alone at the end.
 */
module.exports = class extends Sequencer {
	sort(tests) {
		const kinds = ['e2e/', 'integration/dialects', 'integration/', 'unit/', 'browser/'];
		const rank = ({ path }) => kinds.findIndex((kind) => path.includes(`/test/${kind}`));
		return super.sort(tests).sort((a, b) => rank(a) - rank(b));
	}
};
