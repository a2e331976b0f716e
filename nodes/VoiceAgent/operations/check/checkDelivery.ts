import { isGone } from '../../api/errors';
import { isObject, parseJson } from '../../matcher/fields';
import type { Finding } from './checkFindings';
import { isOfTrigger } from '../../deliveryLog/arrival';
import type { DeliveryDetails } from '../../deliveryLog/deliveryDetails';

/** What a status or an error means, and what to do at a trigger of n8n, or at any other receiver. */
type Words = [when: RegExp, what: string, atTrigger: string, atOther: string];

const BY_STATUS: Words[] = [
	[
		/^3/,
		'The receiver answers with a redirect, which services do not follow',
		"Set n8n's WEBHOOK_URL to the address that it leads to, and publish the workflow again.",
		'Register the address that it leads to.',
	],
	[
		/^401$/,
		'The receiver refuses the deliveries: what authenticates them is missing or wrong',
		'The URL may be of an older publication, or the API key was changed and n8n lost its data: unpublish the workflow and publish it again. If the trigger verifies signatures, check Verify Signature. If a proxy in front of n8n asks for a password, let webhooks pass without one.',
		'Check what the receiver knows the service by, such as a key in the URL.',
	],
	[
		/^403$/,
		'The receiver refuses the deliveries',
		'Something in front of n8n does so: let the service pass the proxy, the firewall or the protection against bots.',
		'Check what the receiver lets in, and what stands in front of it.',
	],
	[
		/^4(04|10)$/,
		'Nothing is at this URL',
		'If the workflow is in this n8n, unpublish it and publish it again. If it is gone, delete this webhook. If it is in another n8n, or if WEBHOOK_URL or a proxy leads elsewhere, put that right. Which of these it is cannot be told from here.',
		'Check the address. If the receiver is gone, delete this webhook.',
	],
	[
		/^413$/,
		'The receiver refuses the deliveries, since they are too large',
		'Raise N8N_PAYLOAD_SIZE_MAX of n8n, and the limit of the proxy in front of it.',
		'Raise the limit of the receiver.',
	],
	[
		/^504$/,
		'A proxy in front of the receiver stopped waiting for the answer',
		'If Respond is When Last Node Finishes, the workflow takes too long: choose Immediately, or make it shorter. Else see whether n8n is up.',
		'See whether the receiver is up, and why it takes so long.',
	],
	[
		/^50[23]$/,
		'The receiver is not ready, or a proxy in front of it does not get through',
		'See whether n8n is up, and where the proxy leads. If n8n is up, the API key may have changed: unpublish the workflow and publish it again.',
		'See whether the receiver is up, and where the proxy leads.',
	],
	[
		/^5/,
		'The receiver fails',
		'n8n answers so when the workflow fails and Respond is When Last Node Finishes: open the failed runs under Executions.',
		'See its answer in lastDelivery, and what the receiver itself has logged.',
	],
	[
		/^4/,
		'The receiver refuses the deliveries',
		'See the answer in lastDelivery. It may be that of a proxy in front of n8n.',
		'See the answer in lastDelivery.',
	],
];

const BY_ERROR: Words[] = [
	[
		/certificate|\bcert|tls|ssl|self.signed|unable.to.(get|verify)|eproto|handshake|x509/i,
		'The service does not accept the certificate at this URL, so there is no secure connection',
		"Give n8n, or the proxy in front of it, a public authority's certificate for this very host that has not expired, with its whole chain.",
		"Give the receiver a public authority's certificate for this very host that has not expired, with its whole chain.",
	],
	[
		/enotfound|eai_again|getaddrinfo|\bdns\b|no such host|not known|resolv/i,
		'The service does not find the host of this URL',
		"Check n8n's WEBHOOK_URL, and that its host is in the public DNS.",
		'Check the host, and that it is in the public DNS.',
	],
	[
		/reset|hang.?up|closed|pipe|\beof\b/i,
		'The connection breaks before an answer comes',
		'See what stands in front of n8n, and whether n8n is overloaded or restarts.',
		'See what stands in front of the receiver, and whether it is overloaded or restarts.',
	],
	[
		/refused|unreach|no route|etimedout|connect/i,
		'The service cannot reach this URL',
		'See whether n8n is up, whether a firewall keeps the service out, and whether WEBHOOK_URL can be reached from the internet.',
		'See whether the receiver is up, and whether a firewall keeps the service out.',
	],
	[
		/time.?out|timed|in time|no answer|too long|deadline|aborted|canceled/i,
		'No answer came in the time that the service waits',
		'If Respond is When Last Node Finishes, the workflow takes longer than that: choose Immediately, or make it shorter. Else see whether n8n is up and can be reached.',
		'See whether the receiver is up, and why it takes so long.',
	],
];

const NOT_TOLD: Words = [
	/^/,
	'Deliveries fail',
	'See lastDelivery, whether n8n can be reached from the internet, and the failed runs under Executions.',
	'See lastDelivery, and what the receiver itself has logged.',
];

const WEB_PAGE: Finding = {
	what: 'A web page answers at this URL, not n8n, so the events are lost though the service counts them as delivered.',
	toDo: "Set n8n's WEBHOOK_URL to its public address, and see where the DNS and the proxy in front of n8n lead. Then publish the workflow again.",
};

const LEFT_LISTENER: Finding = {
	what: 'A test of a workflow registered this webhook, and no longer listens (status 404).',
	toDo: 'Delete this webhook: it was left behind.',
};

/**
 * Tells whether n8n answered that it ignores what the delivery holds, but for the user's own filter:
 * `{"ignored":true}` → true, `{"ignored":"filter"}` → false
 */
export function wasIgnored({ response }: DeliveryDetails): boolean {
	const answer = parseJson(response ?? '');
	return isObject(answer) && !!answer.ignored && answer.ignored !== 'filter';
}

/**
 * Explains a delivery that failed.
 *
 * @param url of the webhook as the list shows it; empty where that is not known
 */
export function explainFailure(delivery: DeliveryDetails, url: string): Finding {
	const { status, error, succeeded } = delivery;
	if (succeeded) return WEB_PAGE;
	if (isGone(status ?? 0) && isOfListener(url)) return LEFT_LISTENER;
	const [table, shown] = status === null ? [BY_ERROR, error ?? ''] : [BY_STATUS, String(status)];
	const words = table.find(([when]) => when.test(shown)) ?? NOT_TOLD;
	const [, what, atTrigger, atOther] = words;
	const said = status === null ? (error ?? 'the log does not tell why') : `status ${status}`;
	return { what: `${what} (${said}).`, toDo: isOfTrigger(url) ? atTrigger : atOther };
}

/** Tells whether a webhook was registered by a test of a workflow, as far as n8n's usual paths show it. */
function isOfListener(url: string): boolean {
	return isOfTrigger(url) && /\/webhook-test\//.test(url);
}
