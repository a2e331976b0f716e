import { readManifest } from '../../scripts/manifest';
import { readPromises } from '../../scripts/promises';
import { filesEndingIn, read, root } from '../support/documents';

const promised = readPromises();

/** The commands of the steps of .ci/run, also of those that run steps themselves. */
function commandsOf(steps: string): string[] {
	const { scripts } = readManifest(root);
	const [, list = ''] = steps.split('steps.mjs ');
	return (list.match(/'[^']+'|[\w:]+/g) ?? []).flatMap((step) => {
		const command = step.replaceAll("'", '');
		const script = scripts[command.split(' ')[0] ?? ''];
		return script ? [`npm run ${command}`, script, ...commandsOf(script)] : [command];
	});
}

/** Whether CI runs a file: its kind of test is selected, and a suite is named by the file that runs it. */
function isRun(file: string): boolean {
	const commands = commandsOf(read('.ci/run'));
	const [, kind = '', name = ''] = file.split('/');
	if (!file.endsWith('.test.ts') && kind !== 'e2e') {
		return commands.some((command) => command.startsWith(`npm run test:${kind}`));
	}
	const suite = /suites\/(\w+)\.ts$/.exec(file)?.[1] ?? name;
	return (
		commands.some((command) => /--selectProjects/.test(command) && command.includes(kind)) &&
		(file.endsWith('.test.ts') || read('test/e2e/n8n.test.ts').includes(`'${suite}'`))
	);
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
