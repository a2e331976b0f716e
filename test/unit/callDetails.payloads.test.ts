import { explain } from '../../scripts/explain';
import {
	countKept,
	FOLDERS,
	judgeEvent,
	judgeFolder,
	readBaseline,
	readMisleading,
	readPayloads,
	type JudgedPayloads,
} from '../support/callPayloads';
import { move, STYLES } from '../support/movedPayload';

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

	test('keep 99 of 100 values that the baseline found', () => {
		const { kept, of } = countKept(all, readBaseline());
		expect(kept / of).toBeGreaterThanOrEqual(0.99);
	});

	test.each(Object.keys(STYLES) as Array<keyof typeof STYLES>)(
		'give the same values with keys in the style %s, in another order and in envelopes',
		(style) => {
			const pairs = payloads.map((payload) => {
				const moved = judgeEvent({ ...payload, body: move(payload.body, style) });
				expect([nameOf(payload), moved.wrong]).toEqual([nameOf(payload), []]);
				return [judgeEvent(payload).found.length, moved.found.length] as const;
			});
			const [before, after] = [0, 1].map((at) => pairs.reduce((sum, pair) => sum + pair[at]!, 0));
			expect(after! / before!).toBeGreaterThanOrEqual(0.98);
		},
	);
});

// Promise: A misleading event gives no wrong value.
test.each(readMisleading().map((event) => [nameOf(event), event] as const))(
	'nothing is read wrongly from a misleading event: %s',
	(_, event) => {
		expect(judgeEvent(event).wrong).toEqual([]);
	},
);

test('the candidates of a detail, and why one won, are explained', () => {
	const event = { data: { call_id: 'c1', direction: 'inbound', from: 'anonymous', caller: 'x' } };
	const lines = explain(event);
	expect(lines).toContain('id: "c1" (data.call_id is the surest)');
	const at = lines.indexOf('customer.phone: "withheld" (data.from is the surest)');
	expect(lines.slice(at + 1, at + 3)).toEqual([
		'    2 data.from: "withheld"',
		'    2 data.caller: null',
	]);
	expect(lines.at(-1)).toBe('person: withheld');
	expect(explain({ type: 'invoice.paid' })).toEqual(['The event is not about a call.']);
});
