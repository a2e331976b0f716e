/*
 * Runs the end-to-end tests and one browser test on each line of n8n: `npm run test:compat`
 *   -- --line 2.0   runs one line: also 3.0-defaults, which is n8n 2.41 with the defaults of n8n 3.0
 *   -- --short      skips the part "Caught up" of test:reliability, which takes minutes
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chosenLine, DEFAULTS_OF_3, installN8n, lines } from '../../sandbox/stack/install-n8n';

const root = join(__dirname, '..', '..');

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			line: { type: 'string', multiple: true },
			short: { type: 'boolean', default: false },
		},
	});
	const chosen = values.line ?? [...lines, DEFAULTS_OF_3];
	const files = ['test/e2e/n8n', 'test/browser/walk'];
	const failed: string[] = [];
	for (const line of chosen) {
		await installN8n(chosenLine({ N8N_LINE: line }));
		console.log(`\nn8n ${line}`);
		const env = { ...process.env, N8N_LINE: line };
		const run = (command: string, ...args: string[]) =>
			spawnSync(join(root, 'node_modules', '.bin', command), args, {
				cwd: root,
				env,
				stdio: 'inherit',
			}).status === 0;
		const caughtUp = ['test/reliability/main.ts', '--short', '--part', 'Caught up'];
		const isPassed =
			run('jest', '--maxWorkers=2', ...files) && (values.short || run('tsx', ...caughtUp));
		if (!isPassed) failed.push(line);
	}
	console.log(
		`test:compat: ${failed.length > 0 ? `failed on n8n ${failed.join(', ')}` : 'all passed'}`,
	);
	process.exitCode = failed.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
