import { requestError, statusOf, unreadableError } from '../../nodes/VoiceAgent/service/errors';
import { nodeOf } from '../support/n8n/triggerNode';

const KEY = 'svc_live_0123456789abcdefghijkl';
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';
const node = nodeOf('Voice Agent', 'voiceAgent');
const asked = (name = 'GET /webhooks', secrets = [KEY]) => {
	const [method = '', path = ''] = name.split(' ');
	return { node, method, path, secrets };
};
const answered = (status: number, text = '', name?: string) =>
	requestError(asked(name), { status, headers: {}, text });
const failed = (failure: string, name?: string) => requestError(asked(name), { failure });

// Promise: Each status has an error with what happened and what to do.
test.each([
	[301, 'at another address', 'Base URL'],
	[400, 'refused the request', 'fields of the node'],
	[401, 'API key was not accepted', 'Paste a valid key'],
	[403, 'does not allow this request', 'create a key that has it'],
	[404, 'has nothing at this address', 'Check the Base URL'],
	[407, 'proxy of n8n did not let the request through', 'HTTPS_PROXY'],
	[408, 'did not answer in time', 'Try again later'],
	[429, 'Too many requests', 'Wait, then try again'],
	[500, 'returned a server error', 'Try again later'],
])('the error for status %i states what happened and what to do', (status, happened, advice) => {
	const error = answered(status, '{"error": {"message": "Reason of the service"}}');
	expect(error.message).toContain(happened);
	expect(error.message).toContain(advice);
	expect(error.message).toContain(`(status ${status}, Reason of the service)`);
	expect(error.description).toBe('GET /webhooks');
	expect(statusOf(error)).toBe(status);
});

test.each([401, 403, 407, 429])(
	'a web page with the status %i is of a bot filter or proxy',
	(status) => {
		const { message } = answered(status, '<!DOCTYPE html><title>Just a moment...</title>');
		expect(message).toMatch(/^A web page refused the request: .*Just a moment/);
		expect(message).toContain('The API key may be right');
		expect(answered(status, '{"title": "<html>"}').message).not.toContain('web page');
	},
);

const causes: Array<[failures: string, happened: string, advice: string]> = [
	['ENOTFOUND EAI_AGAIN', 'host was not found', 'DNS'],
	['ECONNREFUSED EHOSTUNREACH', 'cannot be reached', 'that it is up'],
	['SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED', 'was not accepted', 'NODE_EXTRA_CA_CERTS'],
	['EPROTO ERR_SSL_WRONG_VERSION_NUMBER', 'No secure connection', 'Base URL'],
	['ETIMEDOUT ECONNABORTED ERR_CANCELED', 'did not answer in time', 'Try again later'],
	['ERR_INVALID_CHAR', 'cannot be sent', 'credential'],
	['ProxyError tunneling-socket', 'proxy of n8n did not let', 'NO_PROXY'],
	['ECONNRESET EPIPE', 'connection to the service broke', 'Try again later'],
];
test.each(
	causes.flatMap(([failures, ...texts]) => failures.split(' ').map((one) => [one, ...texts])),
)('the error for the failure %s states what happened and what to do', (failure, ...texts) => {
	const error = failed(failure);
	for (const text of [...texts, `(${failure})`]) expect(error.message).toContain(text);
	expect(statusOf(error)).toBeUndefined();
});

const post = 'POST /workspace/api-keys';

// Promise: An error says if a failed POST may have been processed.
test.each<[string, Error, mayBeDone: boolean]>([
	['a broken connection', failed('socket hang up', post), true],
	['a time-out', failed('ETIMEDOUT', post), true],
	['a time-out of a PATCH', failed('ETIMEDOUT', 'PATCH /webhooks/1'), true],
	['a server error', answered(502, '', post), true],
	['an unreadable answer', unreadableError(asked(post), 'a record', '{"id'), true],
	['a connection that was refused', failed('ECONNREFUSED', post), false],
	['an untrusted certificate', failed('SELF_SIGNED_CERT_IN_CHAIN', post), false],
	['a refused request', answered(422, '', post), false],
])('a POST may have been processed after %s: %p', (_after, { message }, mayBeDone) => {
	expect(message.includes('may have carried out the request')).toBe(mayBeDone);
	if (mayBeDone) expect(message).not.toContain('Try again later');
});

// Promise: No error holds what the service's log says of a caller.
test('no error holds an event of the log', () => {
	const log = asked('GET /webhooks/wh_1/deliveries');
	const text = '[{"payload":{"caller":"Zoe"}}';
	for (const error of [
		unreadableError(log, 'a list of deliveries', text),
		requestError(log, { status: 500, headers: {}, text }),
	]) {
		expect(error.message).toMatch(/cannot be read.* has 29 characters|\(status 500\)/);
		expect(error.message).not.toContain('Zoe');
	}
	const refused = requestError(log, { status: 500, headers: {}, text: '{"message":"down"}' });
	expect(refused.message).toContain('(status 500, down)');
});

test('a long unreadable answer is shortened', () => {
	const { message } = unreadableError(asked(), 'a list', 'x'.repeat(9_999));
	expect(message).toContain('a list was expected. Check the Base URL');
	expect(message.length).toBeLessThan(500);
});

const url = `https://n8n.example.com/webhook/1?voice_agent_token=${TOKEN}`;
const secrets: Array<[string, string, RegExp]> = [
	['the key', JSON.stringify({ message: `Bad key ${KEY}` }), /0123456789/],
	['another live key', JSON.stringify({ key: 'svc_live_fedcba98' }), /fedcba98/],
	['a callback token', JSON.stringify({ message: `Bad URL ${url}` }), /abcdefghij/],
	['a signing secret', '{"id": "1", "secret": "whsec_c2VjcmV0', /c2VjcmV0/],
];

// Promise: No error holds a secret.
test.each(secrets)('no error holds a secret %s', (_name, text, secret) => {
	for (const error of [
		answered(400, text),
		unreadableError(asked(), 'a list', text),
		failed(text),
	]) {
		expect(error.message).not.toMatch(secret);
		expect(JSON.stringify(error)).not.toMatch(secret);
		expect(String(error.stack)).not.toMatch(secret);
	}
});

test('no error holds a secret without its parameter, or cut off after 200 characters', () => {
	for (let before = 150; before < 220; before++) {
		const text = `${'x'.repeat(before)}${TOKEN} and ${KEY}`;
		const outcome = { status: 400, headers: {}, text };
		for (const error of [
			requestError(asked('POST /webhooks', [KEY, TOKEN]), outcome),
			unreadableError(asked('POST /webhooks', [KEY, TOKEN]), 'a record', text),
		]) {
			expect(error.message).not.toMatch(/abc|svc/);
		}
	}
});

test('no error holds a secret that was pasted as an ID', () => {
	const outcome = { status: 404, headers: {}, text: '' };
	const error = requestError(asked(`DELETE /workspace/api-keys/${KEY}`, []), outcome);
	expect(error.description).toBe('DELETE /workspace/api-keys/svc_live_***');
});
