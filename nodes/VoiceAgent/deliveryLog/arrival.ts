import { TOKEN_PARAMETER } from '../api/callbackUrl';
import { isHtml } from '../api/messages';
import type { DeliveryDetails } from './deliveryDetails';

/** @returns true if n8n answered while it was starting: with 200, and without taking the event in */
export function wasStarting({ response }: DeliveryDetails): boolean {
	return /n8n is starting up/i.test(response ?? '');
}

/** @returns whether the receiver took the event in; null for a delivery under way or unknown */
export function hasArrived(delivery: DeliveryDetails): boolean | null {
	if (wasStarting(delivery)) return false;
	const { succeeded, response, webhookUrl } = delivery;
	if (!succeeded || !isHtml(response ?? '')) return succeeded;
	// n8n never answers with a web page. Other receivers may.
	return isOfTrigger(webhookUrl ?? '') ? false : null;
}

/**
 * Detects the endpoint of a trigger by the callback token in its URL. A list that masks the token
 * still shows n8n's path; an endpoint whose URL is hidden may be a trigger's.
 */
export function isOfTrigger(url: string): boolean {
	if (!URL.canParse(url)) return true;
	const { pathname, searchParams } = new URL(url);
	return searchParams.has(TOKEN_PARAMETER) || /\/webhook(-test)?\/.+\/webhook\/?$/.test(pathname);
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
