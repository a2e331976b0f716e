/** Tests by kind, one folder each; `jest test/unit` runs one kind. */
module.exports = {
	testMatch: ['<rootDir>/test/{unit,integration,e2e}/**/*.test.ts'],
	// The environment sees what would keep Jest from ending, and says so; waiting for it says nothing.
	forceExit: true,
	// Kinds of tests run side by side, on machines with few processors.
	testTimeout: 20_000,
	testEnvironment: '<rootDir>/test/support/environment.ts',
	setupFiles: ['<rootDir>/test/support/noProxy.ts'],
	transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp/'],
};
