import {
	atLeast,
	atMost,
	below,
	type Comparison,
	inTurns,
	ratiosOf,
	reaches,
	summarise,
} from '../bench/measure';
import { plot } from '../bench/plot';
import { documentOf, inDigits, replaceMarked, type Section, toJson } from '../bench/report';
import { fc } from '../support/random';

const comparison: Comparison = {
	what: 'accepted',
	beside: 'the floor',
	unit: '/s',
	ours: [18, 20, 19],
	other: [20, 20, 20],
	goal: atLeast(0.97),
};
const section: Section = { name: 'accepted', title: 'Accepted', comparisons: [comparison] };

describe('figures', () => {
	test.each([
		[[3], { median: 3, least: 3, most: 3 }],
		[[10, 1, 2], { median: 2, least: 1, most: 10 }],
		[[4, 1, 3, 2], { median: 2.5, least: 1, most: 4 }],
	])('%j', (figures, summary) => {
		expect(summarise(figures)).toEqual(summary);
	});

	test('half of them are not above the median, and half not below', () => {
		const figures = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1 });
		fc.assert(
			fc.property(figures, (some) => {
				const { median, least, most } = summarise(some);
				const half = some.length / 2;
				expect(some.filter((figure) => figure <= median).length).toBeGreaterThanOrEqual(half);
				expect(some.filter((figure) => figure >= median).length).toBeGreaterThanOrEqual(half);
				expect([Math.min(...some), Math.max(...some)]).toEqual([least, most]);
			}),
		);
	});

	test('ratios are taken within a round, so that a slow one meets both', () => {
		expect(ratiosOf({ ours: [10, 100], other: [20, 200] })).toEqual([0.5, 0.5]);
		expect(ratiosOf({ ours: [10, 20], other: [10] })).toEqual([1, 2]);
	});

	test.each([
		[atLeast(0.95), true],
		[atLeast(0.97), false],
		[atMost(0.96), true],
		[atMost(0.94), false],
		[below, true],
		[undefined, undefined],
	])('the goal %j of a median of 0.95: %s', (goal, reached) => {
		expect(reaches({ ...comparison, goal })).toBe(reached);
	});

	test('each peer is measured once a round, every second round backwards', async () => {
		const order: string[] = [];
		const measure = (name: string) => () => order.push(name);
		const met = await inTurns(3, { a: measure('a'), b: measure('b') });
		expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
		expect(met).toEqual({ a: [1, 4, 5], b: [2, 3, 6] });
	});

	test.each([
		[0, '0'],
		[0.01234, '0.012'],
		[0.976, '0.976'],
		[18.24, '18.2'],
		[755.4, '755'],
		[12_307, '12307'],
	])('%d is written %s', (figure, text) => expect(inDigits(figure)).toBe(text));
});

describe('tables', () => {
	const row = '| accepted | 19.0 /s (18.0 to 20.0) | the floor | 20.0 /s | ';

	test('have median and spread of the figures and of the ratios', () => {
		expect(documentOf(section)).toContain(`${row}0.950 (0.900 to 1.00) | at least 0.97 | **no** |`);
		const easier = { ...section, comparisons: [{ ...comparison, goal: atLeast(0.9) }] };
		expect(documentOf(easier)).toContain('| at least 0.9 | yes |');
	});

	test('take the place of those before, and leave the words around them', () => {
		const words = 'Before.\n\n<!-- bench accepted -->\nold\n<!-- /bench -->\n\nAfter.\n';
		const once = replaceMarked(words, 'accepted', documentOf(section));
		expect(once).not.toContain('old');
		expect(once).toMatch(/^Before\.[^]*\| accepted[^]*After\.\n$/);
		expect(replaceMarked(once, 'accepted', documentOf(section))).toBe(once);
		expect(() => replaceMarked(words, 'other', '')).toThrow('no place for "other"');
	});

	test('are told to programs too', () => {
		const json = JSON.parse(toJson({ kind: 'quick' }, [section])) as unknown;
		expect(json).toMatchObject({
			circumstances: { kind: 'quick' },
			sections: [
				{
					name: 'accepted',
					comparisons: [{ ours: [18, 20, 19], goal: 'at least 0.97', reached: false }],
				},
			],
		});
	});
});

test('the picture has a row for each comparison, further right the greater it is', () => {
	const others = [10, 20, 40].map((other) => ({ ...comparison, other: [other] }));
	const svg = plot(others);
	const places = [...svg.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => Number(x));
	expect(places).toHaveLength(3);
	expect(places).toEqual(places.toSorted((a, b) => b - a));
	expect(plot([{ ...comparison, what: 'a <b> & c' }])).toContain('a &lt;b&gt; &amp; c');
});
