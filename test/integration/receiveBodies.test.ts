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
} from '../support/receiveSetup';

// The waits between the node's attempts pass at once.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/noWaits'));

useReceiver();

describe('bodies', () => {
	test.each<[string, string, unknown[]]>([
		['an object', '{"a": {"b": [1, "ü"]}}', [{ a: { b: [1, 'ü'] } }]],
		[
			'an array',
			'[{"type": "call.completed"}, {"type": "call.started"}, 3]',
			[{ type: 'call.completed' }, { body: 3 }],
		],
		['null', 'null', [{}]],
		['nothing', '', [{}]],
	])('%s', async (_name, body, items) => {
		await publish();
		expect(await post(registeredUrl(), body)).toMatchObject({ status: 200, items });
	});

	test.each<string | false>([
		'application/cloudevents+json',
		'application/vnd.api+json; charset=utf-8',
		'text/plain',
		'application/octet-stream',
		false,
	])('JSON with the content type %s', async (type) => {
		await publish();
		const body = { type: 'call.completed', name: 'Zoë' };
		const { status, items } = await post(registeredUrl(), body, { 'content-type': type });
		expect({ status, items }).toEqual({ status: 200, items: [body] });
	});

	const twoLines = '{"type": "call.completed"}\n{"type": "call.started"}\n';
	test.each<[string, string, string | Buffer, object]>([
		['NDJSON', 'application/x-ndjson', twoLines, { body: twoLines }],
		['text', 'text/plain', 'A call has ended', { body: 'A call has ended' }],
		['text in another encoding', 'text/csv', Buffer.from('Zo\xeb', 'latin1'), { body: 'Zo\ufffd' }],
		['bytes', 'application/octet-stream', 'Zoë', { body: 'Zoë' }],
		['an empty text', 'text/plain', '', {}],
		['nothing', 'application/x-ndjson', '', {}],
		['JSON behind a byte-order mark', 'application/vnd.api+json', '\ufeff{"id": 1}', { id: 1 }],
		['plain JSON behind one', 'text/plain', '\ufeff{"id": 1}', { id: 1 }],
	])('that n8n does not parse: %s', async (_name, type, body, item) => {
		await publish();
		const { status, items } = await post(registeredUrl(), body, { 'content-type': type });
		expect({ status, items }).toEqual({ status: 200, items: [item] });
	});

	test('a compressed body that n8n leaves compressed', async () => {
		await publish();
		const headers = { 'content-type': 'application/cloudevents+json', 'content-encoding': 'gzip' };
		const compressed = gzipSync(JSON.stringify(CALL));
		expect(await post(registeredUrl(), compressed, headers)).toMatchObject({
			status: 200,
			items: [CALL],
		});
	});

	test('a body that n8n leaves unread is verified over the sent bytes', async () => {
		await publish({ verifySignature: true }, { signature: 'hmac-hex' });
		const body = JSON.stringify(CALL, undefined, '\t');
		const sign = (text: string) => ({
			'content-type': 'application/cloudevents+json',
			'x-signature': `sha256=${createHmac('sha256', sandbox.signingSecret).update(text).digest('hex')}`,
		});
		expect(await post(registeredUrl(), body, sign(body))).toMatchObject({
			status: 200,
			items: [CALL],
		});
		expect(await post(registeredUrl(), body, sign(`${body} `))).toMatchObject({ status: 401 });
	});

	test('a body that is too large gets 413', async () => {
		await publish();
		const body = { type: 'call.completed', transcript: 'x'.repeat(17_000_000) };
		const headers = { 'content-type': 'application/cloudevents+json' };
		expect(await post(registeredUrl(), body, headers)).toMatchObject({ status: 413 });
	});

	test('without a valid callback token, the body is not read', async () => {
		await publish();
		const headers = { 'content-type': 'application/cloudevents+json' };
		const body = 'x'.repeat(17_000_000);
		const { status } = await post(trigger.webhookUrl(), body, headers);
		expect(status).toBe(401);
	});

	test('keys with the names of prototypes', async () => {
		await publish();
		const body =
			'{"type":"call.completed","__proto__":{"admin":true},"constructor":{"prototype":{}}}';
		const { status, items } = await post(registeredUrl(), body);
		expect(status).toBe(200);
		expect(JSON.stringify(items)).toBe(`[${body}]`);
		expect(({} as { admin?: boolean }).admin).toBeUndefined();
	});
});
