const { types } = require('node:util');
const { default: Runtime } = require('jest-runtime');

/** Packages that take long to load. */
const SHARED = ['n8n-core', 'n8n-workflow', 'fastify', 'axios', 'express', 'fast-check'];

/** n8n-core's loader of packages, which must load the mutated code. */
const LOADER = 'n8n-core/dist/nodes-loader/package-directory-loader.js';

/**
 * Jest's runtime for many short runs: heavy packages are loaded once for all runs, and the first failed
 * test ends its file.
 */
module.exports = class extends Runtime {
	constructor(config, environment, ...others) {
		super(config, environment, ...others);
		endAtFailure(environment);
		recognizeErrors(environment.global.Error);
	}

	requireModule(from, name, options, isActual) {
		if (!SHARED.includes(name)) return super.requireModule(from, name, options, isActual);
		if (name !== 'n8n-core') return require(name);
		return { ...require(name), ...super.requireModule(from, require.resolve(LOADER)) };
	}
};

function endAtFailure(environment) {
	const handle = environment.handleTestEvent;
	let hasFailed = false;
	environment.handleTestEvent = async function (event, state) {
		if (event.name === 'test_start' && hasFailed) event.test.mode = 'skip';
		if (event.name === 'test_done') hasFailed ||= event.test.errors.length > 0;
		await handle?.call(this, event, state);
	};
}

/** Makes `instanceof Error` true for the errors of shared packages, whose `Error` is another. */
function recognizeErrors(Error) {
	const isInstance = Function.prototype[Symbol.hasInstance];
	Object.defineProperty(Error, Symbol.hasInstance, {
		value(value) {
			return isInstance.call(this, value) || (this === Error && types.isNativeError(value));
		},
	});
}
