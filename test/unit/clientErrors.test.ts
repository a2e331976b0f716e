import { explainFailure } from '../../nodes/VoiceAgent/operations/check/checkLog';
import { readDeliveryDetails } from '../../nodes/VoiceAgent/log/attempts';

const URL_ = 'https://n8n.example.com/webhook/6d1c/webhook?***';
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

const explain = (error: string) =>
	explainFailure(
		{ ...readDeliveryDetails({}, { id: 'we_1' }), status: null, succeeded: false, error },
		URL_,
	);

describe.each(Object.entries(CASES))('the cause is %s', (_kind, [what, texts]) => {
	test.each(texts.trim().split(/\n\t*/))('%s', (line) => {
		const error = line.replace(/^[^:]+: /, '');
		expect(explain(error).what).toMatch(what);
		expect(explain(error).what).toContain(error.slice(0, 40));
	});
});
