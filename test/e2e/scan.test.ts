import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

let checkout: string;
beforeEach(() => {
	checkout = mkdtempSync(join(tmpdir(), 'voice-agent-scanned-'));
	for (const name of ['package.json', 'credentials', 'nodes', 'dist']) {
		cpSync(join(root, name), join(checkout, name), { recursive: true });
	}
	writeFileSync(join(checkout, '.gitignore'), 'dist\n');
});
afterEach(() => rmSync(checkout, { recursive: true }));

const scan = () => {
	for (const command of [
		['init', '--quiet'],
		['add', '.'],
		['-c', 'user.name=-', '-c', 'user.email=-', 'commit', '--quiet', '--message', 'All files'],
	]) {
		execFileSync('git', command, { cwd: checkout });
	}
	return spawnSync(process.execPath, [join(root, 'scripts', 'scan.mjs')], {
		cwd: checkout,
		encoding: 'utf8',
		// With Jest's NODE_ENV, n8n's lint rules treat each file as a test of the rules.
		env: { ...process.env, NODE_ENV: '' },
	});
};

test('the scan finds a fault in the source, and a fault in the tarball', () => {
	appendFileSync(
		join(checkout, 'nodes/VoiceAgent/parameters.ts'),
		"\nexport const home = process.env['HOME'];\n",
	);
	appendFileSync(join(checkout, 'dist/bundle.js'), "\nconsole.log('built');\n");

	const { status, stdout, stderr } = scan();
	expect(status).toBe(1);
	expect(stdout).toMatch(/✖ the source[^]*✖ the packed tarball[^]*not checked: provenance/);
	expect(stderr).toMatch(/parameters\.ts[^]*no-restricted-globals[^]*bundle\.js[^]*no-console/);
	expect(stderr).not.toContain('.node.ts');
}, 60_000);

test('the scan fails for a package without nodes', () => {
	rmSync(join(checkout, 'dist', 'nodes'), { recursive: true });
	const { status, stdout, stderr } = scan();
	expect(status).toBe(1);
	expect(stdout).toMatch(/✔ the source[^]*✖ the packed tarball/);
	expect(stderr).toContain('Not there: dist/nodes');
}, 60_000);
