import {
	asToken,
	isOfTrigger,
	isSameAddress,
	tokenOf,
	withToken,
	workflowIdOf,
} from '../../nodes/VoiceAgent/auth/token';
import { fc } from '../support/jest/random';
import { processorTimeFor } from '../support/time/processorTime';

const URL_ = 'https://n8n.example.com/webhook/1b9d/webhook';
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';

test('a token goes into a URL and comes out of it', () => {
	expect(withToken(URL_, TOKEN)).toBe(`${URL_}?voice_agent_token=${TOKEN}`);
	expect(withToken(`${URL_}?a=1`, TOKEN)).toBe(`${URL_}?a=1&voice_agent_token=${TOKEN}`);
	fc.assert(
		fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
			const token = Buffer.from(bytes).toString('base64url');
			expect(tokenOf(withToken(URL_, token))).toBe(token);
		}),
	);
});

test.each(['12', 'aB3dE6gH9jK2mN5p', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'])(
	'the ID of the workflow %s follows the token',
	(id) => {
		const url = withToken(URL_, TOKEN, id);
		expect(url).toBe(`${URL_}?voice_agent_token=${TOKEN}&voice_agent_workflow=${id}`);
		const [, query] = url.split('?');
		for (const shown of [url, `${URL_}?${query?.split('&').reverse().join('&')}&a=1`]) {
			expect([tokenOf(shown), workflowIdOf(shown)]).toEqual([TOKEN, id]);
		}
	},
);

test.each(['', '***', 'redacted', '__EMPTY__', 'a/../../b/c/d/e/f', '%2e%2e%2f12'])(
	'%j is no ID of a workflow',
	(id) => {
		expect(withToken(URL_, TOKEN, id)).toBe(withToken(URL_, TOKEN));
		expect(workflowIdOf(`${URL_}?voice_agent_workflow=${id}`)).toBeUndefined();
	},
);

test.each([[`${TOKEN}x`], [`${TOKEN}\n`], [[TOKEN, TOKEN]], [undefined]])(
	'%j is no token',
	(value) => expect(asToken(value)).toBeUndefined(),
);

test.each([URL_, `${URL_}?***`, `${URL_}?voice_agent_token=***`, 'not a URL', ''])(
	'%s shows no token',
	(url) => expect(tokenOf(url)).toBeUndefined(),
);

test.each([
	['a masked query', `${URL_}?***`],
	['the port spelled out', 'https://n8n.example.com:443/webhook/1b9d/webhook'],
	['the host in capitals', 'https://N8N.Example.COM/webhook/1b9d/webhook'],
	['a slash at the end', `${URL_}/?a=1`],
	['needless escapes', 'https://n8n.example.com/webhook/1b9d/%77ebhook'],
])('%s is the same address', (_name, other) => {
	expect(isSameAddress(URL_, other)).toBe(true);
	expect(isSameAddress(other, URL_)).toBe(true);
});

test('escapes in small and in capital letters are the same', () => {
	expect(isSameAddress('https://a.example/caf%c3%a9', 'https://a.example/café')).toBe(true);
	expect(isSameAddress('https://a.example/50%', 'https://a.example/50%?a')).toBe(true);
});

test.each([
	['the test URL', 'https://n8n.example.com/webhook-test/1b9d/webhook'],
	['a path in capitals', 'https://n8n.example.com/webhook/1B9D/webhook'],
	['another scheme', 'http://n8n.example.com/webhook/1b9d/webhook'],
])('%s is another address', (_name, other) => expect(isSameAddress(URL_, other)).toBe(false));

test('two texts that are no URLs are not the same address', () => {
	expect(isSameAddress('', '')).toBe(false);
});

test('the path of a trigger is found in linear time', () => {
	const url = `https://n8n.example.com${'/webhook'.repeat(50_000)}/x`;
	const ms = processorTimeFor(() => expect(isOfTrigger(url)).toBe(false));
	expect(isOfTrigger(URL_)).toBe(true);
	expect(ms).toBeLessThan(2000);
});
