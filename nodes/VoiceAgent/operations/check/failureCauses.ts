import { isOfTrigger } from '../../api/callbackUrl';
import type { DeliveryDetails } from '../../deliveryLog/deliveryDetails';
import type { Finding } from './findings';

const WEB_PAGE = 'a web page';

/**
 * The causes of failed deliveries: the form of what the log shows, the cause in words, and the advice if n8n is
 * the receiver. The first cause that fits counts; the last one fits any text.
 */
const CAUSES: Array<[shown: RegExp, what: string, toDo: string]> = [
	[
		new RegExp(`^${WEB_PAGE}$`),
		'Another server than n8n answers at this URL, so events are lost although the service counts them as delivered',
		"Set n8n's WEBHOOK_URL to its public address, and check where its DNS entry and the proxy in front of n8n lead. Then unpublish the workflow and publish it again.",
	],
	[
		/^status 3/,
		'This URL redirects to another one',
		"Set n8n's WEBHOOK_URL to the address that it redirects to. Then unpublish the workflow and publish it again.",
	],
	[
		/^status 401$/,
		'The deliveries were rejected: their secret or signature is missing or outdated',
		'Unpublish the workflow and publish it again. If the trigger verifies signatures, check Verify Signature. If a proxy in front of n8n asks for a password, let webhooks pass without one.',
	],
	[
		/^status 4(04|10)$/,
		'Nothing is at this URL',
		'If the workflow is in this n8n, unpublish it and publish it again. If the workflow is gone, or the URL contains /webhook-test/, delete this webhook. Else check the WEBHOOK_URL of the n8n that has the workflow, and the proxy in front of it.',
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
		/^status 50[23]$/,
		'The receiver is not ready, or the proxy in front of it cannot reach it',
		'Check that n8n runs, and where the proxy leads. If n8n runs, the API key may have changed: unpublish the workflow and publish it again.',
	],
	[
		/^status 5(?!04)/,
		'The receiver failed',
		'If Respond is When Last Node Finishes, the workflow failed: open its failed executions. Else look at the log of n8n.',
	],
	[
		/certificate|\bcert|tls|ssl|self.signed|unable.to.(get|verify)|eproto|handshake|x509/i,
		"The service doesn't accept the certificate at this URL",
		'Give n8n, or the proxy in front of it, a certificate of a public authority that is valid for this host, with its whole chain.',
	],
	[
		/enotfound|eai_again|getaddrinfo|\bdns\b|no such host|not known|resolv/i,
		"The service can't find the host of this URL",
		"Check n8n's WEBHOOK_URL, and that its host is in the public DNS.",
	],
	[
		/refused|unreach|no route|etimedout|connect|reset|hang.?up|closed|pipe|\beof\b/i,
		'The connection to this URL fails',
		'Check that n8n runs and is not overloaded, that WEBHOOK_URL can be reached from the internet, and that no firewall or proxy keeps the service out.',
	],
	[
		/^status 504$|time.?out|timed|in time|no answer|too long|deadline|aborted|canceled/i,
		'No answer came in time',
		'If Respond is When Last Node Finishes, choose Immediately or make the workflow faster. Else check that n8n runs and can be reached.',
	],
	[
		/^/,
		'Deliveries fail',
		'Look at lastDelivery and at the failed executions, and check that n8n can be reached from the internet.',
	],
];

/** The advice for every cause if n8n is not the receiver. */
const AT_OTHER_RECEIVER =
	'Fix this at the receiver, whose response is in lastDelivery, or change the URL. If the receiver is gone, delete this webhook.';

/**
 * Explains a delivery that did not arrive: status 404 → `Nothing is at this URL (status 404).`
 *
 * @param url of the webhook as the list shows it; empty if unknown
 */
export function explainFailure(delivery: DeliveryDetails, url: string): Finding {
	const { status, error, succeeded } = delivery;
	const response = status === null ? error : `status ${status}`;
	const isSuccess = status === null ? succeeded : status >= 200 && status < 300;
	const shown = isSuccess ? WEB_PAGE : (response ?? 'the log shows no reason');
	const [, what, toDo] = CAUSES.find(([form]) => form.test(shown))!;
	return { what: `${what} (${shown}).`, toDo: isOfTrigger(url) ? toDo : AT_OTHER_RECEIVER };
}
