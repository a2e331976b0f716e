import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isSameAddress, tokenOf } from '../api/callbackUrl';
import type { Endpoint } from '../answers/records';
import { bindingOf, isTokenOf, madeAt } from './token';
import type { Trigger } from './trigger';

/** n8n's longest test listener is open for 10 minutes: an older endpoint belongs to none. */
const LISTENER_MS = 12 * 60_000;

/** A part of a URL that a list does not show: `***`, `…`, `...`, `xxxxxx`, `[redacted]`. */
const MASK = /[*•●∙·…]+|\.{3,}|x{4,}|\[\w*\]|<\w*>/;

/** Why an endpoint is own: it is at the present URL, was registered at a former one, or is a stale listener's. */
export type Ownership = 'present' | 'former' | 'listener';

/**
 * Decides whether an endpoint is own. Nothing else is ever removed.
 *
 * 1. Its URL without the query is this node's present webhook URL.
 * 2. Its ID is stored, and the list shows it at the URL that was stored with the ID, or hides its URL.
 *    A stored ID at another URL → undefined: it was pointed elsewhere in the service's dashboard.
 * 3. Its token proves the test binding of this node, and is older than any test listener.
 */
export function ownershipOf(
	{ context, credential, webhookUrl, known }: Trigger<IHookFunctions | IWebhookFunctions>,
	{ id, url }: Pick<Endpoint, 'id' | 'url'>,
): Ownership | undefined {
	if (isSameAddress(url, webhookUrl)) return 'present';
	const stored = known.endpoints?.find((one) => one.id === id);
	if (stored && mayBeAt(url, stored.url)) {
		return isSameAddress(stored.url, webhookUrl) ? 'present' : 'former';
	}
	const token = tokenOf(url);
	const isStale = token !== undefined && madeAt(token) + LISTENER_MS < Date.now();
	return isStale && isTokenOf(credential.apiKey, bindingOf(context, 'test'), token)
		? 'listener'
		: undefined;
}

/**
 * Whether an endpoint may be at a URL, as far as a list shows it: at the same address, or what is not
 * masked agrees with it. `https://n8n.example.com/•••`, `***` or no URL at all → true;
 * `https://crm.example.com/***` → false for another host.
 */
export function mayBeAt(shown: string, url: string): boolean {
	if (isSameAddress(shown, url)) return true;
	const [visible = ''] = shown.toLowerCase().split('?');
	const [head = '', ...parts] = visible.split(MASK);
	// A word in the URL's place, such as `hidden`; or an address without its scheme.
	if (parts.length === 0) return !/[./:]/.test(head) || isSameAddress(`https://${shown}`, url);
	const address = url.toLowerCase();
	let at = head.length;
	return (
		address.startsWith(head) &&
		parts.every((part, index) => {
			const found = address.indexOf(part, at);
			at = found + part.length;
			// At the end it may be of the query: `https://n8n…k3Fq`.
			return found >= 0 || (index === parts.length - 1 && !part.includes('/'));
		})
	);
}
