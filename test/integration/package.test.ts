import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { INSTALL } from '../../sandbox/stack/n8n';

const root = path.resolve(__dirname, '../..');
let folder: string;
let files: string[];
let tarball: string;

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'voice-agent-package-'));
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
	tarball = path.join(folder, readdirSync(folder)[0] ?? '');
	execFileSync('tar', ['-xzf', tarball, '-C', folder]);
	files = readdirSync(path.join(folder, 'package'), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('holds only files that an n8n instance needs', () => {
	const needed =
		/^package\/(package\.json|README\.md|LICENSE(\.md)?|dist\/bundle\.js|dist\/(nodes|credentials)\/.+\.(js|json|svg))$/;
	expect(files.filter((file) => !needed.test(file))).toEqual([]);
});

// Promise: Its files import `n8n-workflow`, `crypto` and each other.
test('requires nothing but n8n-workflow, crypto and its own files', () => {
	const requires = files
		.filter((file) => file.endsWith('.js'))
		.flatMap((file) => {
			const code = readFileSync(path.join(folder, file), 'utf8');
			return [
				...code.matchAll(/\b(?:require|import)\(\s*([^)]*)\)|\bfrom\s+(['"][^'"]+['"])/g),
			].map((match) => ({ file, module: (match[1] ?? match[2] ?? '').replace(/['"]/g, '') }));
		});
	expect(requires.length).toBeGreaterThan(20);
	const own = ({ file, module }: { file: string; module: string }) =>
		module.startsWith('.') && files.includes(path.join(path.dirname(file), module));
	const foreign = requires.filter(
		(required) => !['n8n-workflow', 'crypto'].includes(required.module) && !own(required),
	);
	expect(foreign).toEqual([]);
});

// Promise: The commands of the README's first step install this package alone.
test('installs as one package, by the commands that the first step of the README prints', () => {
	const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
	expect(readme).toMatch(/^1\. \*\*Install\.\*\* .*`npm run package`/m);
	const script = path.join(root, 'scripts', 'package.mjs');
	const cwd = path.join(folder, 'package');
	const printed = execFileSync('node', [script], { cwd, encoding: 'utf8' });
	const commands = printed.split('\n').filter((line) => line.includes(INSTALL.join(' ')));
	expect(commands).toHaveLength(2);
	// In place of Docker: what is executed in the container.
	const docker = 'docker() { [ $1 = restart ] || sh -c "$8"; }';
	for (const [place, command] of commands.entries()) {
		const home = path.join(folder, `home ${place}`);
		mkdirSync(home);
		const env = { ...process.env, HOME: home };
		execFileSync('bash', ['-c', `${docker}; ${command}`], { cwd, env, stdio: 'pipe' });
		expect(readdirSync(path.join(home, '.n8n/nodes/node_modules'))).toEqual([
			'.package-lock.json',
			'n8n-nodes-voice-agent',
		]);
	}
}, 60_000);

// Promise: The package installs nothing and runs nothing.
test('has every file that its package.json names, and nothing to install or run', () => {
	const manifest = JSON.parse(
		readFileSync(path.join(folder, 'package/package.json'), 'utf8'),
	) as Record<string, unknown> & { n8n: { nodes: string[]; credentials: string[] } };
	for (const file of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		expect(files).toContain(`package/${file}`);
	}
	expect(manifest.dependencies).toBeUndefined();
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	expect(Object.keys(manifest.scripts as object)).not.toEqual(
		expect.arrayContaining([expect.stringMatching(/install|prepare$/)]),
	);
});
