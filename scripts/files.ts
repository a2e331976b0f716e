import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const PROJECT_FOLDERS = [
	'.github',
	'credentials',
	'docs',
	'examples',
	'nodes',
	'sandbox',
	'scripts',
	'test',
];

/**
 * Finds the project's own files by the ends of their names, e.g. `.md`.
 *
 * @returns their paths from the root, sorted, with `/` between the names
 */
export function filesEndingIn(root: string, ...ends: string[]): string[] {
	const top = readdirSync(root, { withFileTypes: true });
	const folders = PROJECT_FOLDERS.filter((folder) => existsSync(join(root, folder)));
	const below = folders.flatMap((folder) =>
		readdirSync(join(root, folder), { withFileTypes: true, recursive: true }),
	);
	return [...top, ...below]
		.filter((entry) => entry.isFile() && ends.some((end) => entry.name.endsWith(end)))
		.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/'))
		.sort();
}
