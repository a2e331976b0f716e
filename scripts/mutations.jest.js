const [{ setupFiles, transform, moduleNameMapper }] = require('../jest.config').projects;

/** How the tests run on changed code, see mutations.mjs: in one process, and without a look for open servers. */
module.exports = {
	rootDir: '..',
	testEnvironment: 'node',
	setupFiles,
	transform,
	moduleNameMapper,
	runtime: '<rootDir>/scripts/mutations.runtime.js',
	testSequencer: '<rootDir>/scripts/mutations.sequencer.js',
	testTimeout: 20_000,
};
