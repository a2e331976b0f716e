import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/service';
import { copyConnector } from '../../sandbox/stack/connector';
import { blocksOf, read, root, sectionOf } from '../support/documents';
import { NodeInWorkflow } from '../support/n8nCore';
import { loadPackageFrom } from '../support/nodePackage';

const recipe = sectionOf(read('CONTRIBUTING.md'), '## Add an operation') ?? '';

const checkout = mkdtempSync(join(tmpdir(), 'voice-agent-recipe-'));
afterAll(() => rmSync(checkout, { recursive: true }));

/** Inserts each added line after the line before it in the diff. */
function apply(diff: string, text: string): string {
	let before = '';
	for (const line of diff.split('\n').filter(Boolean)) {
		const content = line.slice(1);
		if (line.startsWith('+')) {
			text = text.replace(`${before}\n`, () => `${before}\n${content}\n`);
		} else {
			expect(text.split(`${content}\n`)).toHaveLength(2);
		}
		before = content;
	}
	return text;
}

const run = (bin: string, ...args: string[]) =>
	execFileSync(join(root, 'node_modules', '.bin', bin), args, { cwd: checkout, stdio: 'pipe' });

test('the steps of CONTRIBUTING.md for a new operation create a working operation', async () => {
	await copyConnector(checkout);
	for (const name of ['eslint.config.mjs', 'sandbox', 'scripts', 'test']) {
		cpSync(join(root, name), join(checkout, name), { recursive: true });
	}
	const blocks = blocksOf(recipe);
	expect(blocks).toHaveLength(4);
	for (const { info, code } of blocks) {
		const [language, file = ''] = info.split(' ');
		const path = join(checkout, file);
		if (language === 'diff') writeFileSync(path, apply(code, readFileSync(path, 'utf8')));
		else if (language !== 'md') writeFileSync(path, code);
	}
	const changed = blocks.map(({ info }) => info.split(' ')[1] ?? '');
	run('eslint', '--max-warnings', '0', ...changed.filter((file) => file.endsWith('.ts')));
	run('tsc', '--noEmit');
	run('gulp', '--silent');
	// Exits with an error beyond a bound.
	run('tsx', 'scripts/size.ts');

	await using sandbox = await startSandbox();
	const types = await loadPackageFrom(checkout);
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
}, 120_000);
