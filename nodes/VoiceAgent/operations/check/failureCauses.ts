import { isOfTrigger } from '../../auth/token';
import { causeOf } from '../../service/causes';
import { statusShown } from '../../service/errors';
import type { DeliveryDetails } from '../../log/attempts';
import type { Finding } from './findings';

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
	const { happened, advice } = causeOf('service', shown);
	return {
		what: `${happened} (${shown}).`,
		toDo: isOfTrigger(url) ? advice : AT_OTHER_RECEIVER,
	};
}

/** `{ status: 403, response: '<html>…' }` → `status 403, a web page` */
function describeEnd({ status, error, succeeded, response }: DeliveryDetails): string {
	if (status === null ? succeeded : status >= 200 && status < 300) return 'a web page';
	return status === null
		? (error ?? 'the log shows no reason')
		: statusShown(status, response ?? '');
}
