// Turns between processes. Plain Node.js: `prepare.mjs` needs it before anything is installed.
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const { rmSync } = require('node:fs');
const { connect, createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/**
 * Waits until no other process has the turn of this name, and takes it. What holds it is a socket,
 * because the system lets go of that however a process ends.
 *
 * @param {string} name
 * @param {() => void} onWait called where another process has it
 * @param {AbortSignal} [signal] ends the waiting
 * @returns {Promise<() => void>} a function that ends the turn, as the end of the process does
 */
exports.waitForTurn = async function (name, onWait, signal) {
	const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
	const file = `n8n-nodes-voice-agent-${hash}`;
	const path = process.platform === 'win32' ? `\\\\.\\pipe\\${file}` : join(tmpdir(), file);
	for (;;) {
		const waiting = new Set();
		const server = createServer((socket) => waiting.add(socket.on('error', () => {})));
		try {
			await once(server.listen(path), 'listening');
			// It keeps no process alive.
			server.unref();
			process.once('exit', () => server.close());
			return () => {
				server.close();
				for (const socket of waiting) socket.destroy();
			};
		} catch (error) {
			if (error.code !== 'EADDRINUSE') throw error;
		}
		const holder = connect(path).resume();
		try {
			await once(holder, 'connect', { signal });
			onWait();
			await once(holder, 'close', { signal });
		} catch (error) {
			signal?.throwIfAborted();
			// Nobody listens: the process that made this socket is gone.
			if (error.code === 'ECONNREFUSED') rmSync(path, { force: true });
			// It went just now.
			else if (!['ENOENT', 'ECONNRESET'].includes(error.code)) throw error;
		} finally {
			holder.destroy();
		}
	}
};
