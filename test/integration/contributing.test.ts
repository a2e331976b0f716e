import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/service';
import { copyConnector } from '../../sandbox/stack/connector';
import { blocksOf, read, root, sectionOf } from '../support/documents';
import { NodeInWorkflow } from '../support/n8n/core';
import { loadPackageFrom } from '../support/n8n/nodePackage';

/** What the recipes need beside the connector. */
const COPIED = [
	...['README.md', 'docs', 'eslint.config.mjs', 'examples', 'jest.config.js', 'sandbox'],
	...['scripts', 'test'],
];

const checkout = mkdtempSync(join(tmpdir(), 'voice-agent-recipe-'));
afterAll(() => rmSync(checkout, { recursive: true }));

/** Applies a diff, whose unchanged and removed lines a text has once, with the added lines behind them. */
function apply(diff: string, text: string): string {
	for (const [hunk] of diff.matchAll(/(?:^[ -].*\n)+(?:^\+.*\n)+/gm)) {
		const before = hunk.replace(/^\+.*\n/gm, '').replace(/^./gm, '');
		const parts = text.split(before);
		expect([before, parts.length]).toEqual([before, 2]);
		text = parts.join(hunk.replace(/^-.*\n/gm, '').replace(/^./gm, ''));
	}
	return text;
}

/** Runs a program. @throws an Error with what it printed, if it fails */
function run(bin: string, ...args: string[]): void {
	const program = join(root, 'node_modules', '.bin', bin);
	const { status, stdout, stderr } = spawnSync(program, args, { cwd: checkout, encoding: 'utf8' });
	if (status !== 0) throw new Error(`${bin} failed\n${stdout}${stderr}`);
}

/** Does in the checkout what a section of CONTRIBUTING.md says. @returns the changed files */
function follow(heading: string): string[] {
	const blocks = blocksOf(sectionOf(read('CONTRIBUTING.md'), heading) ?? '');
	const changed = blocks.flatMap(({ info, code }) => {
		const [language, ...files] = info.split(' ');
		if (language === 'sh') execFileSync('bash', ['-ec', code], { cwd: checkout });
		for (const file of language === 'md' ? [] : files) {
			const path = join(checkout, file);
			const isDiff = language === 'diff';
			writeFileSync(path, isDiff ? apply(code, readFileSync(path, 'utf8')) : code);
		}
		return files;
	});
	expect(changed.length).toBeGreaterThan(3);
	return changed;
}

let types: Awaited<ReturnType<typeof loadPackageFrom>>;
beforeAll(async () => {
	await copyConnector(checkout);
	for (const name of COPIED) {
		cpSync(join(root, name), join(checkout, name), { recursive: true });
	}
	const recipes = ['## Add an operation', '## Add a detail', '## Add an example'];
	const files = recipes.flatMap(follow).filter((file) => file.endsWith('.ts'));
	const published = files.filter((file) => file.startsWith('nodes/'));
	run('eslint', '--max-warnings', '0', ...published);
	// Other tests import nothing of what the recipes add.
	const project = { extends: './test/tsconfig.json', include: ['nodes'], files };
	writeFileSync(join(checkout, 'recipes.json'), JSON.stringify(project));
	run('tsc', '--project', 'recipes.json');
	run('gulp', '--silent');
	types = await loadPackageFrom(checkout);
}, 120_000);

test('the steps of CONTRIBUTING.md for a new operation create a working operation', async () => {
	await using sandbox = await startSandbox();
	const { credential } = sandbox;
	const act = async (parameters: INodeParameters) => {
		const node = await NodeInWorkflow.create('voiceAgent', { parameters, credential }, types);
		return (await node.execute())[0]?.json;
	};
	const url = 'https://127.0.0.1:9/hooks';
	await act({ resource: 'webhook', operation: 'create', url });
	const count = { resource: 'webhook', operation: 'count' };
	expect(await act({ ...count, text: '' })).toEqual({ count: 1 });
	expect(await act({ ...count, text: 'elsewhere' })).toEqual({ count: 0 });
});

test('the steps of CONTRIBUTING.md for a new detail read it from events', async () => {
	const parameters = { resource: 'call', operation: 'readDetails' };
	const node = await NodeInWorkflow.create('voiceAgent', { parameters, credential: {} }, types);
	const languageOf = async (event: IDataObject) =>
		((await node.execute([event]))[0]?.json.callDetails as IDataObject).language;
	expect(await languageOf({ call_id: 'c1', call_language: 'de-AT' })).toBe('de-AT');
	expect(await languageOf({ call_id: 'c1', locale: 'en', language: 'de' })).toBe('de');
	expect(await languageOf({ call_id: 'c1', language: 'de', language_code: 'en' })).toBeNull();
	expect(await languageOf({ call_id: 'c1', languages: 7 })).toBeNull();
});

test('the steps of CONTRIBUTING.md for a new example pass the checks of all examples', () => {
	const names = ['--testNamePattern', 'call-to-trello|the gallery'];
	run('jest', '--selectProjects', 'unit', ...names, 'test/unit/examples.test.ts');
	const example = readFileSync(join(checkout, 'examples', 'call-to-trello.json'), 'utf8');
	expect(example).not.toMatch(/telegram/i);
}, 60_000);
