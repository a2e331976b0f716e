import { readManifest } from '../../scripts/manifest';
import { firstCells, read, root, sectionOf } from '../support/documents';

const { devDependencies } = readManifest(root);
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
