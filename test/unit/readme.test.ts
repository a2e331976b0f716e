import { statSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../nodes/VoiceAgent/operations/operations';
import { DETAIL_KEYS } from '../../nodes/VoiceAgent/callDetails/details';
import { addressOf } from '../../scripts/addresses';
import { readManifest } from '../../scripts/manifest';
import { filesEndingIn, firstCells, read, root, sectionOf } from '../support/documents';

const readme = read('README.md');
const lines = readme.trimEnd().split('\n');

/** The bounds of what a reader gets: the README in lines and words, and the pages of `docs` in bytes. */
const MOST = { lines: 150, words: 1500, bytes: 88_000 };

/** @returns the words that a reader sees, without the addresses of links */
function wordsIn(text: string): string[] {
	const shown = text.replace(/\]\([^)]*\)/g, '');
	return shown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

test('the README and the pages are short', () => {
	// The page of services is a table of facts, which grows with them.
	const isCounted = (file: string) => file.startsWith('docs/') && file !== 'docs/services.md';
	const pages = filesEndingIn('.md').filter(isCounted);
	expect(pages.length).toBeGreaterThan(5);
	const bytes = Buffer.byteLength(pages.map(read).join(''));
	const figures = { lines: lines.length, words: wordsIn(readme).length, bytes };
	console.log(figures);
	for (const name of ['lines', 'words', 'bytes'] as const) {
		expect([name, figures[name] <= MOST[name]]).toEqual([name, true]);
	}
});

test('the README has three pictures and an animation, each below 1 MB', () => {
	const pictures = [...readme.matchAll(/!\[[^\]]+\]\((.+?)\)/g)].map(([, file = '']) => file);
	expect(pictures).toHaveLength(4);
	expect(pictures.filter((file) => statSync(join(root, file)).size >= 1_000_000)).toEqual([]);
});

test('the README shows where to import each example from', () => {
	const raw = `${addressOf(readManifest(root))}/raw/main/`;
	const section = sectionOf(readme, '## Examples') ?? '';
	const shown = [...section.matchAll(/\]\((https:[^)]+)\)/g)].map(([, address]) => address);
	expect(shown.length).toBeGreaterThan(5);
	const examples = filesEndingIn('.json').filter((file) => file.startsWith('examples/'));
	expect(shown.sort()).toEqual(examples.map((file) => raw + file));
});

test('the README names each operation', () => {
	const section = sectionOf(readme, '## Operations')?.split('\n- ').slice(1) ?? [];
	for (const [place, resource] of Object.keys(operations).entries()) {
		for (const { name } of Object.values(operations[resource] ?? {})) {
			expect(section[place]?.replace(/\s+/g, ' ')).toContain(name);
		}
	}
});

// Promise: The README lists each field of `callDetails`.
test('the table of callDetails has each of its fields, and no other', () => {
	const rows = firstCells(sectionOf(readme, '## What each call contains') ?? '').join();
	const documented = [...rows.matchAll(/`([\w.]+)`/g)].map(([, field]) => field);
	expect(documented.sort()).toEqual(['person', 'test', ...DETAIL_KEYS, 'title', 'text'].sort());
});
