import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { type DetailKey, valueOf } from '../../nodes/VoiceAgent/callDetails/details';
import { readEvents } from '../../nodes/VoiceAgent/delivery/batch';
import { typeReader } from '../../nodes/VoiceAgent/events/reader';
import { read } from '../support/documents';
import { FOLDERS, readPayloads } from '../support/events/callPayloads';

const page = read('docs/services.md');
const payloads = FOLDERS.flatMap(readPayloads);

/** The details by their letters in the column of what is read. */
const COLUMNS: Record<string, DetailKey> = {
	...{ P: 'customer.phone', N: 'customer.name', E: 'customer.email', S: 'summary' },
	...{ O: 'outcome', R: 'recordingUrl', T: 'transcript', C: 'collected' },
};

test('the page of services has twenty services with sources, and what is read of their payloads', () => {
	const rows = page.split('\n').filter((line) => /^\| \[/.test(line));
	expect(rows).toHaveLength(20);
	for (const row of rows) {
		const [, name = ''] = /^\| \[([^\]]+)\]\(https:\/\/[^)]+\) \| \S/.exec(row) ?? [];
		const own = payloads.filter(({ service }) => service === name);
		expect([row, own.length > 0]).toEqual([row, true]);
		const names = [...row.split('|')[3]!.matchAll(/`([^`]+)`/g)].map(([, event]) => event!);
		const starts = ({ body }: (typeof own)[number]) =>
			readEvents(body, {}, typeReader(names, [])).some(
				({ type }) => names.length === 0 || !type.isStated,
			);
		const details = own.filter(starts).map(({ body }) => readCallDetails(body));
		const isRead = (key: DetailKey) => details.some((one) => valueOf(one, key) !== null);
		const letters = Object.keys(COLUMNS).filter((letter) => isRead(COLUMNS[letter]!));
		expect([name, row.split('|').at(-2)?.trim()]).toEqual([name, letters.join(' ') || '–']);
	}
});
