/** How the tests run on changed code, see mutations.mjs: in one process, and from the source. */
module.exports = {
	rootDir: '..',
	testEnvironment: 'node',
	setupFiles: ['<rootDir>/test/support/noProxy.ts'],
	transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	// n8n's loader of packages gets the changed source in place of the compiled files.
	moduleNameMapper: { '/dist/((?:nodes|credentials)/.*)\\.js$': '<rootDir>/$1.ts' },
	testTimeout: 20_000,
};
