import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import {
	CALL,
	post,
	publish,
	registeredUrl,
	sandbox,
	trigger,
	useReceiver,
} from '../support/n8n/receiveSetup';

// The waits between the node's attempts pass at once.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useReceiver();

const STARTED = { status: 200, items: [CALL] };
const JSON_TYPE = 'application/json';
const OWN_TYPE = 'application/cloudevents+json';
const LINES = '{"type": "call.completed"}\n{"type": "call.started"}\n';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const signed = (text: string) => ({
	'x-signature': `sha256=${createHmac('sha256', sandbox.signingSecret).update(text).digest('hex')}`,
});
const COMPLETED = { type: 'call.completed', name: 'Zoë' };
const json = JSON.stringify(COMPLETED);
const inForm = (text: string) => `payload=${encodeURIComponent(text)}`;
const CUT = { type: 'call.completed', url: 'https://a.example/?b=1&c=2%20+' };
const batch = '[{"type": "call.completed"}, {"type": "call.started"}, {"id": 3}]';
test.each<[string, string | false, string | Buffer, unknown[]]>([
	['an object', JSON_TYPE, '{"a": {"b": [1, "ü"]}}', [{ a: { b: [1, 'ü'] } }]],
	['an array', JSON_TYPE, batch, [{ type: 'call.completed' }, { id: 3 }]],
	['null', JSON_TYPE, 'null', [{}]],
	['nothing', JSON_TYPE, '', [{}]],
	// n8n does not parse these.
	['JSON of its own type', OWN_TYPE, json, [COMPLETED]],
	['JSON with a charset', 'application/vnd.api+json; charset=utf-8', json, [COMPLETED]],
	['JSON as text', 'text/plain', json, [COMPLETED]],
	['JSON as bytes', 'application/octet-stream', json, [COMPLETED]],
	['JSON without a type', false, json, [COMPLETED]],
	['NDJSON', 'application/x-ndjson', LINES, [{ body: LINES }]],
	['text', 'text/plain', 'A call has ended', [{ body: 'A call has ended' }]],
	['another encoding', 'text/csv', Buffer.from('Zo\xeb', 'latin1'), [{ body: 'Zo\ufffd' }]],
	['bytes', 'application/octet-stream', 'Zoë', [{ body: 'Zoë' }]],
	['an empty text', 'text/plain', '', [{}]],
	['nothing of another type', 'application/x-ndjson', '', [{}]],
	['JSON as a form with a charset', `${FORM_TYPE}; charset=utf-8`, JSON.stringify(CUT), [CUT]],
	['JSON in another charset than it says', `${JSON_TYPE}; charset=ascii`, json, [COMPLETED]],
	['a text in JSON', JSON_TYPE, '"5"', [{ body: '5' }]],
	['a form with a batch', FORM_TYPE, inForm(batch), [{ type: 'call.completed' }, { id: 3 }]],
	[
		'a form with JSON and more',
		FORM_TYPE,
		`${inForm('{"a":1}')}&b=2`,
		[{ payload: '{"a":1}', b: '2' }],
	],
	['a form with a number', FORM_TYPE, 'id=5', [{ id: '5' }]],
	['a field of JSON with JSON', JSON_TYPE, '{"payload":"{}"}', [{ payload: '{}' }]],
	['a byte-order mark', OWN_TYPE, '\ufeff{"id": 1}', [{ id: 1 }]],
	['a byte-order mark in text', 'text/plain', '\ufeff{"id": 1}', [{ id: 1 }]],
])('a body is received: %s', async (_name, type, body, items) => {
	await publish();
	const received = await post(registeredUrl(), body, { 'content-type': type });
	expect(received).toEqual({ status: 200, answer: '', items });
});

// Promise: Signed bytes have the same values whatever the content type says.
test.each(['text/plain', FORM_TYPE, `${JSON_TYPE}; charset=ascii`])(
	'signed JSON has its values with the content type %s',
	async (type) => {
		await publish({ verifySignature: true }, { signature: 'hmac-hex' });
		const event = { ...CUT, name: 'Zoë &name=Ada' };
		const body = JSON.stringify(event);
		const headers = { 'content-type': type, ...signed(body) };
		expect(await post(registeredUrl(), body, headers)).toMatchObject({
			status: 200,
			items: [event],
		});
	},
);

test('a compressed body that n8n leaves compressed is received', async () => {
	await publish();
	const headers = { 'content-type': OWN_TYPE, 'content-encoding': 'gzip' };
	const compressed = gzipSync(JSON.stringify(CALL));
	expect(await post(registeredUrl(), compressed, headers)).toMatchObject(STARTED);
});

test('a body that n8n leaves unread is verified over the sent bytes', async () => {
	await publish({ verifySignature: true }, { signature: 'hmac-hex' });
	const body = JSON.stringify(CALL, undefined, '\t');
	const headers = { 'content-type': OWN_TYPE, ...signed(body) };
	expect(await post(registeredUrl(), body, headers)).toMatchObject(STARTED);
	expect(await post(registeredUrl(), `${body} `, headers)).toMatchObject({ status: 401 });
});

test('a body that is too large gets 413, and is not read without a valid callback token', async () => {
	await publish();
	const body = 'x'.repeat(17_000_000);
	const headers = { 'content-type': OWN_TYPE };
	expect(await post(registeredUrl(), body, headers)).toMatchObject({ status: 413 });
	expect(await post(trigger.webhookUrl(), body, headers)).toMatchObject({ status: 401 });
});
