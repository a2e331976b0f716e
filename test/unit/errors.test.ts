import { requestError, statusOf, unreadableError } from '../../nodes/VoiceAgent/api/errors';
import { nodeOf } from '../support/triggerNode';

const KEY = 'svc_live_0123456789abcdefghijkl';
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';
const node = nodeOf('Voice Agent', 'voiceAgent');
const asked = (name = 'GET /webhooks', secrets = [KEY]) => ({ node, name, secrets });
const answered = (status: number, text = '') =>
	requestError(asked(), { status, headers: {}, text });
const failed = (failure: string, name?: string) => requestError(asked(name), { failure });

// Promise: Each status has an error with what happened and what to do.
test.each([
	[301, 'at another address', 'Base URL'],
	[400, 'refused the request', 'fields of the node'],
	[401, 'API key was not accepted', 'Paste a valid key'],
	[403, 'lacks the scope workspace:admin', 'Create a key that has it'],
	[404, 'has nothing at this address', 'Check the Base URL'],
	[409, 'conflict', 'may exist already'],
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

test('an error without a body shows the status alone', () => {
	expect(answered(500).message).toContain('(status 500)');
});

const causes: Array<[failures: string, happened: string, advice: string]> = [
	['ENOTFOUND EAI_AGAIN', 'host was not found', 'DNS'],
	['ECONNREFUSED EHOSTUNREACH', 'cannot be reached', 'that it is up'],
	['SELF_SIGNED_CERT_IN_CHAIN CERT_HAS_EXPIRED', 'was not accepted', 'NODE_EXTRA_CA_CERTS'],
	['EPROTO ERR_SSL_WRONG_VERSION_NUMBER', 'No secure connection', 'Base URL'],
	['ETIMEDOUT ECONNABORTED ERR_CANCELED', 'did not answer in time', 'Try again later'],
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
const unanswered = 'may have carried out the request';

// Promise: An error says if a failed POST may have been processed.
test.each(['socket hang up', 'ETIMEDOUT'])(
	'a POST that may have been processed after %s',
	(failure) => {
		expect(failed(failure, post).message).toContain(unanswered);
		expect(failed(failure, post).message).not.toContain('Try again later');
	},
);

test('a POST that may have been processed after a server error, or an unreadable answer', () => {
	const outcome = { status: 502, headers: {}, text: '' };
	expect(requestError(asked(post), outcome).message).toContain(unanswered);
	expect(unreadableError(asked(post), 'a record', '{"id').message).toContain(unanswered);
});

test('a POST that may have been processed but not if nothing was sent, or the service refused the request', () => {
	expect(failed('ECONNREFUSED', post).message).not.toContain(unanswered);
	expect(failed('SELF_SIGNED_CERT_IN_CHAIN', post).message).not.toContain(unanswered);
	const outcome = { status: 422, headers: {}, text: '' };
	expect(requestError(asked(post), outcome).message).not.toContain(unanswered);
});

test.each([
	['{"id": "1"', 'cannot be read', 'a list of webhooks was expected', '{"id": "1"'],
	['', 'cannot be read', 'Base URL', 'is empty'],
	['<!doctype html><p>Hi', 'a web page came instead of data', 'Base URL', '<!doctype html><p>Hi'],
])('the error for the unreadable answer %j', (text, happened, advice, shown) => {
	const { message } = unreadableError(asked(), 'a list of webhooks', text);
	expect(message).toContain(happened);
	expect(message).toContain(advice);
	expect(message).toContain(shown);
});

test('a long answer is shortened', () => {
	const { message } = unreadableError(asked(), 'a list', 'x'.repeat(9_999));
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
