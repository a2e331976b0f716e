import {
	countFields,
	FOLDERS,
	judgeEvent,
	judgeFolder,
	readMisleading,
	readPayloads,
	type JudgedPayloads,
} from '../support/events/callPayloads';
import { move, moves } from '../support/events/movedPayload';
import { fc, runs } from '../support/jest/random';

/** The values of all payloads that are read; a rule that loses some has to gain more. */
const LEAST_FOUND = 1_555;

const payloads = FOLDERS.flatMap(readPayloads);
const nameOf = ({ service, variant }: { service: string; variant: string }) =>
	`${service}: ${variant}`;

describe('the payloads of real services', () => {
	const all = Object.assign({}, ...FOLDERS.map(judgeFolder)) as JudgedPayloads;

	// Promise: The payloads of real services give no wrong value.
	test('are read without a wrong value', () => {
		const wrong = Object.entries(all).filter(([, fields]) => fields.wrong.length > 0);
		expect(wrong).toEqual([]);
	});

	// The golden snapshot shows which value is lost.
	test('give no fewer values than before', () => {
		expect(countFields(all, 'found')).toBeGreaterThanOrEqual(LEAST_FOUND);
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
			{ numRuns: runs(750) },
		);
		expect(kept / total).toBeGreaterThanOrEqual(0.98);
	});
});

// Promise: A misleading event gives no wrong value.
test.each(readMisleading().map((event) => [nameOf(event), event] as const))(
	'nothing is read wrongly from a misleading event: %s',
	(_, event) => {
		expect(judgeEvent(event).wrong).toEqual([]);
	},
);
