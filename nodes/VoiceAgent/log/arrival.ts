import { isOfTrigger } from '../auth/callbackUrl';
import { isHtml } from '../service/messages';
import type { DeliveryDetails } from './deliveryDetails';

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
 * Decides whether the newest delivery arrived. Without an order, each may be the newest, so all must have the same
 * result.
 *
 * @returns null for an unknown result, and for no delivery
 */
export function hasNewestArrived(deliveries: DeliveryDetails[]): boolean | null {
	const newest = newestFirst(deliveries)?.slice(0, 1) ?? deliveries;
	const [result = null, ...others] = new Set(newest.map(hasArrived));
	return others.length > 0 ? null : result;
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
