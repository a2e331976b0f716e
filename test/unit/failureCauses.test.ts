import { explainFailure } from '../../nodes/VoiceAgent/operations/check/checkLog';
import { readAttempt, type DeliveryDetails } from '../../nodes/VoiceAgent/log/attempts';
import { CRM_URL, failed, TRIGGER_URL } from '../support/service/endpointFacts';

const withoutAnswer = (error: string | null) => ({ status: null, succeeded: false, error });
const explain = (details: Partial<DeliveryDetails>, url: string) =>
	explainFailure({ ...readAttempt({}, { id: 'we_1' }).details, ...details }, url);

test.each<[string, Partial<DeliveryDetails>, RegExp, RegExp]>([
	['an old token', failed(401), /their secret .*status 401/, /it again.*Verify Signature/],
	['a firewall', failed(403), /^The deliveries were rejected \(status 403/, /firewall/],
	[
		'a bot filter',
		{ ...failed(403), response: '<!doctype html><title>Just a moment' },
		/bots.*403, a web page/,
		/pass there/,
	],
	['a proxy', failed(407), /^A proxy or .*status 407/, /\/webhook\//],
	['an origin that is down', failed(521), /cannot reach it.*status 521/, /tunnel/],
	['an origin without DNS', failed(530), /cannot reach it.*status 530/, /DNS/],
	['a slow workflow behind Cloudflare', failed(524), /No answer.*status 524/, /Immediately/],
	['TLS behind Cloudflare', failed(525), /a proxy .*accept the .*status 525/, /certificate/],
	['an unpublished workflow', failed(404), /^Nothing is at .*404/, /it again.* gone, .*delete/],
	['a deleted webhook', failed(410), /^Nothing is at this URL \(status 410/, /unpublish/],
	['a slow sender', failed(408), /No answer.*status 408/, /n8n runs/],
	['a long transcript', failed(413), /too large/, /N8N_PAYLOAD_SIZE_MAX/],
	['a long URL', failed(414), /too large .*URL \(414\)/, /limit of the proxy/],
	['many headers', failed(431), /too large .*headers \(431\)/, /max-http-header-size/],
	['an unusual refusal', failed(418), /rejected \(status 418/, /lastDelivery/],
	['a failed workflow', failed(500), /failed \(status 500\)/, /failed executions/],
	['n8n that is down', failed(502), /not ready.*status 502/, /n8n runs/],
	['a rotated API key', failed(503), /not ready.*status 503/, /API key may have changed/],
	['a slow workflow behind a proxy', failed(504), /No answer.*status 504/, /Immediately/],
	['a redirect', failed(301), /redirects .*status 301/, /N8N_WEBHOOK_URL/],
	['a login', { status: 302, succeeded: true }, /redirects .*status 302/, /N8N_WEBHOOK_URL/],
	['a web page', { status: 200, succeeded: true }, /^Another server than n8n/, /N8N_WEBHOOK_URL/],
	['a certificate', withoutAnswer('self-signed certificate'), /accept the .*self-/, /authority/],
	['an unknown host', withoutAnswer('getaddrinfo ENOTFOUND n8n'), /find the host/, /DNS/],
	[
		'a closed port',
		withoutAnswer('connect ECONNREFUSED ::1'),
		/fails .*REFUSED/,
		/N8N_WEBHOOK_URL/,
	],
	['a slow workflow', withoutAnswer('timeout of 10000ms exceeded'), /No answer/, /Immediately/],
	['an unknown error', withoutAnswer('E_42'), /^Deliveries fail \(E_42\)\.$/, /executions/],
	['no reason', withoutAnswer(null), /^Deliveries fail \(the log shows no reason\)/, /executions/],
])('explains the failure of deliveries by %s', (_name, details, what, toDo) => {
	const atTrigger = explain(details, TRIGGER_URL);
	expect(atTrigger.what).toMatch(what);
	expect(atTrigger.toDo).toMatch(toDo);
	const atOther = explain(details, CRM_URL);
	expect(atOther.what).toBe(atTrigger.what);
	expect(atOther.toDo).toMatch(/^Fix this at the receiver/);
});

test('gives the advice for triggers if the list masks the token or hides the URL', () => {
	const toDoAt = (url: string) => explain(failed(500), url).toDo;
	const ownPath = 'https://n8n.example.com/hooks/58474f00-b361-11eb-836d-0e4f3503ccbe/webhook?***';
	for (const url of ['https://n8n.example.com/webhook/6d1c/webhook?***', ownPath, '', 'hidden']) {
		expect(toDoAt(url)).toBe(toDoAt(TRIGGER_URL));
	}
});

const HOST = 'n8n.example.com';

/** What HTTP clients report, by the kind of the cause: the words of the finding, and on each line a client's text. */
const CASES: Record<string, [what: RegExp, texts: string]> = {
	DNS: [
		/can't find the host/,
		`
			aiohttp: Cannot connect to host ${HOST}:443 ssl:default [Name or service not known]
			aiohttp: Cannot connect to host ${HOST}:443 ssl:True [No address associated with hostname]
			aiohttp: Cannot connect to host ${HOST}:443 ssl:default [Temporary failure in name resolution]
			Go: Post "https://${HOST}/webhook": dial tcp: lookup ${HOST} on 127.0.0.11:53: server misbehaving
			Node.js: queryA ESERVFAIL ${HOST}
			cURL: cURL error 6: Could not resolve host: ${HOST} (see https://curl.haxx.se/libcurl/c/libcurl-errors.html)
			Java: java.net.UnknownHostException: ${HOST}
			.NET: No such host is known. (${HOST}:443)
		`,
	],
	connection: [
		/connection to this URL fails/,
		`
			aiohttp: Cannot connect to host ${HOST}:443 ssl:default [Connect call failed ('203.0.113.7', 443)]
			requests: _ssl.c:1007: The handshake operation timed out
			Go: Post "https://${HOST}/webhook": dial tcp 203.0.113.7:443: i/o timeout
			Go: Post "https://${HOST}/webhook": EOF
			Node.js: connect ETIMEDOUT 203.0.113.7:443
			Node.js: socket hang up
			Node.js: Client network socket disconnected before secure TLS connection was established
			undici: Connect Timeout Error (attempted address: n8n.example.com:443, timeout: 10000ms)
			Ruby: Net::OpenTimeout
			Ruby: end of file reached
			cURL: cURL error 52: Empty reply from server
			cURL: cURL error 56: OpenSSL SSL_read: Connection reset by peer, errno 104
			cURL: cURL error 35: OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to ${HOST}:443
			Java: java.net.NoRouteToHostException: No route to host
			.NET: The response ended prematurely.
		`,
	],
	'time-out': [
		/No answer came in time/,
		`
			aiohttp: Timeout on reading data from socket
			cURL: cURL error 28: Operation timed out after 10001 milliseconds with 0 bytes received
		`,
	],
	certificate: [
		/doesn't accept the certificate/,
		`
			aiohttp: Cannot connect to host ${HOST}:443 ssl:True [SSLCertVerificationError: (1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)')]
			Go: remote error: tls: handshake failure
			Node.js: unable to verify the first certificate
			Node.js: Hostname/IP does not match certificate's altnames
			Node.js: DEPTH_ZERO_SELF_SIGNED_CERT
			.NET: The SSL connection could not be established, see inner exception.
		`,
	],
	'own network': [
		/only its own network knows/,
		`
			request-filtering-agent: DNS lookup 192.168.1.20(family:4, host:${HOST}) is not allowed. Because, It is private IP address.
			ssrf_filter: Hostname '${HOST}' has no public ip addresses
			private_address_check: PrivateAddressCheck::PrivateConnectionAttemptedError
			advocate: UnacceptableAddressException: ('n8n.example.com', 443)
			smokescreen: egress proxying is denied to host: The destination address (192.168.1.20) was denied by rule Deny: Private Range
			a service: URL resolves to an internal IP address
			a service: Blocked by SSRF protection
			n8n: The request was blocked because it resolves to a restricted IP address
		`,
	],
};

describe.each(Object.entries(CASES))('the cause is %s', (_kind, [what, texts]) => {
	test.each(texts.trim().split(/\n\t*/))('%s', (line) => {
		const error = line.replace(/^[^:]+: /, '');
		const explained = explain(withoutAnswer(error), TRIGGER_URL);
		expect(explained.what).toMatch(what);
		expect(explained.what).toContain(error.slice(0, 40));
	});
});
