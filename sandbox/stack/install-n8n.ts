import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir, rename, rm, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { waitForTurn } from '../turn';
import { run, tail } from './processes';
import { step } from './progress';

/** The lines of n8n that can be run here, the newest first; each has a folder in `sandbox/n8n`. */
export const lines = ['2.41', '2.0', '1.123'] as const;
export type Line = (typeof lines)[number];

/** A further choice: the newest line with the defaults of n8n 3.0. */
export const DEFAULTS_OF_3 = '3.0-defaults';

/**
 * @returns the line of n8n to run: the one in the variable N8N_LINE, else the newest
 * @throws an Error with the names of all lines if the variable holds none of them
 */
export function chosenLine({ N8N_LINE: named } = process.env): Line {
	if (named === DEFAULTS_OF_3) return lines[0];
	const line = lines.find((each) => each === (named || lines[0]));
	if (line) return line;
	throw new Error(`N8N_LINE can be ${[...lines, DEFAULTS_OF_3].join(', ')}; it is ${named}.`);
}

const neededBytes = 3e9;
const files = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * Installs a line of n8n, unless it is installed, and shows the progress. The install is in the user's
 * cache folder, because it is large (2 GB) and serves every checkout.
 *
 * @returns the folder whose `node_modules` has n8n
 * @throws an Error with the missing requirement: disk space, a compiler, the network
 */
export async function installN8n(line: Line, signal?: AbortSignal): Promise<string> {
	const source = join(__dirname, '..', 'n8n', line);
	const cache = join(
		process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
		'n8n-nodes-voice-agent',
	);
	const folder = join(cache, `n8n-${line}-${fingerprint(source)}`);
	if (existsSync(folder)) return folder;
	await mkdir(cache, { recursive: true });
	await step(`Install n8n ${line} (once, 2 GB, two to four minutes)`, async (report) => {
		const onWait = () => report('waiting for another install to end');
		const endTurn = await waitForTurn(folder, onWait, signal);
		try {
			if (!existsSync(folder)) await install(source, folder, signal);
		} finally {
			endTurn();
		}
	});
	return folder;
}

/** The hash of everything that an install depends on. */
function fingerprint(source: string): string {
	const hash = createHash('sha256');
	for (const file of files) hash.update(readFileSync(join(source, file)));
	hash.update(`${process.platform} ${process.arch}`);
	return hash.digest('hex').slice(0, 12);
}

async function install(source: string, folder: string, signal?: AbortSignal): Promise<void> {
	const { bavail, bsize } = await statfs(dirname(folder));
	if (bavail * bsize < neededBytes) {
		throw new Error(
			`n8n needs ${neededBytes / 1e9} GB of disk space in ${dirname(folder)}; ` +
				`${((bavail * bsize) / 1e9).toFixed(1)} GB are free. XDG_CACHE_HOME can name another place.`,
		);
	}
	// Only a complete install gets the final name. The remains of a killed install are removed.
	const partial = `${folder}.partial`;
	const remove = () => rm(partial, { recursive: true, force: true });
	await remove();
	try {
		await mkdir(partial);
		for (const file of files) await cp(join(source, file), join(partial, file));
		await fill(partial, signal);
		await rename(partial, folder);
	} finally {
		await remove();
	}
}

/** Installs the packages that the package files in a folder name. */
async function fill(folder: string, signal?: AbortSignal): Promise<void> {
	const logFile = join(folder, 'install.log');
	const nodedir = process.env.npm_config_nodedir ?? findHeaders();
	const env = { ...process.env, ...(nodedir && { npm_config_nodedir: nodedir }) };
	const options = { cwd: folder, env, logFile };
	// Not `npm ci`: it refuses a lock that lacks other platforms' optional packages.
	await run('npm', ['install', '--no-save', '--no-audit', '--no-fund'], options, signal);
	try {
		await run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], options, signal);
	} catch (error) {
		signal?.throwIfAborted();
		throw new Error(
			'sqlite3 could be neither downloaded nor built. Building it takes Python 3, make and a C++ ' +
				`compiler (Debian: apt-get install python3 make g++). Its output ends with:\n${tail(logFile)}`,
			{ cause: error },
		);
	}
}

/**
 * Finds a Node.js whose headers are on this machine; without one they are downloaded. The headers of any
 * version fit, because sqlite3 is an N-API module.
 */
function findHeaders(): string | undefined {
	return (process.env.PATH ?? '')
		.split(delimiter)
		.map((folder) => join(folder, 'node'))
		.filter((path) => existsSync(path))
		.map((path) => dirname(dirname(realpathSync(path))))
		.find((prefix) => existsSync(join(prefix, 'include', 'node', 'node.h')));
}
