import { withTable } from '../../scripts/services';
import { read, root } from '../support/documents';

const page = read('docs/services.md');

test('the table of what is read is up to date; if not: npx tsx scripts/services.ts', () => {
	expect(page).toBe(withTable(page, root));
});

test('each of the twenty services has a payload, and a source for where its URL is pasted', () => {
	const rows = page.split('\n').filter((line) => /^\| \[/.test(line));
	expect(rows).toHaveLength(20);
	for (const row of rows) expect(row).toMatch(/^\| \[[^\]]+\]\(https:\/\/[^)]+\) \| \S/);
	expect(() => withTable(page.replace('| [Vapi](', '| [Vopi]('), root)).toThrow('Vopi');
});
