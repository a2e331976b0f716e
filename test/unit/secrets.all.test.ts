import { hideAllSecrets } from '../../nodes/VoiceAgent/service/secrets';
import { processorTimeFor } from '../support/time/processorTime';

const KEY = 'svc_live_0123456789abcdefghijkl';
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO-_';

test.each([
	[
		{ id: KEY, prefix: 'svc_live_01' },
		{ id: 'svc_live_***', prefix: 'svc_live_01' },
	],
	[{ prefix: KEY }, { prefix: 'svc_live_***' }],
	[{ current: 'whsec_MfKQ+/9==' }, { current: 'whsec_***' }],
	[
		{ signing_key: 'a', signingKey: 'b', 'Signing-Secret': 'c' },
		{ signing_key: '***', signingKey: '***', 'Signing-Secret': '***' },
	],
	[
		{ secret: { value: 'abc', at: 1, next: ['d'] } },
		{ secret: { value: '***', at: 1, next: ['***'] } },
	],
	[
		{ secret: '', secretary: 'Ann', keys: ['a'] },
		{ secret: '', secretary: 'Ann', keys: ['a'] },
	],
	["{'signing_key': 'ab', 'id': 1}", "{'signing_key': '***', 'id': 1}"],
	['{"secret":"whsec_MfKQ\\/r8+="}', '{"secret":"***"}'],
	['whsec_MfKQ%2Fr8%2B%3D is known', 'whsec_*** is known'],
	['{"secret": "abc', '{"secret": "***'],
	['a=1&client_secret=abc&b=2', 'a=1&client_secret=***&b=2'],
	['The secret is missing', 'The secret is missing'],
	['{"authorization": "Basic dXNlcjpwYXNz"}', '{"authorization": "***"}'],
	['?apikey=abc&password=def', '?apikey=***&password=***'],
	['Authorization: Bearer abcdefghijklmnop==, ok', 'Authorization: Bearer ***, ok'],
	['The bearer of good news, a bearer token', 'The bearer of good news, a bearer token'],
	[
		JSON.stringify({ body: JSON.stringify({ secret: 'ab' }) }),
		'{"body":"{\\"secret\\":\\"***\\"}"}',
	],
])('what looks like a secret is hidden in %j', (value, shown) => {
	expect(hideAllSecrets<unknown>(value, [])).toEqual(shown);
	expect(hideAllSecrets<unknown>(shown, [])).toEqual(shown);
});

// Quadratic time would be minutes for a megabyte; linear time is a tenth of a second.
const BOUND_MS = 10_000;
const hostile = [
	...['a', '%', '%25', '\\', '"', '\\"', ' ', KEY, TOKEN, KEY.slice(0, -1)],
	...['voice_agent_token', 'voice_agent_token=', 'voice_agent_token"', 'svc_live_', 'whsec_'],
	...['bearer ', 'bearer+', 'Bearer %20', 'authorization="basic ', 'password', 'api_key='],
	...['secret', 'secret=', 'secret":"', 'secret: "\\"', 'secret     ', 'voice_agent_token%2525'],
];

test.each(hostile)('a megabyte is searched in linear time %j, repeated', (part) => {
	const text = part.repeat(1_000_000 / part.length);
	const ms = processorTimeFor(() => void hideAllSecrets(text, [KEY, TOKEN]));
	expect(ms).toBeLessThan(BOUND_MS);
});
