// Turns between processes. Plain Node.js: `prepare.mjs` needs it before anything is installed.
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const { rmSync } = require('node:fs');
const { connect, createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** Longest name of a Linux abstract socket: some versions of Node.js fill a shorter one up, others don't. */
const ABSTRACT_LENGTH = 108;

/**
 * Waits until no other process has the turn of this name, and takes it. A socket holds the turn, because
 * the system closes it however the process ends. On macOS the socket is a file that a kill leaves behind:
 * two processes that find it at the same moment may both take the turn.
 *
 * @param {string} name
 * @param {() => void} onWait called once, if another process has the turn
 * @param {AbortSignal} [signal] ends the waiting
 * @returns {Promise<() => void>} a function that ends the turn, as the end of the process does
 */
exports.waitForTurn = async function (name, onWait, signal) {
	const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
	const socket = `n8n-nodes-voice-agent-${hash}`;
	const file = join(tmpdir(), socket);
	const names = {
		linux: `\0${socket}`.padEnd(ABSTRACT_LENGTH, '-'),
		win32: `\\\\.\\pipe\\${socket}`,
	};
	const path = names[process.platform] ?? file;
	let isWaiting = false;
	for (;;) {
		const waiting = new Set();
		const server = createServer((one) => waiting.add(one.on('error', () => {})));
		try {
			await once(server.listen(path), 'listening');
			// The server alone keeps no process alive.
			server.unref();
			process.once('exit', () => server.close());
			return () => {
				server.close();
				for (const one of waiting) one.destroy();
			};
		} catch (error) {
			if (error.code !== 'EADDRINUSE') throw error;
		}
		const holder = connect(path).resume();
		try {
			await once(holder, 'connect', { signal });
			// A process that is being killed still accepts connections for a moment.
			if (!isWaiting) onWait();
			isWaiting = true;
			await once(holder, 'close', { signal });
		} catch (error) {
			signal?.throwIfAborted();
			// The process that made this socket is gone.
			if (error.code === 'ECONNREFUSED') rmSync(file, { force: true });
			// The holder has ended its turn meanwhile.
			else if (!['ENOENT', 'ECONNRESET'].includes(error.code)) throw error;
		} finally {
			holder.destroy();
		}
	}
};
