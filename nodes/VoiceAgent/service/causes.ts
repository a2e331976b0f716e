/** The environment variable with n8n's public address, as texts name it. */
export const ADDRESS_VARIABLE = 'N8N_WEBHOOK_URL (before n8n 2.35: WEBHOOK_URL)';

/**
 * A cause of failure: how it shows, what happened and what to do. `effect` is of a request without an answer, and
 * undefined if it may have arrived.
 */
type Cause = [shown: RegExp, text: string, effect?: Effect];

/**
 * What a request without an answer did: nothing, since the host does not exist or can't be reached (`unsent`) or would
 * fail again (`unsendable`). It may have arrived, and must not be sent again (`ended`): an answer that began did not end
 * in time, or the user stopped the execution.
 */
type Effect = 'unsent' | 'unsendable' | 'ended';

const BAD_CERTIFICATE =
	"The service, or a proxy in between, doesn't accept the certificate at this URL. Give n8n, or the proxy in front of it, a certificate of a public authority that is valid for this host, with its whole chain.";
const NO_CONNECTION = `The connection to this URL fails. Check that n8n runs and is not overloaded, that its ${ADDRESS_VARIABLE} can be reached from the internet, and that no firewall or proxy keeps the service out.`;

/**
 * The causes of a failed delivery: a status, such as `status 404`, or the words of any HTTP client, as the service's
 * log repeats them. The first cause that fits counts, since clients name several things in one text:
 * `Cannot connect to host … ssl:default [Name or service not known]` is about the name. The last one fits any text.
 */
