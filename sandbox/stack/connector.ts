import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './processes';

const root = join(__dirname, '..', '..');
const sources = ['nodes', 'credentials', 'package.json', 'tsconfig.json', 'gulpfile.js'];

/**
 * Copies the files from which the connector is built.
 *
 * @returns the path of the copy
 */
export async function copyConnector(copy: string): Promise<string> {
	await mkdir(copy, { recursive: true });
	for (const source of sources) {
		await cp(join(root, source), join(copy, source), { recursive: true });
	}
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}

/**
 * Bundles and packs a copy of the connector as `npm run build` and `npm pack` do, without a check of its
 * types. The `dist` of the checkout stays unchanged, because other processes may read it.
 *
 * @param folder for the copy, the log and the package
 * @returns the path of the package (`.tgz`)
 */
export async function packConnector(folder: string, signal?: AbortSignal): Promise<string> {
	const copy = await copyConnector(join(folder, 'connector'));
	const options = { cwd: copy, env: process.env, logFile: join(folder, 'build.log') };
	await run(join(root, 'node_modules', '.bin', 'gulp'), ['--silent'], options, signal);
	await run('npm', ['pack', '--pack-destination', folder], options, signal);
	const packed = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
	if (!packed) throw new Error('npm pack made no package');
	return join(folder, packed);
}
