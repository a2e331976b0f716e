/**
 * Builds, runs the unit tests and installs the package on other versions of Node.js: `node scripts/node-versions.mjs`, or
 * for one of them `node scripts/node-versions.mjs 20`. Each version is installed once, into the user's cache folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

const versions = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };
const root = fileURLToPath(new URL('..', import.meta.url));
const platform = process.platform === 'win32' ? 'win' : process.platform;
const command =
	'gulp --silent && jest --selectProjects unit && jest test/integration/package.test.ts -t README';

/** The folder that has `node` of this version, installed if it is missing. */
function install(version) {
	const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	const folder = join(cache, 'n8n-nodes-voice-agent', `node-${version}`);
	const name = `node-${platform}-${process.arch}`;
	mkdirSync(folder, { recursive: true });
	const args = ['install', '--prefix', folder, '--prefer-offline', '--no-audit', '--no-fund'];
	execFileSync('npm', [...args, `${name}@${version}`], { cwd: folder, stdio: 'inherit' });
	return join(folder, 'node_modules', name, 'bin');
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(versions);
const failed = chosen.filter((major) => {
	if (!versions[major])
		throw new Error(`There is no Node.js ${major}. Choose from ${Object.keys(versions)}.`);
	const path = [install(versions[major]), join(root, 'node_modules', '.bin'), process.env.PATH];
	const env = { ...process.env, PATH: path.join(delimiter) };
	const version = execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim();
	if (version !== `v${versions[major]}`) throw new Error(`Node.js ${major} is ${version}`);
	console.log(`\nNode.js ${version}: ${command}`);
	const options = { cwd: root, env, stdio: 'inherit', shell: true };
	return spawnSync(command, options).status !== 0;
});
console.log(
	failed.length > 0
		? `node-versions: failed on Node.js ${failed.join(', ')}`
		: `node-versions: passed on Node.js ${chosen.join(', ')}`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
