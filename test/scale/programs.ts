import { existsSync } from 'node:fs';
import { chown, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { run } from '../../sandbox/stack/processes';

const packages = ['postgresql', 'redis-server'];
const names = ['initdb', 'postgres', 'psql', 'redis-server', 'redis-cli'] as const;

/** The paths of the programs. */
export type Programs = Record<(typeof names)[number], string>;

/**
 * Finds PostgreSQL and Redis. If one is missing, installs Debian's packages, which requires root.
 *
 * @param logFile gets the output of apt-get
 * @throws an Error that names the packages to install
 */
export async function findPrograms(logFile: string): Promise<Programs> {
	const found = await find();
	if (found) return found;
	if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
		const options = { cwd: '/', env, logFile };
		await run('apt-get', ['update', '-qq'], options);
		await run('apt-get', ['install', '-qq', '--no-install-recommends', ...packages], options);
	}
	const installed = await find();
	if (installed) return installed;
	throw new Error(
		`PostgreSQL and Redis are needed. On Debian, as root: apt-get install ${packages.join(' ')}`,
	);
}

/** Searches the PATH and Debian's folders of PostgreSQL. */
async function find(): Promise<Programs | undefined> {
	const debian = '/usr/lib/postgresql';
	const versions = existsSync(debian) ? await readdir(debian) : [];
	const folders = [
		...versions
			.sort((one, other) => Number(other) - Number(one))
			.map((version) => join(debian, version, 'bin')),
		...(process.env.PATH ?? '').split(delimiter),
	];
	const paths = names.map((name) => [
		name,
		folders.map((folder) => join(folder, name)).find((path) => existsSync(path)),
	]);
	return paths.every(([, path]) => path) ? (Object.fromEntries(paths) as Programs) : undefined;
}

/** The user and the group `nobody` of every Linux. */
const NOBODY = 65_534;

/**
 * Makes an unprivileged user the owner of a folder, because PostgreSQL refuses to run as root.
 *
 * @returns the prefix that runs a command as this user; empty if this process is not root's
 */
export async function changeOwner(folder: string): Promise<string[]> {
	if (process.getuid?.() !== 0) return [];
	await chown(folder, NOBODY, NOBODY);
	return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
}
