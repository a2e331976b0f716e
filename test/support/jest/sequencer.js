const Sequencer = require('@jest/test-sequencer').default;

/** The beginnings of the tests' paths below `test`, the ones that take longest first: no long test runs alone at the end. */
const ORDER = [
	...['e2e/n8n', 'unit/steps', 'e2e/', 'integration/dialects', 'integration/contributing'],
	...['integration/', 'unit/', 'browser/'],
];

/** Starts the end-to-end tests first: they take longest, and mostly wait. */
module.exports = class extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => ORDER.findIndex((part) => path.includes(`/test/${part}`));
		return super.sort(tests).sort((a, b) => rank(a) - rank(b));
	}
};
