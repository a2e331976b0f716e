import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { addressOf, differing } from '../../scripts/addresses';
import { release } from '../../scripts/changelog';
import { readManifest } from '../../scripts/manifest';
import { missingParts } from '../../scripts/releasable';
import { filesEndingIn, root } from '../support/documents';

const files = filesEndingIn('.json', '.md', '.mjs', '.ts', '.yml').filter(
	(file) => !/^(sandbox|test)\//.test(file),
);

const placeholder = 'https://github.invalid/owner/n8n-nodes-voice-agent';
const filledIn = 'https://github.com/acme/n8n-nodes-voice-agent';

/** A checkout on `main` with placeholders as addresses, of which each test gets a copy. */
const template = mkdtempSync(join(tmpdir(), 'voice-agent-release-'));
let folder: string;
let checkout = template;

const git = (...args: string[]) =>
	execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
const read = (file: string) => readFileSync(join(checkout, file), 'utf8');
const rewrite = (file: string, change: (text: string) => string) =>
	writeFileSync(join(checkout, file), change(read(file)));

function commitAddresses(message: string): void {
	for (const { file, text } of differing(checkout)) writeFileSync(join(checkout, file), text);
	git('commit', '--quiet', '--all', '--message', message);
}

beforeAll(() => {
	for (const file of files) cpSync(join(root, file), join(checkout, file));
	symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
	const address = addressOf(readManifest(checkout));
	rewrite('package.json', (text) =>
		text
			.replaceAll(address, placeholder)
			.replace(/"email": ".*"/, '"email": "owner@github.invalid"'),
	);
	rewrite(
		'CHANGELOG.md',
		() => '# Changelog\n\n## Unreleased\n\n- Something that people notice.\n',
	);
	git('init', '--quiet', '--initial-branch', 'main');
	git('config', 'user.name', 'Maintainer');
	git('config', 'user.email', 'maintainer@example.com');
	writeFileSync(join(checkout, '.git', 'info', 'exclude'), 'node_modules\n');
	git('add', '.');
	commitAddresses('Begin');
});
afterAll(() => rmSync(template, { recursive: true }));
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'voice-agent-release-'));
	checkout = join(folder, 'checkout');
	cpSync(template, checkout, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const fillIn = () => {
	rewrite('package.json', (text) =>
		text
			.replace(`git+${placeholder}`, `git+${filledIn}`)
			.replace(/"email": ".*"/, '"email": "acme@example.com"'),
	);
	commitAddresses('Fill in the addresses');
};

test('releasing stops while the addresses are placeholders, and lists the fields to fill in', () => {
	const { status, stderr } = spawnSync(
		process.execPath,
		['--import', 'tsx', 'scripts/releasable.ts'],
		{ cwd: checkout, encoding: 'utf8' },
	);
	expect(status).toBe(1);
	expect(stderr).toContain('✖ package.json: "repository" is a placeholder');
	expect(stderr).toContain('✖ package.json: "author" has a placeholder');
});

test('the address of package.json is written to all files that show it', () => {
	fillIn();
	expect(missingParts(checkout)).toEqual([]);
	const shows = (address: string) =>
		files.filter((file) => !file.startsWith('scripts/') && read(file).includes(address));
	expect(shows(placeholder)).toEqual([]);
	expect(shows(filledIn).length).toBeGreaterThan(3);

	rewrite('nodes/VoiceAgent/VoiceAgent.node.json', (text) =>
		text.replaceAll(filledIn, 'https://github.com/another/n8n-nodes-voice-agent'),
	);
	expect(missingParts(checkout)).toEqual([
		expect.stringContaining('nodes/VoiceAgent/VoiceAgent.node.json: shows another address'),
	]);
});

test('releasing sets the version, dates the changelog, and pushes both with a tag', () => {
	fillIn();
	const upstream = join(folder, 'upstream.git');
	git('init', '--quiet', '--bare', upstream);
	git('remote', 'add', 'origin', upstream);
	git('push', '--quiet', '--set-upstream', 'origin', 'main');

	const bin = join(root, 'node_modules', '.bin');
	// Without the hook, which runs lint and tests.
	execFileSync(join(bin, 'release-it'), ['minor', '--ci', '--hooks.before:init='], {
		cwd: checkout,
		env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, CI: 'true' },
		stdio: 'pipe',
	});

	const { version } = readManifest(checkout);
	expect(version).toMatch(/^0\.\d+\.0$/);
	const today = new Date().toISOString().slice(0, 10);
	expect(read('CHANGELOG.md')).toBe(
		`# Changelog\n\n## ${version} (${today})\n\n- Something that people notice.\n`,
	);
	const readme = read('README.md');
	expect(readme).toMatch(new RegExp(`^Version ${version}, `, 'm'));
	expect(readme).toMatch(/^1\. \*\*Install\.\*\* .* `n8n-nodes-voice-agent`/m);
	expect(readme).not.toMatch(/Not on npm yet|<!--/);
	expect(git('show', '--no-patch', '--format=%s', `${version}^{commit}`)).toBe(
		`Release ${version}`,
	);
	expect(git('ls-remote', upstream, `refs/tags/${version}`)).not.toBe('');
	expect(git('status', '--porcelain')).toBe('');
	// The check of the publishing workflow.
	expect(missingParts(checkout, version)).toEqual([]);
	expect(missingParts(checkout, '9.9.9')).toEqual([
		expect.stringContaining(`the version is ${version}, and the tag 9.9.9`),
		expect.stringContaining('no entry for 9.9.9'),
	]);
}, 60_000);

test('a version without an entry in the changelog is not released', () => {
	expect(() => release('# Changelog\n\n## 0.1.0\n\n- Old.\n', '0.2.0', '2026-01-31')).toThrow(
		'has no entries below',
	);
	rewrite('CHANGELOG.md', (text) => text.replace('- Something that people notice.\n', ''));
	expect(missingParts(checkout)).toContain(
		'CHANGELOG.md: no entries below "## Unreleased". Add them.',
	);
});

// In a checkout, `.npmrc` turns off the npm script that n8n's template has against it.
test('npm publish on a laptop sends nothing, because it has no provenance', async () => {
	const requests: string[] = [];
	const registry = createServer(({ method, url }, response) => {
		requests.push(`${method} ${url}`);
		response.writeHead(404).end('{}');
	});
	await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
	const address = `//127.0.0.1:${(registry.address() as AddressInfo).port}/`;
	const args = [`--registry=http:${address}`, `--${address}:_authToken=token`, '--ignore-scripts'];
	// Without the variables by which npm recognizes GitHub and GitLab.
	const env = { PATH: process.env.PATH, HOME: folder };
	const published = promisify(execFile)('npm', ['publish', ...args], { cwd: checkout, env });
	await expect(published).rejects.toMatchObject({
		stderr: expect.stringContaining('provenance generation not supported') as string,
	});
	expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
	await new Promise((resolve) => registry.close(resolve));
}, 60_000);
