import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

import { isSameAddress, isSameOrigin, pathOf, tokenOf } from '../transport/callbackUrl';
import { readEndpoint, type Endpoint } from '../transport/records';
import { requestList } from '../transport/request';
import { madeAt } from './token';
import type { Trigger } from './trigger';

/** n8n's longest test listener is open for 10 minutes: what is older belongs to none. */
const LISTENER_MS = 12 * 60_000;

/** Lists the endpoints of the workspace. */
export async function listEndpoints({
	context,
	patience,
}: Trigger<IHookFunctions | IWebhookFunctions>): Promise<Endpoint[]> {
	const { entries, complete } = await requestList(context, '/webhooks', 'webhooks', patience);
	if (!complete) {
		context.logger.warn(
			'Voice Agent Trigger could not read the whole list of webhook endpoints: the service says that there are more, but not how to get them. An old endpoint of this trigger among them would stay.',
		);
	}
	return entries
		.map(readEndpoint)
		.filter((endpoint) => endpoint !== undefined)
		.filter(({ isRemoved }) => !isRemoved);
}

/**
 * Tells whether an endpoint is this trigger's: it has our address, or the one that we had before, or
 * an ID that we remember. One that was remembered and has gone to another host is somebody else's now.
 */
export function isOurs(
	{ addresses, known }: Trigger<IHookFunctions | IWebhookFunctions>,
	{ id, url }: Endpoint,
): boolean {
	if (addresses.some((address) => isSameAddress(address, url))) return true;
	const mayBeHere = isHidden(url) || addresses.some((address) => isSameOrigin(address, url));
	return mayBeHere && !!known.endpointIds?.includes(id);
}

/** Tells whether a listed URL does not show its address: it is absent, or a mask such as `https://***`. */
function isHidden(url: string): boolean {
	return !URL.canParse(url) || /[*•●…]/.test(url.split('?')[0] ?? '');
}

/** Whether an endpoint may be at our address, as far as the list shows it. */
export function isHere({ webhookUrl }: Trigger, { url }: Endpoint): boolean {
	return isHidden(url) || isSameAddress(url, webhookUrl);
}

/**
 * Tells whether an endpoint is left from a test listener of this node that is no more: it is at the test
 * URL, and its token is old. The production URL's methods see to it: those of a test URL do not know
 * the other's.
 */
export function isDeadListener({ context, addresses }: Trigger, { url }: Endpoint): boolean {
	const token = tokenOf(url);
	return (
		context.getMode() !== 'manual' &&
		token !== undefined &&
		madeAt(token) + LISTENER_MS < Date.now() &&
		addresses.some((address) => isTestUrlOf(address, url))
	);
}

/**
 * Tells a node's test URL by its production URL: one part of the path differs, the one before the
 * webhook's ID. What differs in more is another n8n's, which may have a copy of the workflow.
 */
function isTestUrlOf(productionUrl: string, url: string): boolean {
	const own = pathOf(productionUrl).split('/');
	const parts = pathOf(url).split('/');
	const place = own.length - 3;
	return (
		isSameOrigin(productionUrl, url) &&
		own[place]?.toLowerCase() !== parts[place]?.toLowerCase() &&
		own.toSpliced(place, 1).join('/') === parts.toSpliced(place, 1).join('/')
	);
}
