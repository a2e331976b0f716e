/**
 * Builds, lints and runs the unit tests on other versions of Node.js: `node scripts/node-versions.mjs`, or
 * for one of them `node scripts/node-versions.mjs 20`. Each version is installed once, into the user's cache folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const versions = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };
const root = fileURLToPath(new URL('..', import.meta.url));
const platform = process.platform === 'win32' ? 'win' : process.platform;

/** The folder that has `node` of this version, installed if it is missing. */
function install(version) {
	const cache = join(
		process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
		'n8n-nodes-voice-agent',
	);
	const folder = join(cache, `node-${version}`);
	const name = `node-${platform}-${process.arch}`;
	if (!existsSync(folder)) {
		// Only a complete install gets the final name.
		const partial = `${folder}.${process.pid}`;
		mkdirSync(partial, { recursive: true });
		const args = ['install', '--prefix', partial, '--no-audit', '--no-fund', '--no-save'];
		execFileSync('npm', [...args, `${name}@${version}`], { cwd: partial, stdio: 'inherit' });
		if (existsSync(folder)) rmSync(partial, { recursive: true });
		else renameSync(partial, folder);
	}
	return join(folder, 'node_modules', name, 'bin');
}

const steps = [
	['tsc', '--noEmit'],
	['gulp', '--silent'],
	['eslint', '--max-warnings', '0', 'nodes', 'credentials', 'package.json'],
	['jest', '--selectProjects', 'unit'],
];

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(versions);
const failed = [];
for (const major of chosen) {
	if (!versions[major])
		throw new Error(`There is no Node.js ${major}. Choose from ${Object.keys(versions)}.`);
	const folder = install(versions[major]);
	const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
	const run = (command, ...args) => spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
	const version = run('node', '--version').stdout.trim();
	if (version !== `v${versions[major]}`) throw new Error(`Node.js ${major} is ${version}`);
	for (const [command, ...args] of steps) {
		console.log(`\nNode.js ${version}: ${command} ${args.join(' ')}`);
		const bin = join(root, 'node_modules', '.bin', command);
		const { status } = spawnSync(bin, args, { cwd: root, env, stdio: 'inherit' });
		if (status !== 0) {
			failed.push(`${command} on ${version}`);
			break;
		}
	}
}
console.log(
	failed.length > 0
		? `node-versions: failed: ${failed.join(', ')}`
		: `node-versions: passed on Node.js ${chosen.join(', ')}`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
