/**
 * Scans this package with the code and configuration of n8n's scanner for published packages, without
 * the checks that need a registry.
 *
 * The scanner reads two folders: the source at the last commit, and the packed tarball. It passes a
 * folder without files, so this script checks that each folder holds the expected files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

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

try {
	await check(
		'the source: package.json, nodes and credentials of the last commit',
		archive(),
		SOURCE_FILE_PATTERNS,
		['package.json', 'nodes', 'credentials'],
	);
	await check(
		'the packed tarball: its package.json and JavaScript',
		pack(),
		['**/*.js', 'package.json'],
		['package.json', 'dist/bundle.js', 'dist/nodes', 'dist/credentials'],
	);
	console.log(
		'– not checked: provenance, and that the source it names can be downloaded. Both exist only once ' +
			'the package is published; then: npx @n8n/scan-community-package n8n-nodes-voice-agent',
	);
} finally {
	rmSync(folder, { recursive: true });
}
