const [{ setupFiles, transform, moduleNameMapper }] = require('../jest.config').projects;

/** The Jest configuration of mutations.mjs: one process, and no check for open servers. */
module.exports = {
	rootDir: '..',
	testEnvironment: 'node',
	setupFiles,
	transform,
	moduleNameMapper,
	testTimeout: 20_000,
};
