import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { type DetailKey, valueOf } from '../../nodes/VoiceAgent/callDetails/details';
import { read } from '../support/documents';
import { FOLDERS, readPayloads } from '../support/events/callPayloads';

const page = read('docs/services.md');
const payloads = FOLDERS.flatMap(readPayloads);

/** The details in the columns of the table of what is read. */
const COLUMNS =
	'customer.phone customer.name customer.email summary outcome recordingUrl transcript collected'.split(
		' ',
	) as DetailKey[];

test('the page of services has twenty services with sources, and what is read of their payloads', () => {
	const rows = page.split('\n').filter((line) => /^\| \[/.test(line));
	expect(rows).toHaveLength(20);
	const isRead = rows.map((row) => {
		const [, name = ''] = /^\| \[([^\]]+)\]\(https:\/\/[^)]+\) \| \S/.exec(row) ?? [];
		const own = payloads.filter(({ service }) => service === name);
		expect([row, own.length > 0]).toEqual([row, true]);
		const details = own.map(({ body }) => readCallDetails(body));
		const marks = COLUMNS.map((column) =>
			details.some((one) => valueOf(one, column) !== null) ? '✓' : '–',
		);
		return `| ${[name, ...marks].join(' | ')} |`;
	});
	const [, table = ''] = /^\| Service \| Phone .*\n.*\n((?:\|.*\n)*)/m.exec(page) ?? [];
	expect(table.trimEnd().split('\n')).toEqual(isRead);
});