const DELIVERY_CAUSES: Cause[] = [
	[
		/^a web page$/,
		`Another server than n8n answers at this URL, so events are lost although the service counts them as delivered. Set n8n's ${ADDRESS_VARIABLE} to its public address, and check where its DNS entry and the proxy in front of n8n lead. Then unpublish the workflow and publish it again.`,
	],
	[
		/^status 3/,
		`This URL redirects to another one. Set n8n's ${ADDRESS_VARIABLE} to the address that it redirects to. Then unpublish the workflow and publish it again.`,
	],
	[
		/^status (407|4.*, a web page$)/,
		'A proxy or a protection against bots in front of the receiver refused the deliveries. Let requests to /webhook/ and /webhook-test/ pass there, without a login, a password or a check for bots.',
	],
	[
		/^status 401/,
		'The deliveries were rejected: their secret or signature is missing or outdated. Unpublish the workflow and publish it again. If the trigger verifies signatures, check Verify Signature. If a proxy in front of n8n asks for a password, let webhooks pass without one.',
	],
	[
		/^status 4(04|10)/,
		`Nothing is at this URL. If the workflow is in this n8n, unpublish it and publish it again. If n8n has started without this package, as n8n 3.0 does by default, set N8N_UNVERIFIED_PACKAGES_ENABLED=true and restart n8n first, and publish each workflow with the trigger again. If the workflow is gone, or the URL contains /webhook-test/, delete this webhook. Else check ${ADDRESS_VARIABLE} of the n8n that has the workflow, and the proxy in front of it.`,
	],
	[
		/^status 4(13|14|31)/,
		'The deliveries are too large for the receiver: their body (413), URL (414) or headers (431). Raise the limit of the proxy in front of n8n, and that of n8n: N8N_PAYLOAD_SIZE_MAX for the body, NODE_OPTIONS=--max-http-header-size=65536 for the headers.',
	],
	[
		/^status 4(?!08)/,
		'The deliveries were rejected. Look at the response in lastDelivery. If it comes from a proxy, a firewall or a protection against bots in front of n8n, let the service pass there.',
	],
	// From 520 on, the proxy is Cloudflare.
	[
		/^status 5(0[23]|2[0-3]|30)/,
		'The receiver is not ready, or the proxy in front of it cannot reach it. Check that n8n runs, that its firewall lets the proxy in, and where the DNS entry or tunnel of the proxy leads. If n8n runs and answers 503 itself, the API key may have changed: unpublish the workflow and publish it again.',
	],
	[
		/^status 5(?!04|2[4-6])/,
		'The receiver failed. If Respond is When Last Node Finishes, the workflow failed: open its failed executions. Else look at the log of n8n.',
	],
	[
		/ssrf|localhost|(private|internal|loopback|reserved|restricted)[ _-]?(ip|address|range|host|network)|no public ip|unacceptable.?address/i,
		`This URL leads to an address that only its own network knows. Set n8n's ${ADDRESS_VARIABLE} to its public address, which the service can reach from the internet. Then unpublish the workflow and publish it again.`,
	],
	[
		/enotfound|eai_|eservfail|getaddrinfo|\bdns\b|\blookup\b|such host|unknown.?host|not known|resolv|name resolution|address associated/i,
		`The service can't find the host of this URL. Check n8n's ${ADDRESS_VARIABLE}, and that its host is in the public DNS.`,
	],
	[
		/^status 52[56]|certificate|\bcert|self.signed|unable.to.(get|verify)|x509|pkix/i,
		BAD_CERTIFICATE,
	],
	// A broken connection does not mean a bad certificate, although many clients mention TLS.
	[
		/reset|ssl_error_syscall|(\b|_)eof(\b|_)|disconnected|terminated|(handshake|ssl connection)[ \w]*time/i,
		NO_CONNECTION,
	],
	// aiohttp writes `ssl:default` into every error of a connection.
	[/tls|ssl(?!:\w+ \[)|\beproto\b|handshake/i, BAD_CERTIFICATE],
	[
		/\bdial\b|open.?timeout|connection aborted|failed to connect|connect(ion)?[ _]?(to \S+ )?(e?timed|time.?out)/i,
		NO_CONNECTION,
	],
	[
		/^status (408|5[02]4)|time.?out|timed|in time|no answer|too long|deadline|aborted|cancel/i,
		'No answer came in time. If Respond is When Last Node Finishes, choose Immediately or make the workflow faster. Else check that n8n runs and can be reached.',
	],
	[
		/refused|unreach|no.?route|connect|hang.?up|closed|pipe|end of file|empty reply|prematurely/i,
		NO_CONNECTION,
	],
	[
		/^/,
		'Deliveries fail. Look at lastDelivery and at the failed executions, and check that n8n can be reached from the internet.',
	],
];

const LATE = 'The service did not answer in time. Try again later.';

/** The causes of a failed request: a status, a code of Node.js such as `ECONNREFUSED`, or a message of n8n. */
const REQUEST_CAUSES: Cause[] = [
	[
		/^status 3/,
		'The service is at another address. It answers with a redirect, which is not followed, because the API key would go along. Put the new address into the Base URL of the credential.',
	],
	[
		/^status 4.*, a web page$/,
		'A web page refused the request: of a proxy, or of a protection against bots. The API key may be right. Let the requests of n8n pass there, and check the Base URL of the credential.',
	],
	[
		/^status 401/,
		'The API key was not accepted. It is invalid or was revoked. Paste a valid key into the credential.',
	],
	[
		/^status 403/,
		'The service does not allow this request. Unless it gives another reason, the API key lacks the scope workspace:admin, which every request of the Voice Agent nodes needs: create a key that has it, and put that into the credential.',
	],
	[
		/^status 4(04|10)/,
		'The service has nothing at this address. Check the Base URL of the credential, and the ID if there is one.',
	],
	[/^status 429/, 'Too many requests. Wait, then try again.'],
	[
		/\bSSRF\b|request was blocked/i,
		"n8n's protection against SSRF blocks the service's address. Check the Base URL; whoever runs n8n can allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.",
		'unsendable',
	],
	[
		/^status 407|proxy|tunnel/i,
		'The proxy of n8n did not let the request through. Check the environment variables HTTPS_PROXY, with the login that the proxy may ask for, and NO_PROXY of n8n, and what the proxy allows.',
		'unsendable',
	],
	[
		/^(ENOTFOUND|EAI_AGAIN)$/,
		'The host was not found. Check the Base URL of the credential, and the DNS of n8n.',
		'unsent',
	],
	[
		/^(EPROTO$|[A-Z_]*(CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_))/,
		'No secure connection: the certificate of the service was not accepted. Check the Base URL of the credential. A private certificate authority is added to n8n with NODE_EXTRA_CA_CERTS.',
		'unsendable',
	],
	[/^(ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED|status 408)$/, LATE],
	[/^(ERR_CANCELED|TimeoutError|AbortError)$/, LATE, 'ended'],
	[/^ERR_INVALID/, 'The request cannot be sent. Check the credential.', 'unsendable'],
	[
		/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/,
		'The service cannot be reached. Check the Base URL of the credential, and that it is up.',
		'unsent',
	],
	[/^status 5/, 'The service returned a server error. Try again later.'],
	[/^status/, 'The service refused the request. Check the fields of the node.'],
	[/^/, 'The connection to the service broke. Try again later.'],
];

/** @returns the cause of a failure of one sender, as what happened and what to do, and the effect on a request */
export function causeOf(sender: 'service' | 'n8n', failure: string) {
	const causes = sender === 'service' ? DELIVERY_CAUSES : REQUEST_CAUSES;
	const [, text, effect] = causes.find(([shown]) => shown.test(failure))!;
	const [, happened = '', advice = ''] = /^(.*?)\. (.*)/.exec(text)!;
	return { happened, advice, effect };
}
