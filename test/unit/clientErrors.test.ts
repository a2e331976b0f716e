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
			requests: HTTPSConnectionPool(host='${HOST}', port=443): Max retries exceeded with url: /webhook (Caused by NameResolutionError("<urllib3.connection.HTTPSConnection object at 0x7f>: Failed to resolve '${HOST}' ([Errno -2] Name or service not known)"))
			requests: HTTPSConnectionPool(host='${HOST}', port=443): Max retries exceeded with url: / (Caused by NewConnectionError('<urllib3>: Failed to establish a new connection: [Errno 8] nodename nor servname provided, or not known'))
			Go: Post "https://${HOST}/webhook": dial tcp: lookup ${HOST} on 10.0.0.2:53: no such host
			Go: Post "https://${HOST}/webhook": dial tcp: lookup ${HOST} on 127.0.0.11:53: server misbehaving
			Go: dial tcp: lookup ${HOST}: i/o timeout
			Node.js: getaddrinfo ENOTFOUND ${HOST}
			Node.js: queryA ESERVFAIL ${HOST}
			Ruby: Failed to open TCP connection to ${HOST}:443 (getaddrinfo: Name or service not known)
			cURL: cURL error 6: Could not resolve host: ${HOST} (see https://curl.haxx.se/libcurl/c/libcurl-errors.html)
			Java: java.net.UnknownHostException: ${HOST}
			.NET: No such host is known. (${HOST}:443)
		`,
	],
	connection: [
		/connection to this URL fails/,
		`
			aiohttp: Cannot connect to host ${HOST}:443 ssl:default [Connect call failed ('203.0.113.7', 443)]
			aiohttp: Server disconnected
			requests: HTTPSConnectionPool(host='${HOST}', port=443): Max retries exceeded with url: /webhook (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno 111] Connection refused'))
			requests: ('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))
			requests: HTTPSConnectionPool(host='${HOST}', port=443): Max retries exceeded with url: / (Caused by ConnectTimeoutError(<urllib3.connection.HTTPSConnection object at 0x7f>, 'Connection to ${HOST} timed out. (connect timeout=10)'))
			requests: SSLError(SSLEOFError(8, '[SSL: UNEXPECTED_EOF_WHILE_READING] EOF occurred'))
			requests: _ssl.c:1007: The handshake operation timed out
			httpx: All connection attempts failed
			httpx: RemoteProtocolError: Server disconnected without sending a response.
			httpx: RemoteProtocolError: peer closed connection without sending complete body
			Go: Post "https://${HOST}/webhook": dial tcp 203.0.113.7:443: connect: connection refused
			Go: Post "https://${HOST}/webhook": dial tcp 203.0.113.7:443: i/o timeout
			Go: Post "https://${HOST}/webhook": EOF
			Go: net/http: TLS handshake timeout
			Go: read tcp 10.0.0.1:43210->203.0.113.7:443: read: connection reset by peer
			Node.js: connect ECONNREFUSED 203.0.113.7:443
			Node.js: connect ETIMEDOUT 203.0.113.7:443
			Node.js: socket hang up
			Node.js: Client network socket disconnected before secure TLS connection was established
			undici: Connect Timeout Error (attempted address: n8n.example.com:443, timeout: 10000ms)
			Ruby: Failed to open TCP connection to ${HOST}:443 (Connection refused - connect(2) for "${HOST}" port 443)
			Ruby: Net::OpenTimeout
			Ruby: end of file reached
			cURL: cURL error 7: Failed to connect to ${HOST} port 443 after 12 ms: Couldn't connect to server
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
			aiohttp: asyncio.TimeoutError
			requests: HTTPSConnectionPool(host='${HOST}', port=443): Read timed out. (read timeout=10)
			Go: Post "https://${HOST}/webhook": context deadline exceeded (Client.Timeout exceeded while awaiting headers)
			Go: net/http: timeout awaiting response headers
			Node.js: timeout of 10000ms exceeded
			undici: Headers Timeout Error
			Ruby: Net::ReadTimeout with #<TCPSocket:(closed)>
			cURL: cURL error 28: Operation timed out after 10001 milliseconds with 0 bytes received
			Java: java.net.SocketTimeoutException: Read timed out
			.NET: The request was canceled due to the configured HttpClient.Timeout of 100 seconds elapsing.
		`,
	],
	certificate: [
		/doesn't accept the certificate/,
		`
			aiohttp: Cannot connect to host ${HOST}:443 ssl:True [SSLCertVerificationError: (1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1006)')]
			requests: HTTPSConnectionPool(host='${HOST}', port=443): Max retries exceeded with url: / (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1007)')))
			Go: Post "https://${HOST}/webhook": tls: failed to verify certificate: x509: certificate signed by unknown authority
			Go: remote error: tls: handshake failure
			Node.js: unable to verify the first certificate
			Node.js: Hostname/IP does not match certificate's altnames
			Node.js: DEPTH_ZERO_SELF_SIGNED_CERT
			Ruby: SSL_connect returned=1 errno=0 peeraddr=203.0.113.7:443 state=error: certificate verify failed (self-signed certificate)
			cURL: cURL error 60: SSL certificate problem: unable to get local issuer certificate
			Java: javax.net.ssl.SSLHandshakeException: PKIX path building failed: unable to find valid certification path to requested target
			.NET: The SSL connection could not be established, see inner exception.
			.NET: The remote certificate is invalid because of errors in the certificate chain: UntrustedRoot
		`,
	],
	proxy: [
		/proxy of the service/,
		`
			requests: HTTPSConnectionPool(host='${HOST}', port=443): Max retries exceeded with url: / (Caused by ProxyError('Unable to connect to proxy', OSError('Tunnel connection failed: 407 Proxy Authentication Required')))
			Go: Post "https://${HOST}/webhook": proxyconnect tcp: dial tcp 10.0.0.3:3128: connect: connection refused
			Node.js: tunneling socket could not be established, statusCode=403
			undici: Proxy response (403) !== 200 when HTTP Tunneling
			Ruby: 407 "Proxy Authentication Required"
			cURL: cURL error 56: Received HTTP code 407 from proxy after CONNECT
			cURL: cURL error 5: Could not resolve proxy: squid.internal
			Java: java.io.IOException: Unable to tunnel through proxy. Proxy returns "HTTP/1.1 407 Proxy Authentication Required"
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
