import type { IDataObject } from 'n8n-workflow';

import { readMapping } from '../../nodes/VoiceAgent/callDetails/mapping';
import { hintsFor } from '../../nodes/VoiceAgent/editor/hints';
import type { Settings } from '../../nodes/VoiceAgent/trigger/settings';

const settings = { output: 'both', detailOptions: {}, requestTest: false } as unknown as Settings;
const INBOUND = { call_id: '1', direction: 'inbound' };
const GERMAN = {
	anruf: {
		anrufer: { nummer: '+49 30 1234567', mail: 'ada@example.com' },
		datei: 'https://x.example/a.mp3',
	},
};

test('a field that looks like a missing detail is named', () => {
	expect(hintsFor(GERMAN, undefined, settings)).toEqual([
		'"anruf.anrufer.nummer" looks like a phone number: map it to Customer Phone, in Options → Call Details Mapping.',
		'"anruf.anrufer.mail" looks like an e-mail address: map it to Customer Email, in Options → Call Details Mapping.',
		'"anruf.datei" looks like a recording: map it to Recording URL, in Options → Call Details Mapping.',
	]);
});

test.each<[string, IDataObject, Partial<Settings>]>([
	['if all is well', { ...INBOUND, from: '+14155550123' }, {}],
	['of a hidden number', { ...INBOUND, from: 'anonymous', x: '+14155550123' }, {}],
	['of a number of a web call', { ...INBOUND, type: 'webCall', x: '+14155550123' }, {}],
	['of the number of our side', { ...INBOUND, to: '+14155550100' }, {}],
	['if the event alone is wanted', GERMAN, { output: 'event' }],
])('there is no hint %s', (_name, event, changed) => {
	expect(hintsFor(event, undefined, { ...settings, ...changed })).toEqual([]);
});

test('a hidden number leaves the hint for another detail', () => {
	const hidden = { call: { ...INBOUND, from: 'anonymous' }, kontakt: { mail: 'ada@example.com' } };
	expect(hintsFor(hidden, undefined, settings).join()).toMatch(
		/^"kontakt.mail" looks like an e-mail/,
	);
});

test('a number of WhatsApp looks like a phone number, not like an e-mail address', () => {
	const call = { event: 'call.received', payload: { id: 'ABC', from: '14155550123@c.us' } };
	expect(hintsFor(call, undefined, settings)).toEqual([
		'"payload.from" looks like a phone number: map it to Customer Phone, in Options → Call Details Mapping.',
	]);
});

test.each([
	['a missing field', 'anruf.nummer'],
	['another field', 'anruf.datei'],
])('a mapped detail that is not read has a hint of its own: %s', (_what, path) => {
	const { mapping } = readMapping({ fields: [{ detail: 'customer.phone', path }] });
	const hints = hintsFor(GERMAN, undefined, { ...settings, detailOptions: { mapping } });
	expect(hints[0]).toMatch(/reads no Customer Phone .* choose its field again/);
	expect(hints.join()).not.toContain('looks like a phone');
});

test('the filter and the test event come as hints, without markup of the event', () => {
	const event = { call_id: '1' };
	const unmet = { condition: 'Outcomes', reason: 'its outcome is <b>Lost</b>' };
	const hints = hintsFor(event, unmet, { ...settings, requestTest: true });
	expect(hints).toEqual([
		'Only Calls That Match would leave this call out. Outcomes: its outcome is bLost/b.',
		expect.stringContaining('probably invented'),
	]);
});
