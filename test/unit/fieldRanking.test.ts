import type { IDataObject } from 'n8n-workflow';

import type { DetailKey } from '../../nodes/VoiceAgent/callDetails/details';
import { rankFields } from '../../nodes/VoiceAgent/callDetails/fieldRanking';
import { readMapping } from '../../nodes/VoiceAgent/callDetails/mapping';
import { fc } from '../support/jest/random';

const GERMAN = {
	ereignis: 'anruf.beendet',
	daten: {
		kennung: 'a-1',
		anrufer: { nummer: '+49 30 1234567', name: 'Ada Lovelace' },
		ziel: { nummer: '+49 30 7654321' },
		beginn: '2026-11-23T10:00:00Z',
		notiz: 'Möchte einen Termin.',
	},
};

test.each<[DetailKey, string]>([
	['customer.phone', 'daten.anrufer.nummer'],
	['startedAt', 'daten.beginn'],
])('the likeliest field for %s comes first', (detail, path) => {
	const [first] = rankFields([GERMAN], detail);
	expect(first).toMatchObject({ path, fits: true });
});

test('the side in a name counts', () => {
	const event = {
		rep: { phone: '+14155550100' },
		buyer: { phone: '+14155550187' },
		customer: { contact_no: '+14155550123' },
	};
	const paths = rankFields([event], 'customer.phone').map(({ path }) => path);
	expect(paths[0]).toBe('customer.contact_no');
	expect(paths.at(-1)).toBe('rep.phone');
});

test('each path is listed once, with the value of the newest event; fields that do not fit are last', () => {
	const events = [{ nr: '+14155550100' }, { nr: '+14155550111', wert: 'keine' }];
	expect(rankFields(events, 'customer.phone')).toMatchObject([
		{ path: 'nr', value: '+14155550100', fits: true },
		{ path: 'wert', value: 'keine', fits: false },
	]);
});

test('collected data is an object or a list', () => {
	const event = { ...GERMAN, antworten: [{ name: 'termin', value: 'Montag' }] };
	expect(rankFields([event], 'collected').map(({ path }) => path)).toEqual([
		'daten',
		'antworten',
		'daten.anrufer',
		'daten.ziel',
		'antworten[0]',
	]);
});

test('a list can be a transcript', () => {
	const verlauf = [
		{ role: 'agent', text: 'Hallo.' },
		{ role: 'user', text: 'Guten Tag.' },
	];
	expect(rankFields([{ daten: { verlauf } }], 'transcript')[0]?.path).toBe('daten.verlauf');
});

test('every path is read back as the field that it names, whatever the names are', () => {
	const key = fc.oneof(
		fc.string(),
		fc.constantFrom('__proto__', 'a.b', "it's", 'a[0]', '\\', '0', '名前', ' x ', '"'),
	);
	const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
		tree: fc.oneof(
			{ maxDepth: 3 },
			fc.constantFrom('+14155550100', '+14155550111'),
			fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
			fc.array(tie('tree'), { maxLength: 3 }),
		),
	}));
	fc.assert(
		fc.property(tree, (inner) => {
			const event = { inner } as IDataObject;
			for (const { path, value } of rankFields([event], 'customer.phone')) {
				const { mapping, problem } = readMapping({ fields: [{ detail: 'customer.phone', path }] });
				expect({ path, problem }).toEqual({ path, problem: undefined });
				if (typeof value === 'string') {
					expect(mapping?.(event)).toEqual({ 'customer.phone': value });
				}
			}
		}),
	);
});
