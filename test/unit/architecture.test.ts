import { readImports } from '../../scripts/imports';
import { firstCells, read, root, sectionOf } from '../support/documents';

/** The folders of the published package, from the top down. */
const published = firstCells(sectionOf(read('docs/architecture.md'), '## The folders') ?? '').map(
	(cell) => cell.replaceAll('`', ''),
);

/** A file imports its own folder and those to the right of it. */
const ORDERS = [published, ['stack', 'service']].map((folders) => ['test', 'scripts', ...folders]);

/** @returns the folder of a file; of the sandbox, `service` is a stand-in for the service, and `stack` a real n8n */
function folderOf(file: string): string {
	const [top = '', folder = '', name = ''] = file.split('/');
	if (top === 'sandbox')
		return /^(service|axes|dialects|pasted)/.test(folder) ? 'service' : 'stack';
	if (top === 'nodes') return name.endsWith('.node') ? 'node' : name;
	return top;
}

test('imports lead downwards only, by the table of folders in docs/architecture.md', () => {
	const leadsDown = (own: string, other: string) =>
		ORDERS.some((order) => order.includes(own) && order.indexOf(own) <= order.indexOf(other));
	const imports = readImports(root);
	expect(imports.length).toBeGreaterThan(300);
	const crossings = imports.filter(({ from, to }) => !leadsDown(folderOf(from), folderOf(to)));
	expect(crossings).toEqual([]);
});
