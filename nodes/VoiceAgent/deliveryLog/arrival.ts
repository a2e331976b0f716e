import { TOKEN_PARAMETER } from '../api/callbackUrl';
import { isHtml } from '../api/messages';
import type { DeliveryDetails } from './deliveryDetails';

/** n8n's path of the trigger; with N8N_ENDPOINT_WEBHOOK, only the id of its webhook shows it. */
const N8N_PATH = /\/(webhook(-test)?\/.+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})\/webhook\/?$/;

/** @returns true if n8n answered while it was starting: with 200, and without taking the event in */
export function wasStarting({ response }: DeliveryDetails): boolean {
	return /n8n is starting up/i.test(response ?? '');
}

/**
 * Decides whether the receiver took the event in. At the endpoint of a trigger, n8n's status decides:
 * `failed` with 200 → true; `delivered` with 503, or with the 302 of a proxy's login → false
 *
 * @returns null for a delivery under way or unknown
 */
export function hasArrived(delivery: DeliveryDetails): boolean | null {
	if (wasStarting(delivery)) return false;
	const { status, succeeded, response, webhookUrl } = delivery;
	const isTriggers = isOfTrigger(webhookUrl ?? '');
	const end = isTriggers && status !== null && status >= 200 ? status < 300 : succeeded;
	if (!end || !isHtml(response ?? '')) return end;
	// n8n never answers with a web page. Other receivers may.
	return isTriggers ? false : null;
}

/**
 * Detects the endpoint of a trigger by the callback token in its URL. A list that masks the token
 * still shows n8n's path; an endpoint whose URL is hidden may be a trigger's.
 */
export function isOfTrigger(url: string): boolean {
	if (!URL.canParse(url)) return true;
	const { pathname, searchParams } = new URL(url);
	return searchParams.has(TOKEN_PARAMETER) || N8N_PATH.test(pathname);
}

/**
 * Sorts deliveries by time. At the same time the higher attempt is the newer one, then the failed one,
 * so that no failure is overlooked.
 *
 * @returns undefined for several deliveries of which one has no time
 */
export function newestFirst(deliveries: DeliveryDetails[]): DeliveryDetails[] | undefined {
	if (deliveries.length > 1 && deliveries.some(({ time }) => time === null)) return undefined;
	const timeOf = ({ time }: DeliveryDetails) => Date.parse(time ?? '') || 0;
	return [...deliveries].sort(
		(one, other) =>
			timeOf(other) - timeOf(one) ||
			(other.attempt ?? 1) - (one.attempt ?? 1) ||
			Number(hasArrived(one)) - Number(hasArrived(other)),
	);
}
