/** Tests by kind, one folder each; `jest test/unit` runs one kind. */
module.exports = {
	testMatch: ['<rootDir>/test/{unit,integration,e2e}/**/*.test.ts'],
	setupFiles: ['<rootDir>/test/support/noProxy.ts'],
	transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/test/tsconfig.json' }] },
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.tmp/'],
};
