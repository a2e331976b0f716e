// Installs node_modules as in package-lock.json. Every npm script begins with it, so that the first command
// on a fresh clone can be `npm start`. Plain Node.js: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, URL } from 'node:url';
import { waitForTurn } from './turn.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const nodeModules = join(root, 'node_modules');
const installedLock = join(nodeModules, '.package-lock.json');
const stampFile = join(nodeModules, '.prepared');
const platform = `${process.platform}-${process.arch}`;
const sha256 = (...parts) => createHash('sha256').update(parts.join('\n')).digest('hex');

/** The platform, and a hash of the files that node_modules depends on. */
function expectedStamp() {
	const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json')));
	const lock = readFileSync(join(root, 'package-lock.json'));
	return `${platform} ${sha256(lock, JSON.stringify([dependencies, devDependencies]))}`;
}

const readStamp = () => (existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '');

/** Whether npm has already installed the packages of the lock, as after `npm install NAME`. */
function isInstalled() {
	const stamp = readStamp();
	if (!existsSync(installedLock) || (stamp && !stamp.startsWith(`${platform} `))) return false;
	const { packages: installed } = JSON.parse(readFileSync(installedLock));
	const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json')));
	return Object.entries(wanted).every(
		([path, { version, optional }]) =>
			path === '' ||
			(optional && !installed[path]) ||
			(installed[path]?.version === version && existsSync(join(root, path, 'package.json'))),
	);
}

/** Runs npm here. */
async function npm(...args) {
	const child = spawn('npm', args, {
		cwd: root,
		stdio: ['ignore', 'inherit', 'inherit'],
		shell: process.platform === 'win32',
	});
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`\`npm ${args.join(' ')}\` failed; its output is above.`);
}

async function prepare() {
	const [major] = process.versions.node.split('.').map(Number);
	if (major < 20) {
		throw new Error(
			`Node.js 20 or later is needed; this is ${process.version} (${process.execPath}).`,
		);
	}
	if (readStamp() === expectedStamp()) return;
	await waitForTurn(root, () =>
		console.log('Another npm script is preparing node_modules; waiting for it.'),
	);
	if (readStamp() === expectedStamp()) return;
	if (!isInstalled()) {
		console.log('Installing the packages of package-lock.json (once, one to three minutes)…');
		// An interrupted install must not look like a complete one.
		rmSync(stampFile, { force: true });
		rmSync(installedLock, { force: true });
		await npm('ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
	}
	// Install scripts are off (.npmrc). This one fetches the Node.js that n8n needs; npm scripts find it first.
	await npm('rebuild', 'node', '--ignore-scripts=false', '--loglevel=error');
	writeFileSync(stampFile, expectedStamp());
}

try {
	await prepare();
	process.exit();
} catch (error) {
	console.error(error.message);
	process.exit(1);
}
