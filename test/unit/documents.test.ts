import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

import { addressOf } from '../../scripts/addresses';
import { readManifest } from '../../scripts/manifest';
import { blocksOf, filesEndingIn, read, root } from '../support/documents';

const manifest = readManifest(root);
const documents = filesEndingIn('.md').filter((file) => !file.startsWith('test/'));

/** @returns a document without its code blocks */
function withoutBlocks(text: string): string {
	return text.replace(/^ *```[^]*?^ *```$/gm, '');
}

/** @returns the anchors that GitHub gives to the headings of a document */
function anchorsOf(text: string): string[] {
	return [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
		heading
			.trim()
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.replace(/\s/g, '-'),
	);
}

/** @returns the problem of a link in a file; undefined if its target exists */
function problemOf(file: string, link: string): string | undefined {
	const [path = '', anchor] = link.split('#');
	const target = path === '' ? file : posix.join(posix.dirname(file), decodeURIComponent(path));
	if (!existsSync(join(root, target))) return `${file}: there is no ${target}`;
	if (anchor === undefined || anchorsOf(read(target)).includes(anchor)) return undefined;
	return `${file}: there is no heading #${anchor} in ${target}`;
}

test('the target of every link inside the repository exists', () => {
	const links = documents.flatMap((file) =>
		[...withoutBlocks(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
			.map(([, link = '']) => ({ file, link }))
			.filter(({ link }) => !/^(https?|mailto):/.test(link)),
	);
	expect(links.length).toBeGreaterThan(30);
	expect(links.map(({ file, link }) => problemOf(file, link)).filter(Boolean)).toEqual([]);
});

test('the target of every address that n8n and GitHub show exists', () => {
	const address = addressOf(manifest);
	const shown = filesEndingIn('.md', '.json', '.yml', '.credentials.ts').flatMap((file) =>
		// A recipe links what it adds.
		read(file)
			.replace(/^```diff[^]*?^```$/gm, '')
			.split(address)
			.slice(1)
			.map((rest) => ({ file, rest: /^[^\s'"`)<>]*/.exec(rest)?.[0] ?? '' })),
	);
	expect(shown.length).toBeGreaterThan(5);
	const leadsNowhere = shown.filter(({ file, rest }) => {
		if (['.git', '/issues', '/security/advisories/new', '#readme'].includes(rest)) return false;
		const [, link = `README.md${rest}`] = /^\/(?:blob|raw)\/main\/(.*)$/.exec(rest) ?? [];
		return rest !== '' && problemOf(posix.basename(file), link) !== undefined;
	});
	expect(leadsNowhere).toEqual([]);
});

const blocks = documents.flatMap((file) =>
	blocksOf(read(file)).map((block) => ({ file, ...block })),
);

test('all JSON in the documents can be parsed', () => {
	const json = blocks.filter(({ info }) => /^json\b/.test(info));
	expect(json.length).toBeGreaterThan(0);
	for (const { code } of json) expect(() => JSON.parse(code) as unknown).not.toThrow();
});

test('all commands in the documents can be parsed, and their programs exist', () => {
	const shell = blocks.filter(({ info }) => /^(sh|bash)\b/.test(info));
	expect(shell.length).toBeGreaterThan(3);
	for (const { code } of shell) {
		expect(spawnSync('bash', ['-n', '-c', code], { encoding: 'utf8' }).stderr).toBe('');
	}

	const missing = documents.flatMap((file) => {
		const text = read(file);
		const scripts = [...text.matchAll(/\bnpm (?:run (?:-\S+ )*([\w:-]+)|(start|test)\b)/g)]
			.map(([, name, short]) => name ?? short ?? '')
			.filter((name) => !(name in manifest.scripts));
		const tools = [...text.matchAll(/\bnpx (?!@n8n\/scan)([\w@/-]+)/g)]
			.map(([, name = '']) => name)
			.filter((name) => !existsSync(join(root, 'node_modules', '.bin', name)));
		const tests = [...text.matchAll(/\bnpx jest ([\w/.-]+)/g)]
			.map(([, path = '']) => path)
			.filter((path) => !existsSync(join(root, path)));
		return [...scripts, ...tools, ...tests].map((name) => `${file}: ${name}`);
	});
	expect(missing).toEqual([]);
});

test('docs/architecture.md names only files that exist', () => {
	const page = withoutBlocks(read('docs/architecture.md'));
	const pathOf = (file: string) =>
		[join('nodes', 'VoiceAgent', file), file].find((path) => existsSync(join(root, path)));
	const files = [...page.matchAll(/`([\w/.-]+(?:\.ts|\/))`/g)].map(([, file = '']) => file);
	expect(files.length).toBeGreaterThan(30);
	expect(files.filter((file) => pathOf(file) === undefined)).toEqual([]);
});
