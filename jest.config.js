const { randomInt } = require('node:crypto');
const { dirname } = require('node:path');

// Random tests use the same seed in each run, and another seed at night. fast-check prints the path of a
// failure, and TEST_PATH repeats it.
const seeds = { undefined: '20261122', random: String(randomInt(2 ** 31)) };
process.env.TEST_SEED = seeds[process.env.TEST_SEED] ?? process.env.TEST_SEED;

const root = dirname(require.resolve('./package.json')).replaceAll(/\W/g, '\\$&');

/** A project for a kind of test, for example `jest --selectProjects unit`. */
const kind = (name) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	// The environment fails a test file that leaves a server open.
	testEnvironment: '<rootDir>/test/support/jest/environment.ts',
	setupFiles: ['<rootDir>/test/support/jest/noProxy.ts'],
	transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp/'],
	// n8n's loader of packages loads the source instead of the build.
	moduleNameMapper: { [`^${root}/dist/(.+)\\.js$`]: '<rootDir>/$1.ts' },
});

const integration = kind('integration');
// A third of what n8n-core loads, and used by no test.
const unused = '^(@n8n/blob-storage|ssh2|undici|@langchain/core/tools)$';
integration.moduleNameMapper[unused] = '<rootDir>/test/support/jest/unused.js';

module.exports = {
	projects: [kind('unit'), integration, kind('e2e'), kind('browser')],
	reporters: ['default', '<rootDir>/test/support/jest/reporter.js'],
	testSequencer: '<rootDir>/test/support/jest/sequencer.js',
	// Many tests wait for a service or n8n, so three workers use two processors fully.
	maxWorkers: 3,
	forceExit: true,
	// Long, because all kinds of tests run in parallel on machines with few processors.
	testTimeout: 20_000,
};
