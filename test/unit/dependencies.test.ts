import { readManifest } from '../../scripts/manifest';
import { filesEndingIn, firstCells, read, root } from '../support/documents';

const { devDependencies, scripts } = readManifest(root);
const names = Object.keys(devDependencies);

test('every development dependency has one line that says why, and nothing else has', () => {
	const rows = firstCells(read('docs/dependencies.md')).map((cell) => cell.replaceAll('`', ''));
	expect(rows).toEqual(names);
});

test('every development dependency is pinned to one version', () => {
	const loose = Object.entries(devDependencies).filter(
		([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
	);
	expect(loose).toEqual([]);
});

test('every development dependency is used', () => {
	// This file names one that is not.
	const files = filesEndingIn('.ts', '.js', '.mjs').filter((file) => !__filename.endsWith(file));
	const code = files.map(read).join('\n');
	const commands = Object.values(scripts).join(' ').split(/\s+/);
	const isUsed = (name: string): boolean =>
		code.includes(`'${name}'`) ||
		code.includes(`'${name}/`) ||
		commands.includes(name) ||
		(name.startsWith('@types/') && name.slice('@types/'.length) in devDependencies);
	const unused = names.filter((name) => !isUsed(name));
	// Why it is here all the same is said in its line.
	expect(unused).toEqual(['@langchain/langgraph']);
	expect(isUsed('left-pad')).toBe(false);
});
