import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES = ['package.json', 'tsconfig.json', 'eslint.config.mjs'];
const root = join(__dirname, '..', '..');

test('the scan finds a fault in the tarball, a fault in the source, and missing nodes', () => {
	const checkout = mkdtempSync(join(tmpdir(), 'voice-agent-scanned-'));
	for (const name of [...FILES, 'credentials', 'nodes', 'dist']) {
		cpSync(join(root, name), join(checkout, name), { recursive: true });
	}
	writeFileSync(join(checkout, '.gitignore'), 'dist\n');
	appendFileSync(
		join(checkout, 'nodes/VoiceAgent/text/parameters.ts'),
		"\nexport const home = process.env['HOME'];\n",
	);
	appendFileSync(join(checkout, 'dist/bundle.js'), "\nconsole.log('built');\n");
	const git = (...command: string[]) => execFileSync('git', command, { cwd: checkout });
	git('init', '--quiet');
	git('add', '.');
	git('-c', 'user.name=-', '-c', 'user.email=-', 'commit', '--quiet', '--message', 'All files');
	const scan = () =>
		spawnSync(process.execPath, [join(root, 'scripts', 'scan.mjs')], {
			cwd: checkout,
			encoding: 'utf8',
			// With Jest's NODE_ENV, n8n's lint rules treat each file as a test of the rules.
			env: { ...process.env, NODE_ENV: '' },
		});

	const { status, stdout, stderr } = scan();
	expect(status).toBe(1);
	expect(stdout).toMatch(
		/✖ the packed tarball[^]*✖ the source[^]*✖ n8n-node lint[^]*✔ n8n-node cloud-support[^]*not checked: provenance/,
	);
	expect(stderr).toMatch(/bundle\.js[^]*no-console[^]*parameters\.ts[^]*no-restricted-globals/);
	expect(stderr).not.toContain('.node.ts');

	rmSync(join(checkout, 'dist', 'nodes'), { recursive: true });
	expect(scan().stderr).toContain('dist/nodes not there');
	rmSync(checkout, { recursive: true });
}, 120_000);
