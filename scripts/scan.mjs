/**
 * Scans this package with the code and configuration of n8n's scanner for published packages, without
 * the checks that need a registry. Then runs the tools of n8n's scaffold that decide whether n8n Cloud may
 * have the package. They look at a whole folder, so they get the published source only.
 *
 * The scanner reads two folders: the packed tarball, and the source at the last commit. It passes a
 * folder without files, so this script checks that each folder holds the expected files.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'voice-agent-scan-'));

/** Unpacks a tarball into a new folder. */
function unpack(tarball, name, ...options) {
	const target = join(folder, name);
	mkdirSync(target);
	execFileSync('tar', ['-xf', tarball, '-C', target, ...options]);
	return target;
}

/** @returns the folder with the files of the last commit, as the provenance names them */
function archive() {
	const tarball = join(folder, 'source.tar');
	// In a container, the checkout may belong to another user.
	const own = ['-c', 'safe.directory=*'];
	execFileSync('git', [...own, 'archive', '--output', tarball, 'HEAD']);
	return unpack(tarball, 'source');
}

/** @returns the folder with the files to publish */
function pack() {
	execFileSync('npm', ['pack', '--silent', '--pack-destination', folder]);
	const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
	return unpack(join(folder, tarball), 'packed', '--strip-components=1');
}

/** Runs the scanner's analysis, and sets the exit code if it finds something. */
async function check(leg, path, patterns, needed) {
	const missing = needed.filter((name) => !existsSync(join(path, name)));
	if (missing.length > 0) throw new Error(`${leg}: ${missing.join(', ')} not there`);
	const { passed, details, message } = await analyzePackage(path, patterns);
	console.log(`${passed ? '✔' : '✖'} ${leg}`);
	if (passed) return;
	console.error(details ?? message);
	process.exitCode = 1;
}

/** Runs a command of `n8n-node`, and sets the exit code if it fails or prints something else. */
function runTool(command, cwd, expected) {
	const tool = join(modules, '.bin', 'n8n-node');
	const { status, stdout, stderr } = spawnSync(tool, [command], { cwd, encoding: 'utf8' });
	// Without a terminal, the tools still print colours where CI is set.
	const passed = status === 0 && expected.test(stripVTControlCharacters(stdout));
	console.log(`${passed ? '✔' : '✖'} n8n-node ${command}`);
	if (passed) return;
	console.error(stdout + stderr);
	process.exitCode = 1;
}

/** @returns a folder with the files of the source that n8n's tools look at */
function published(source) {
	const target = join(folder, 'published');
	for (const name of ['package.json', 'tsconfig.json', 'eslint.config.mjs', 'nodes', 'credentials'])
		cpSync(join(source, name), join(target, name), { recursive: true });
	symlinkSync(modules, join(target, 'node_modules'));
	return target;
}

try {
	await check(
		'the packed tarball: its package.json and JavaScript',
		pack(),
		['**/*.js', 'package.json'],
		['package.json', 'dist/bundle.js', 'dist/nodes', 'dist/credentials'],
	);
	const source = archive();
	await check(
		'the source: package.json, nodes and credentials of the last commit',
		source,
		SOURCE_FILE_PATTERNS,
		['package.json', 'nodes', 'credentials'],
	);
	const eligible = published(source);
	runTool('lint', eligible, /n8n-node lint/);
	runTool('cloud-support', eligible, /Status: eligible/);
	console.log(
		'– not checked: provenance, and that the source it names can be downloaded. Both exist only once ' +
			'the package is published; then: npx @n8n/scan-community-package n8n-nodes-voice-agent',
	);
} finally {
	rmSync(folder, { recursive: true });
}
