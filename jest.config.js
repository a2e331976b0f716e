const { randomInt } = require('node:crypto');
const { dirname } = require('node:path');

// Random tests draw the same in each run, so that a change is judged by itself. At night another seed
// is drawn. fast-check prints the path of a failure; TEST_PATH goes straight to it.
const seeds = { undefined: '20261122', random: String(randomInt(2 ** 31)) };
process.env.TEST_SEED = seeds[process.env.TEST_SEED] ?? process.env.TEST_SEED;

const root = dirname(require.resolve('./package.json')).replaceAll(/\W/g, '\\$&');

/** One project for each kind of test; `jest --selectProjects unit` runs one of them. */
const kind = (name) => ({
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	// The environment fails a test file that leaves a server open; waiting for it would never end.
	testEnvironment: '<rootDir>/test/support/environment.ts',
	setupFiles: ['<rootDir>/test/support/noProxy.ts'],
	transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp/'],
	// n8n's loader of packages gets the source in place of the build.
	moduleNameMapper: { [`^${root}/dist/(.+)\\.js$`]: '<rootDir>/$1.ts' },
});

module.exports = {
	projects: ['unit', 'integration', 'e2e', 'browser'].map(kind),
	reporters: ['default', '<rootDir>/test/support/reporter.js'],
	testSequencer: '<rootDir>/test/support/sequencer.js',
	// Many tests wait for a service or for n8n: three keep two processors busy.
	maxWorkers: 3,
	forceExit: true,
	// Kinds of tests run side by side, on machines with few processors.
	testTimeout: 20_000,
};
