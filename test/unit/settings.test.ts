import type { IHookFunctions } from 'n8n-workflow';

import { readSettings } from '../../nodes/VoiceAgent/trigger/settings';

const read = (parameters: Record<string, unknown>) =>
	readSettings({
		getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
	} as unknown as IHookFunctions);

test.each([
	[undefined, []],
	[null, []],
	['', []],
	['call.completed', ['call.completed']],
	[' call.completed , call.started,', ['call.completed', 'call.started']],
	[['call.completed', ' call.completed', ''], ['call.completed']],
])('the chosen events %j are %j', (events, expected) => {
	expect(read({ events }).events).toEqual(expected);
});

test('without options, everything is at its default', () => {
	expect(read({})).toEqual({
		events: [],
		verification: { scheme: 'none' },
		deliveryDetails: false,
		requestSample: true,
	});
	expect(read({ options: { verification: 'hmac' } }).verification).toEqual({
		scheme: 'hmac',
		header: 'x-signature',
		hash: 'sha256',
		encoding: 'hex',
		prefix: '',
	});
});

test.each(['X-Hub-Signature-256', ' x-hub-signature-256 '])('the header %j is found', (header) => {
	const options = { verification: 'hmac', signatureHeader: header };
	expect(read({ options }).verification).toMatchObject({ header: 'x-hub-signature-256' });
});
