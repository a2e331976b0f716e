import NodeEnvironment from 'jest-environment-node';

/** How long what was closed may take to be gone. */
const CLOSING_MS = 2_000;

const countServers = () =>
	process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;

/** Node.js, where a test file fails that leaves a server open: Jest would wait for it without an end. */
export default class extends NodeEnvironment {
	private readonly serversBefore = countServers();

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
