import { constants, setPriority } from 'node:os';
import NodeEnvironment from 'jest-environment-node';

/** The time within which closed servers disappear. */
const CLOSING_MS = 2_000;

const countServers = () =>
	process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

/** Fails a test file that leaves a server open, since Jest would wait for the server forever. */
export default class extends NodeEnvironment {
	private readonly serversBefore = countServers();

	constructor(...[config, context]: ConstructorParameters<typeof NodeEnvironment>) {
		super(config, context);
		// End-to-end tests run beside integration tests: n8n fails expressions that take more than 250 ms.
		if (/[\\/]test[\\/]integration[\\/]/.test(context.testPath)) {
			setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
		}
	}

	override async teardown(): Promise<void> {
		await super.teardown();
		const until = Date.now() + CLOSING_MS;
		while (countServers() > this.serversBefore) {
			if (Date.now() > until) {
				throw new Error('A server still listens after the last test: close the server.');
			}
			await new Promise(setImmediate);
		}
	}
}
