import { constants, setPriority } from 'node:os';
import NodeEnvironment from 'jest-environment-node';

/** How long what was closed may take to be gone. */
const CLOSING_MS = 2_000;

const countServers = () =>
	process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

/** Node.js, where a test file fails that leaves a server open: Jest would wait for it without an end. */
export default class extends NodeEnvironment {
	private readonly serversBefore = countServers();

	constructor(...[config, context]: ConstructorParameters<typeof NodeEnvironment>) {
		super(config, context);
		// A real n8n goes first: it refuses what takes it more than 250 ms, such as a regular expression.
		if (/[\\/]test[\\/]integration[\\/]/.test(context.testPath)) {
			setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
		}
	}

	override async teardown(): Promise<void> {
		await super.teardown();
		const until = Date.now() + CLOSING_MS;
		while (countServers() > this.serversBefore) {
			if (Date.now() > until) {
				throw new Error('A server still listens after the last test: close it there.');
			}
			await new Promise(setImmediate);
		}
	}
}
