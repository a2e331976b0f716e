import { basename } from 'node:path';

import { readManifest } from '../../scripts/manifest';
import { readPromises } from '../../scripts/promises';
import { filesEndingIn, read, root } from '../support/documents';

const promised = readPromises();

/** Whether CI runs a file: a step runs its kind of test, and a suite is named by the file that runs it. */
function isRun(file: string): boolean {
	const { scripts } = readManifest(root);
	const steps = read('.ci/run').split('steps.mjs')[1] ?? '';
	const [, kind = ''] = file.split('/');
	if (!`${steps} ${scripts.test}`.split(/[\s':]+/).includes(kind)) return false;
	if (kind !== 'e2e' || file.endsWith('.test.ts')) return true;
	return read('test/e2e/n8n.test.ts').includes(`'${basename(file, '.ts')}'`);
}

test('each promise stands once, above a test that CI runs', () => {
	const written = filesEndingIn('.ts')
		.filter((file) => file.startsWith('test/'))
		.flatMap((file) => read(file).match(/^\t*\/\/ Promise: /gm) ?? []);
	expect(promised.length).toBeGreaterThan(60);
	expect(promised).toHaveLength(written.length);
	expect(new Set(promised.map(({ promise }) => promise)).size).toBe(promised.length);
	expect(promised.map(({ file }) => file).filter((file) => !isRun(file))).toEqual([]);
});
