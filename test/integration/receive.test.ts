import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { WebhookContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { splitWords } from '../../nodes/VoiceAgent/text/words';
import type { Dialect } from '../../sandbox/dialects';
import {
	CALL,
	post,
	publish,
	receiver,
	REFUSED,
	registeredUrl,
	rightToken,
	sandbox,
	trigger,
	useReceiver,
	withToken,
} from '../support/n8n/receiveSetup';

// The waits between the node's attempts pass at once.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useReceiver();

/** The node's options, and the dialect of a service that signs in this way. */
const signed = (signature: Dialect['signature']): Parameters<typeof publish> => [
	{ verifySignature: true },
	{ signature },
];

const FORM_TYPE = 'application/x-www-form-urlencoded';
const escapedForm = (text: string) => encodeURIComponent(text).replaceAll('a', '%61');

test('an event that the filter excludes starts nothing, and the log shows its type and the unmet condition, without the token', async () => {
	const options = { onlyCalls: { filter: { direction: 'inbound' } } };
	await publish(options);
	// A text of more words is no type.
	while (splitWords(rightToken()).length > 15) {
		await sandbox.stop();
		await publish(options);
	}
	const debug = jest.fn();
	const logger = jest.spyOn(WebhookContext.prototype, 'logger', 'get');
	logger.mockReturnValue({ debug } as never);
	const data = { call_id: 'C1', direction: 'outbound' };
	const event = { type: `call.completed ${rightToken()}\nline`, data };
	const ignored = { status: 200, answer: { ignored: 'filter' }, items: [] };
	expect(await post(registeredUrl(), event)).toEqual(ignored);
	logger.mockRestore();
	expect(debug).toHaveBeenCalledWith(
		expect.stringMatching(/type call\.completed \*\*\* line: it does not meet Direction$/),
	);
});

// Promise: No event brings a callback token into execution data.
test.each([
	['application/json', (json: string) => json],
	[FORM_TYPE, (json: string) => `payload=${escapedForm(json)}`],
	[FORM_TYPE, (json: string) => `type=call.completed&data=${escapedForm(json)}`],
])(
	'an event that echoes the URL of its endpoint brings no token into execution data: %s, %s',
	async (type, spell) => {
		await publish();
		const url = registeredUrl();
		const echo = { url, escaped: encodeURIComponent(url), [`key ${rightToken()}`]: rightToken() };
		const body = spell(JSON.stringify({ type: 'call.completed', data: [echo] }));
		const { items } = await post(url, body, { 'content-type': type });
		expect(items).toHaveLength(1);
		expect(JSON.stringify(items)).toContain('***');
		expect(JSON.stringify(items)).not.toContain(rightToken());
	},
);

// Promise: A challenge is answered and starts nothing.
test('a challenge is answered as JSON, and refused without a callback token', async () => {
	await publish();
	const answered = { status: 200, answer: { challenge: 'c-1' }, items: [] };
	expect(await post(registeredUrl(), { challenge: 'c-1', token: 'x' })).toEqual(answered);
	expect(await post(trigger.webhookUrl(), { challenge: 'c-1' })).toMatchObject({ status: 401 });
});

describe('while n8n listens for a test event', () => {
	const listen = async () => {
		await publish({ testEvent: 'real' });
		await trigger.call('delete');
		trigger.staticData = {};
		await trigger.call('create', true);
		receiver.open(trigger, 'manual');
	};

	test('a delivery starts the test before n8n has stored the token, but not without a token', async () => {
		await listen();
		for (const stored of [{}, trigger.staticData]) {
			trigger.staticData = stored;
			expect(await post(registeredUrl())).toMatchObject({ status: 200, items: [CALL] });
			expect(await post(trigger.webhookUrl(true))).toMatchObject({ status: 401, items: [] });
		}
	});

	// Promise: A test token opens no production URL.
	test('the token of the test URL is invalid at the production URL', async () => {
		await listen();
		// The published workflow has its own static data.
		trigger.staticData = {};
		expect(await post(withToken(rightToken()))).toMatchObject({ status: 503, items: [] });
	});
});

describe('signatures', () => {
	/** Sends an event from the sandbox. @returns the requests and their answers */
	const receivedOf = async (data: IDataObject) => {
		const before = receiver.received.length;
		sandbox.emit('call.completed', data);
		await sandbox.settled();
		return receiver.received.slice(before);
	};

	// Promise: A delivery without a valid signature gets 401.
	test.each(['standard-webhooks', 'hmac-hex', 'timestamped'] as const)(
		'%s: a signed delivery starts the workflow, an unsigned or changed one gets 401',
		async (scheme) => {
			await publish(...signed(scheme));
			expect(await receivedOf({ name: 'Zoë' })).toMatchObject([
				{ status: 200, items: [{ data: { name: 'Zoë' } }] },
			]);
			expect(await post(registeredUrl())).toEqual({ status: 401, answer: REFUSED, items: [] });
			const forged = { 'x-signature': 'sha256=00', 'webhook-signature': 'v1,AA==' };
			expect(await post(registeredUrl(), CALL, forged)).toMatchObject({ status: 401, items: [] });
		},
	);

	test("the credential is read only if the endpoint's own secret does not fit", async () => {
		await publish(...signed('standard-webhooks'));
		trigger.credential = { ...trigger.credential, apiKey: '' };
		expect(await receivedOf({})).toMatchObject([{ status: 200 }]);
		// An unsigned delivery is compared with the secret of the credential, which can't be read.
		expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
	});

	test("without the endpoint's own secret, a delivery gets 503", async () => {
		await publish(...signed('standard-webhooks'));
		delete trigger.staticData.signingSecret;
		expect(await post(registeredUrl())).toMatchObject({ status: 503, items: [] });
	});
});

// Promise: The answer to the service holds no data of the workflow.
test('the answer to the service holds no data of the workflow', async () => {
	await publish();
	sandbox.emit('call.completed', { call_id: 'C1' });
	sandbox.emit('call.completed', {});
	await sandbox.settled();
	const log = sandbox.deliveriesOf(sandbox.endpoints()[0]!.id);
	expect(log).toHaveLength(2);
	for (const { response_status, response_body } of log) {
		expect(response_status).toBe(200);
		expect(response_body).toMatch(/^(|"")$/);
	}
});

const STARTED = { status: 200, items: [CALL] };
const JSON_TYPE = 'application/json';
const OWN_TYPE = 'application/cloudevents+json';
const LINES = '{"type": "call.completed"}\n{"type": "call.started"}\n';
const signatureOf = (text: string) => ({
	'x-signature': `sha256=${createHmac('sha256', sandbox.signingSecret).update(text).digest('hex')}`,
});
const COMPLETED = { type: 'call.completed', name: 'Zoë' };
const json = JSON.stringify(COMPLETED);
const inForm = (text: string) => `payload=${encodeURIComponent(text)}`;
const CUT = { type: 'call.completed', url: 'https://a.example/?b=1&c=2%20+' };
const batch = '[{"type": "call.completed"}, {"type": "call.started"}, {"id": 3}]';
test.each<[string, string | false, string | Buffer, unknown[]]>([
	['an object', JSON_TYPE, '{"a": {"b": [1, "ü"]}}', [{ a: { b: [1, 'ü'] } }]],
	['a long ID', JSON_TYPE, '{"id": 9007199254740993}', [{ id: '9007199254740993' }]],
	['an array', JSON_TYPE, batch, [{ type: 'call.completed' }, { id: 3 }]],
	['null', JSON_TYPE, 'null', [{}]],
	['nothing', JSON_TYPE, '', [{}]],
	// n8n does not parse these.
	['JSON of its own type', OWN_TYPE, json, [COMPLETED]],
	['JSON as text', 'text/plain', json, [COMPLETED]],
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
		const headers = { 'content-type': type, ...signatureOf(body) };
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
	const headers = { 'content-type': OWN_TYPE, ...signatureOf(body) };
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
