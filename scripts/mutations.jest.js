const [{ setupFiles, transform, moduleNameMapper }] = require('../jest.config').projects;

/** The Jest configuration of mutations.mjs: one process, and no check for open servers. */
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
