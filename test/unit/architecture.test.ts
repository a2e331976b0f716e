import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { draw, findCrossings, withPicture } from '../../scripts/architecture';
import { readImports } from '../../scripts/imports';

const root = join(__dirname, '..', '..');
const imports = readImports(root);

test('imports lead downwards only', () => {
	expect(imports.length).toBeGreaterThan(300);
	expect(findCrossings(imports)).toEqual([]);
});

test('the picture in docs/architecture.md is up to date; if not: npx tsx scripts/architecture.ts', () => {
	const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
	expect(page).toBe(withPicture(page, draw(imports)));
});
