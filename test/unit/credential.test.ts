import {
	authHeaders,
	checkCredential,
	type VoiceAgentCredential,
} from '../../nodes/VoiceAgent/service/credential';

const KEY = 'svc_live_0123456789abcdefghijkl';
const good: VoiceAgentCredential = {
	baseUrl: 'https://api.example.com/v1',
	apiKey: KEY,
	authHeader: 'authorization',
	ignoreSSLIssues: false,
	webhookSigningSecret: '',
};
const messageFor = (typed: Partial<VoiceAgentCredential>) => {
	try {
		checkCredential({ ...good, ...typed });
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error(`${JSON.stringify(typed)} was accepted`);
};

test.each([
	[' https://api.example.com/v1 \n', 'https://api.example.com/v1'],
	['https://api.example.com/v1///', 'https://api.example.com/v1'],
	['https://example.com/voice/v12', 'https://example.com/voice/v12'],
	['HTTP://LocalHost/v1', 'HTTP://LocalHost/v1'],
])('the base URL %j is %s', (typed, baseUrl) => {
	expect(checkCredential({ ...good, baseUrl: typed }).baseUrl).toBe(baseUrl);
});

test.each([
	['https://api.example.com/v1/webhooks/event-types/', 'https://api.example.com/v1'],
	['https://api.example.com', 'https://api.example.com/v1'],
	['https://api.example.com/voice1', 'https://api.example.com/voice1/v1'],
])('the base URL %s is refused with its correct form', (baseUrl, better) => {
	const message = messageFor({ baseUrl });
	expect(message).toContain('Base URL');
	expect(message).toContain('API version');
	expect(message.split(' ').pop()).toBe(better);
});

test.each([
	['', 'is empty'],
	['api.example.com/v1', 'is not the address'],
	['ftp://api.example.com/v1', 'is not the address'],
	['https://api.example.com/v1?key=1', 'is not the address'],
	['https://api.example.com/v1#top', 'is not the address'],
	['https://:secret@api.example.com/v1', 'is not the address'],
])('the base URL %j is refused: it %s', (baseUrl, reason) => {
	const message = messageFor({ baseUrl });
	expect(message).toMatch(`'Base URL' ${reason}`);
	expect(message).toContain('Enter');
	expect(message).toContain('https://api.example.com/v1');
	expect(message).not.toContain('secret');
});

test.each([
	...'localhost localhost:3000 localhost. voice.localhost voice voice-agent:8080'.split(' '),
	...'voice.local host.docker.internal:3000 Voice.Corp.INTERNAL voice.local.'.split(' '),
	...'127.0.0.1 127.9.9.9:1 10.0.0.1 10.255.255.255 192.168.0.1 172.16.0.1'.split(' '),
	...'172.31.255.255 169.254.1.1 0x7f.1 2130706433'.split(' '),
	...'[::1] [::1]:8080 [fc00::1] [fdff:1::] [fe80::1] [febf::1]'.split(' '),
])('without TLS the host %s is accepted, because it is in a private network', (host) => {
	const baseUrl = `http://${host}/v1`;
	expect(checkCredential({ ...good, baseUrl }).baseUrl).toBe(baseUrl);
});

// Promise: `http://` is accepted only inside your own network.
test.each([
	...'api.example.com example.com:8080 10.example.com 127.0.0.1.example.com'.split(' '),
	...'192.168.0.1.nip.io localhost.example.com local.example mylocal.de n8n.homes'.split(' '),
	...'8.8.8.8 11.0.0.1 9.255.255.255 172.15.0.1 172.32.0.1 192.167.0.1'.split(' '),
	...'192.169.0.1 128.0.0.1 169.253.0.1 0.0.0.0 1.10.0.1'.split(' '),
	...'[2001:db8::1] [fc::1] [fd::1] [fe00::1] [fec0::1] [::] [::2]'.split(' '),
	...'[::ffff:10.1.2.3] [::ffff:8.8.8.8] [1::ffff:10.0.0.1] [::ffff:1:10.0.0.1]'.split(' '),
])('without TLS the host %s is refused, and the error shows the address with https', (host) => {
	const { host: written } = new URL(`http://${host}`);
	const message = messageFor({ baseUrl: `http://${host}/v1/` });
	expect(message).toContain("'Base URL' begins with http://");
	expect(message).toContain('unencrypted');
	expect(message.split(' ').pop()).toBe(`https://${written}/v1`);
	expect(checkCredential({ ...good, baseUrl: `https://${host}/v1` })).toBeDefined();
});

test('an expression may give a field that is missing or no text', () => {
	expect(messageFor({ baseUrl: undefined })).toContain("'Base URL' is empty");
	expect(messageFor({ baseUrl: 5 as never })).toContain("'Base URL' is not the address");
	expect(messageFor({ apiKey: null as never })).toContain("'API Key' is empty");
	expect(checkCredential({ ...good, webhookSigningSecret: 123456 as never })).toMatchObject({
		webhookSigningSecret: '123456',
	});
});

test.each([
	['', "'API Key' is empty", 'workspace:admin'],
	['pk_live_abcdefgh1234', 'publishable key', 'browsers'],
	['eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.abcdefgh1234', 'access token (a JWT)', 'browser'],
	[`Bearer ${KEY}`, 'blanks', '"Bearer"'],
	[`${KEY.slice(0, 12)}\n${KEY.slice(12)}`, 'blanks', 'Copy the key alone'],
	[`${KEY}\u200b`, 'characters', 'Copy the key alone'],
	['svc_live_…', 'characters', 'Copy the key alone'],
])('the key %j is refused: %s', (apiKey, reason, advice) => {
	const message = messageFor({ apiKey });
	expect(message).toMatch(/^'API Key' /);
	expect(message).toContain(reason);
	expect(message).toContain(advice);
	expect(message).not.toMatch(/abcdefgh|0123456789/);
});

test.each([` ${KEY}\n`, 'k'])('the key %j is accepted, without the blanks around it', (apiKey) => {
	expect(checkCredential({ ...good, apiKey }).apiKey).toBe(apiKey.trim());
});

test('the key is sent in the chosen header only, to its origin in any spelling', () => {
	const url = 'https://API.example.com:443/v1/agents?x=1';
	expect(authHeaders(good, url)).toEqual({ Authorization: `Bearer ${KEY}` });
	expect(authHeaders({ ...good, authHeader: 'x-api-key' }, url)).toEqual({ 'x-api-key': KEY });
	const unset = { ...good, authHeader: undefined };
	expect(checkCredential(unset).authHeader).toBe('authorization');
});

test.each([
	'https://evil.example/v1',
	'https://api.example.com.evil.example/v1',
	'https://api.example.com:8443/v1',
	'http://api.example.com/v1',
	'file:///v1',
])('the key is not sent to %s', (url) => {
	const refusal = 'only sent to https://api.example.com, the origin of the credential';
	expect(() => authHeaders(good, url)).toThrow(refusal);
	expect(() => authHeaders(good, url)).not.toThrow(KEY);
});
