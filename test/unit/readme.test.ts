import { DETAIL_KEYS } from '../../nodes/VoiceAgent/callDetails/details';
import { readManifest } from '../../scripts/manifest';
import { filesEndingIn, firstCells, read, root, sectionOf } from '../support/documents';

const readme = read('README.md');

/** The bounds of what a reader gets: the README in lines and bytes, and all pages in bytes. */
const MOST = { lines: 100, bytes: 9000, bytesOfPages: 95_000 };

test('the README and the pages are short', () => {
	const bytesOf = (...files: string[]) => Buffer.byteLength(files.map(read).join(''));
	const isPage = (file: string) => !/^(\.github|sandbox|test)\/|^(CHANGELOG|LICENSE)/.test(file);
	const figures = {
		lines: readme.trimEnd().split('\n').length,
		bytes: bytesOf('README.md'),
		bytesOfPages: bytesOf(...filesEndingIn('.md').filter(isPage)),
	};
	console.log(figures);
	for (const name of ['lines', 'bytes', 'bytesOfPages'] as const) {
		expect({ [name]: Math.max(figures[name], MOST[name]) }).toEqual({ [name]: MOST[name] });
	}
});

test('each figure in a line that links the evidence is there', () => {
	const evidence = read('docs/evidence.md');
	const lines = filesEndingIn('.md').flatMap(
		(file) => read(file).match(/.*evidence\.md\).*/g) ?? [],
	);
	const figures = lines.join('\n').match(/(?<![\w/])\d[\d.,]*\d/g) ?? [];
	expect(figures.length).toBeGreaterThan(3);
	expect(figures.filter((one) => !evidence.includes(one.replaceAll(',', '')))).toEqual([]);
});

test('the README shows the version', () => {
	expect(readme).toContain(`\nVersion ${readManifest(root).version}, `);
});

// Promise: The page of the trigger lists each field of `callDetails`.
test('the table of callDetails has each of its fields, and no other', () => {
	const page = read('docs/voice-agent-trigger.md');
	const rows = firstCells(sectionOf(page, '## Call details') ?? '').join();
	const documented = [...rows.matchAll(/`([\w.]+)`/g)].map(([, field]) => field);
	expect(documented.sort()).toEqual(['person', 'test', ...DETAIL_KEYS, 'title', 'text'].sort());
});
