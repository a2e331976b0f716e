import { isOfTrigger } from '../../auth/callbackUrl';
import { ADDRESS_VARIABLE, isLocalUrl } from '../../service/hosts';
import { isRefusalPage } from '../../service/messages';
import type { DeliveryDetails } from '../../log/deliveryDetails';
import type { Finding } from './findings';

const WEB_PAGE = 'a web page';
/** What n8n answers while it lacks the trigger's package, until it takes the webhook down: then 404. */
const UNKNOWN_NODE = 'Unrecognized node type';

const NO_CONNECTION = [
	'The connection to this URL fails',
	`Check that n8n runs and is not overloaded, that its ${ADDRESS_VARIABLE} can be reached from the internet, and that no firewall or proxy keeps the service out.`,
] as const;

/**
 * The causes of failed deliveries: the form of what the log shows, the cause in words, and the advice if n8n is
 * the receiver. The first cause that fits counts, since clients name several things in one text:
 * `Cannot connect to host … ssl:default [Name or service not known]` is about the name. The last one fits any text.
 */
const CAUSES: Array<[shown: RegExp, what: string, toDo: string]> = [
	[
		new RegExp(`^${WEB_PAGE}$`),
		'Another server than n8n answers at this URL, so events are lost although the service counts them as delivered',
		`Set n8n's ${ADDRESS_VARIABLE} to its public address, and check where its DNS entry and the proxy in front of n8n lead. Then unpublish the workflow and publish it again.`,
	],
	[
		/^status 3/,
		'This URL redirects to another one',
		`Set n8n's ${ADDRESS_VARIABLE} to the address that it redirects to. Then unpublish the workflow and publish it again.`,
	],
	[
		/^status (407|4.*, a web page)$/,
		'A proxy or a protection against bots in front of the receiver refused the deliveries',
		'Let requests to /webhook/ and /webhook-test/ pass there, without a login, a password or a check for bots.',
	],
	[
		/^status 401$/,
		'The deliveries were rejected: their secret or signature is missing or outdated',
		'Unpublish the workflow and publish it again. If the trigger verifies signatures, check Verify Signature. If a proxy in front of n8n asks for a password, let webhooks pass without one.',
	],
	[
		/^status 4(04|10)$/,
		'Nothing is at this URL',
		`If the workflow is in this n8n, unpublish it and publish it again. If n8n has started without this package, as n8n 3.0 does by default, set N8N_UNVERIFIED_PACKAGES_ENABLED=true and restart n8n first, and publish each workflow with the trigger again. If the workflow is gone, or the URL contains /webhook-test/, delete this webhook. Else check ${ADDRESS_VARIABLE} of the n8n that has the workflow, and the proxy in front of it.`,
	],
	[
		new RegExp(UNKNOWN_NODE),
		'n8n has started without this package, as n8n 3.0 does by default',
		'Set N8N_UNVERIFIED_PACKAGES_ENABLED=true, restart n8n, and publish each workflow with the trigger again.',
	],
	[
		/^status 413$/,
		'The deliveries are too large for the receiver',
		"Raise n8n's N8N_PAYLOAD_SIZE_MAX, and the limit of the proxy in front of n8n.",
	],
	[
		/^status 4/,
		'The deliveries were rejected',
		'Look at the response in lastDelivery. If it comes from a proxy, a firewall or a protection against bots in front of n8n, let the service pass there.',
	],
	[
		// From 520 on, the proxy is Cloudflare.
		/^status 5(0[23]|2[0-3]|30)$/,
		'The receiver is not ready, or the proxy in front of it cannot reach it',
		'Check that n8n runs, that its firewall lets the proxy in, and where the DNS entry or tunnel of the proxy leads. If n8n runs and answers 503 itself, the API key may have changed: unpublish the workflow and publish it again.',
	],
	[
		/^status 5(?!04|2[4-6])/,
		'The receiver failed',
		'If Respond is When Last Node Finishes, the workflow failed: open its failed executions. Else look at the log of n8n.',
	],
	[
		/ssrf|localhost|(private|internal|loopback|reserved|restricted)[ _-]?(ip|address|range|host|network)|no public ip|unacceptable.?address/i,
		'This URL leads to an address that only its own network knows',
		`Set n8n's ${ADDRESS_VARIABLE} to its public address, which the service can reach from the internet. Then unpublish the workflow and publish it again.`,
	],
	[
		/proxy|tunnel/i,
		'The proxy of the service does not let it reach this URL',
		"Ask the operator of the service to let its proxy reach n8n's host.",
	],
	[
		/enotfound|eai_|eservfail|getaddrinfo|\bdns\b|\blookup\b|such host|unknown.?host|not known|resolv|name resolution|address associated/i,
		"The service can't find the host of this URL",
		`Check n8n's ${ADDRESS_VARIABLE}, and that its host is in the public DNS.`,
	],
	[
		// aiohttp writes `ssl:default` into every error of a connection.
		/^status 52[56]$|certificate|\bcert|tls|ssl(?!:\w+ \[)|self.signed|unable.to.(get|verify)|eproto|handshake|x509|pkix/i,
		"The service, or a proxy in between, doesn't accept the certificate at this URL",
		'Give n8n, or the proxy in front of it, a certificate of a public authority that is valid for this host, with its whole chain.',
	],
	[
		/\bdial\b|open.?timeout|connection aborted|failed to connect|connect(ion)?[ _]?(to \S+ )?(e?timed|time.?out)/i,
		...NO_CONNECTION,
	],
	[
		/^status 5[02]4$|time.?out|timed|in time|no answer|too long|deadline|aborted|cancel/i,
		'No answer came in time',
		'If Respond is When Last Node Finishes, choose Immediately or make the workflow faster. Else check that n8n runs and can be reached.',
	],
	[
		/refused|unreach|no.?route|connect|reset|hang.?up|closed|pipe|\beof\b|end of file|empty reply|prematurely/i,
		...NO_CONNECTION,
	],
	[
		/^/,
		'Deliveries fail',
		'Look at lastDelivery and at the failed executions, and check that n8n can be reached from the internet.',
	],
];

/** Added if no answer came: the service may be in the same network. */
const AT_LOCAL_HOST = `Only its own network knows the host of this URL: if the service is elsewhere, set n8n's ${ADDRESS_VARIABLE} to a public address first.`;

/** The advice for every cause if n8n is not the receiver. */
const AT_OTHER_RECEIVER =
	'Fix this at the receiver, whose response is in lastDelivery, or change the URL. If the receiver is gone, delete this webhook.';

/**
 * Explains a delivery that did not arrive: status 404 → `Nothing is at this URL (status 404).`
 *
 * @param url of the webhook as the list shows it; empty if unknown
 */
export function explainFailure(delivery: DeliveryDetails, url: string): Finding {
	const shown = describeEnd(delivery);
	const [, what, toDo] = CAUSES.find(([form]) => form.test(shown))!;
	const isUnreached = delivery.status === null && isLocalUrl(url);
	const atTrigger = isUnreached ? `${toDo} ${AT_LOCAL_HOST}` : toDo;
	return { what: `${what} (${shown}).`, toDo: isOfTrigger(url) ? atTrigger : AT_OTHER_RECEIVER };
}

/** `{ status: 403, response: '<html>…' }` → `status 403, a web page` */
function describeEnd({ status, error, succeeded, response }: DeliveryDetails): string {
	const isSuccess = status === null ? succeeded : status >= 200 && status < 300;
	if (isSuccess) return WEB_PAGE;
	if (status === null) return error ?? 'the log shows no reason';
	if (isRefusalPage(status, response ?? '')) return `status ${status}, ${WEB_PAGE}`;
	return `status ${status}${response?.includes(UNKNOWN_NODE) ? `, ${UNKNOWN_NODE}` : ''}`;
}
