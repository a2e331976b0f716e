import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { draw, findCrossings, withPicture } from '../../scripts/architecture';
import { findCycles, importsOf, readImports } from '../../scripts/imports';
import { findSharedNames } from '../../scripts/names';

const root = join(__dirname, '..', '..');
const imports = readImports(root);

const crossingsOf = (file: string, imported: string) =>
	findCrossings(importsOf(file, `import type { It } from '${imported}';`));

test('imports lead downwards only', () => {
	expect(imports.length).toBeGreaterThan(300);
	expect(findCrossings(imports)).toEqual([]);
});

test.each([
	['nodes/VoiceAgent/answers/lists.ts', '../endpoint/state'],
	['nodes/VoiceAgent/endpoint/create.ts', '../delivery/receive'],
	['nodes/VoiceAgent/callDetails/call.ts', '../delivery/judge'],
	['nodes/VoiceAgent/endpoint/create.ts', '../../../sandbox/service/keys'],
	['credentials/VoiceAgentApi.credentials.ts', '../test/support/n8nCore'],
	['sandbox/service/keys.ts', '../stack/n8n'],
	['sandbox/stack/n8n.ts', '../../nodes/VoiceAgent/api/request'],
	['nodes/VoiceAgent/elsewhere.ts', './api/request'],
])('%s may not import %s', (file, imported) => {
	expect(crossingsOf(file, imported)).toHaveLength(1);
});

test('the picture in docs/architecture.md is up to date; if not: npm run architecture', () => {
	const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
	expect(page).toBe(withPicture(page, draw(imports)));
	// One more import between rooms would show.
	const another = {
		from: 'nodes/VoiceAgent/VoiceAgent.node',
		to: 'nodes/VoiceAgent/matcher/words',
	};
	expect(page).not.toBe(withPicture(page, draw([...imports, another])));
});

test('a cycle of imports is found once, with its shortest way', () => {
	const cycle = [
		['a', 'b'],
		['b', 'c'],
		['c', 'a'],
		['c', 'd'],
	].map(([from = '', to = '']) => ({ from, to }));
	expect(findCycles(cycle)).toEqual(['c > a > b > c']);
	expect(findCycles(cycle.slice(1))).toEqual([]);
});

test('a name that two files define is found, apart from exports of operations', () => {
	const own = 'const { first, list: [second] } = it; type Third = 1; export const create = 1;';
	const other = 'function second() {} interface Third {} const description = 1; const create = 1;';
	const files = [
		{ file: 'a.operation.ts', text: `${own} const description = 2;` },
		{ file: 'b.ts', text: other },
	];
	expect(findSharedNames(files)).toEqual([
		'Third: a.operation.ts, b.ts',
		'second: a.operation.ts, b.ts',
	]);
});
