/**
 * Runs npm scripts and other commands one after the other, and prints the seconds of each:
 * `node scripts/steps.mjs lint "start -- --once" "jest --selectProjects unit"`. It stops at the
 * first that fails. Plain Node.js: it runs before anything is installed, and a first npm script installs it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
const steps = process.argv.slice(2);

const row = (seconds, text) => `${seconds.toFixed(1).padStart(8)} s  ${text}`;
const rows = [];
let failed = '';
for (const step of steps) {
	const command = step.split(' ')[0] in scripts ? `npm run --silent ${step}` : step;
	console.log(`\n> ${command}`);
	const started = Date.now();
	const { status } = spawnSync(command, {
		stdio: 'inherit',
		env: { ...process.env, PATH: path },
		shell: true,
	});
	if (status !== 0) failed = step;
	rows.push(row((Date.now() - started) / 1000, failed ? `${step} (failed)` : step));
	if (failed) break;
}

console.log(['\nSteps:', ...rows].join('\n'));
console.log(failed ? `\n${failed} failed` : `\nall ${steps.length} steps passed`);
process.exitCode = failed ? 1 : 0;
