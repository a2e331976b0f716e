const [{ setupFiles, transform, moduleNameMapper }] = require('../jest.config').projects;

/** How the tests run on changed code, see mutations.mjs: in one process, and without a look for open servers. */
module.exports = {
	rootDir: '..',
	testEnvironment: 'node',
	setupFiles,
	transform,
	moduleNameMapper,
	testTimeout: 20_000,
};
