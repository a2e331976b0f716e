import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** Where a socket is a file. */
const ON_MACOS = `--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'darwin'})`;

test('an npm script says so when it can neither have its turn nor wait for it', () => {
	const checkout = realpathSync(mkdtempSync(join(tmpdir(), 'prepare-')));
	try {
		const files = ['prepare.mjs', 'turn.js'].map((file) => join('sandbox', file));
		for (const file of ['package.json', 'package-lock.json', ...files]) {
			cpSync(join(root, file), join(checkout, file));
		}
		// In the place of the socket, something that is there and can't be connected to.
		const hash = createHash('sha256').update(`${checkout}/`).digest('hex').slice(0, 16);
		const socket = join(checkout, `n8n-nodes-voice-agent-${hash}`);
		symlinkSync(socket, socket);

		const { status, stderr } = spawnSync(
			process.execPath,
			[ON_MACOS, join(checkout, 'sandbox', 'prepare.mjs')],
			{ env: { ...process.env, TMPDIR: checkout }, encoding: 'utf8', timeout: 20_000 },
		);
		expect([status, stderr]).toEqual([1, expect.stringContaining(socket)]);
	} finally {
		rmSync(checkout, { recursive: true });
	}
}, 30_000);
