import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { copyConnector } from '../../sandbox/stack/connector';

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

test('holds the same bytes each time that it is packed', () => {
	const again = mkdtempSync(path.join(tmpdir(), 'voice-agent-package-again-'));
	try {
		execFileSync('npm', ['pack', '--silent', '--pack-destination', again], { cwd: root });
		const [name = ''] = readdirSync(again);
		expect(name).toBe(path.basename(tarball));
		expect(readFileSync(path.join(again, name)).equals(readFileSync(tarball))).toBe(true);
	} finally {
		rmSync(again, { recursive: true });
	}
});

test('holds exactly the files that its source is built to', async () => {
	const copy = await copyConnector(path.join(folder, 'copy'));
	execFileSync('npx', ['gulp', '--silent'], { cwd: copy });
	const filesOf = (parent: string) =>
		readdirSync(path.join(parent, 'dist'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.js'))
			.sort()
			.map((file) => ({ file, code: readFileSync(path.join(parent, 'dist', file), 'utf8') }));
	expect(filesOf(path.join(folder, 'package'))).toEqual(filesOf(copy));
}, 60_000);

test('is below 82 kB packed', () => {
	expect(statSync(tarball).size).toBeLessThan(82_000);
});

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
