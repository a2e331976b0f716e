import { explain } from '../../scripts/explain';
import {
	countFields,
	countKept,
	FOLDERS,
	judgeEvent,
	judgeFolder,
	readBaseline,
	readMisleading,
	readPayloads,
	type JudgedPayloads,
} from '../support/callPayloads';
import { move, moves } from '../support/movedPayload';
import { fc, runs } from '../support/random';

const payloads = FOLDERS.flatMap(readPayloads);
const nameOf = ({ service, variant }: { service: string; variant: string }) =>
	`${service}: ${variant}`;

describe('the payloads of real services', () => {
	const baseline = readBaseline();
	const judged = Object.fromEntries(FOLDERS.map((folder) => [folder, judgeFolder(folder)]));
	const all = Object.assign({}, ...Object.values(judged)) as JudgedPayloads;

	// Promise: The payloads of real services give no wrong value.
	test('are read without a wrong value', () => {
		const wrong = Object.entries(all).filter(([, fields]) => fields.wrong.length > 0);
		expect(wrong).toEqual([]);
	});

	test.each([
		...FOLDERS.map((folder) => [folder, 98, judged[folder]!] as const),
		['all folders', 99, all] as const,
	])('in %s keep %i of 100 values that the baseline found', (folder, least, read) => {
		const { kept, of } = countKept(read, baseline);
		const [found, missed] = [countFields(read, 'found'), countFields(read, 'missed')];
		process.stdout.write(
			`\n${folder}: ${kept} of the baseline's ${of}; ${found} values found, ${missed} missed\n`,
		);
		expect(kept / of).toBeGreaterThanOrEqual(least / 100);
	});

	test('give the same values in other keys, orders, numbers and neutral envelopes', () => {
		const before = new Map(payloads.map((payload) => [payload, judgeEvent(payload).found]));
		let [kept, total] = [0, 0];
		fc.assert(
			fc.property(fc.constantFrom(...payloads), moves, (payload, how) => {
				const body = move(payload.body, how);
				const { found, wrong } = judgeEvent({ ...payload, body });
				expect({ wrong, body }).toEqual({ wrong: [], body });
				const values = before.get(payload) ?? [];
				total += values.length;
				kept += values.filter((field) => found.includes(field)).length;
			}),
			{ numRuns: runs(1500) },
		);
		process.stdout.write(`\nmoved payloads: ${kept} of ${total} values stay\n`);
		expect(kept / total).toBeGreaterThanOrEqual(0.98);
	});
});

test('an explanation has the value of each detail', () => {
	const lines = explain({ call_id: 'c1', direction: 'inbound', from: '+14155550123' });
	for (const line of ['id: "c1"', 'customer.phone: "+14155550123"', 'summary: null']) {
		expect(lines).toContainEqual(expect.stringContaining(`${line} (`));
	}
	expect(explain({})).toEqual(['The event is not about a call.']);
});

// Promise: A misleading event gives no wrong value.
test.each(readMisleading().map((event) => [nameOf(event), event] as const))(
	'nothing is read wrongly from a misleading event: %s',
	(_, event) => {
		expect(judgeEvent(event).wrong).toEqual([]);
	},
);
