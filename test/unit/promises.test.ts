import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readManifest } from '../../scripts/manifest';
import { runTests } from '../../scripts/tests';
import { read, root } from '../support/documents';

/** The promise, the file and the test of each row. */
const rows = [
	...read('docs/promises.md').matchAll(/^\| (.+?) +\| `([^`]+)` +\| `([^`]+)` +\|$/gm),
].map(([, promise = '', file = '', name = '']) => ({ promise, file, name }));

/** The test kinds that the steps of .ci/run select, also by way of other scripts. */
function kindsOf(command: string): string[] {
	const { scripts } = readManifest(root);
	const [, selected = ''] = /--selectProjects ([\w ]+)/.exec(command) ?? [];
	const [, steps = ''] = command.split('steps.mjs ');
	const called = steps.match(/'[^']+'|[\w:]+/g)?.map((step) => scripts[step]) ?? [];
	return [...selected.split(' '), ...called.flatMap((script) => kindsOf(script ?? ''))];
}

/** @returns why CI does not run a test; undefined if it does */
function problemOf({ file, name }: { file: string; name: string }): string | undefined {
	const [, kind = '', folder = ''] = file.split('/');
	if (!existsSync(join(root, file))) return `${file}: no such file`;
	if (!kindsOf(read('.ci/run')).includes(kind)) return `${file}: CI runs no ${kind} tests`;
	const isSuite =
		folder === 'suites' && read('test/e2e/n8n.test.ts').includes(`'${suiteOf(file)}'`);
	if (!file.endsWith('.test.ts') && !isSuite) return `${file}: Jest does not run it`;
	return runTests(file, read(file)).includes(name) ? undefined : `${file}: no test "${name}"`;
}

const suiteOf = (file: string) => /(\w+)\.ts$/.exec(file)?.[1] ?? '';

test('each promise has a test that exists and that CI runs', () => {
	expect(rows.length).toBeGreaterThan(60);
	expect(rows.map(problemOf).filter(Boolean)).toEqual([]);
});

test('each row of the table is a promise of its own', () => {
	const lines = read('docs/promises.md').split('\n');
	const cells = lines.filter((line) => /^\| (?!Promise|-)/.test(line));
	expect(rows).toHaveLength(cells.length);
	expect(new Set(rows.map(({ promise }) => promise)).size).toBe(rows.length);
});
