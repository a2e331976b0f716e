import { readManifest } from '../../scripts/manifest';
import { filesEndingIn, firstCells, read, root, sectionOf } from '../support/documents';

const { devDependencies, scripts } = readManifest(root);
const names = Object.keys(devDependencies);

test('the documentation has one line for each development dependency', () => {
	const rows = firstCells(sectionOf(read('test/README.md'), '## Dependencies') ?? '').map((cell) =>
		cell.replaceAll('`', ''),
	);
	expect(rows).toEqual(names);
});

test('every development dependency is pinned to one version', () => {
	const loose = Object.entries(devDependencies).filter(
		([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
	);
	expect(loose).toEqual([]);
});

test('every development dependency is used', () => {
	// This file contains the name of an unused dependency.
	const files = filesEndingIn('.ts', '.js', '.mjs').filter((file) => !__filename.endsWith(file));
	const code = files.map(read).join('\n');
	const commands = Object.values(scripts).join(' ').split(/\s+/);
	const isUsed = (name: string): boolean =>
		code.includes(`'${name}'`) ||
		code.includes(`'${name}/`) ||
		commands.includes(name) ||
		(name.startsWith('@types/') && name.slice('@types/'.length) in devDependencies);
	const unused = names.filter((name) => !isUsed(name));
	// Its line in the documentation has the reason.
	expect(unused).toEqual(['@langchain/langgraph']);
});
