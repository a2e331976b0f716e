import { requestList } from '../answers/requestList';
import type { Context } from '../api/request';
import type { Deadline } from '../api/retry';
import { isObject } from '../matcher/json';
import { readDeliveryDetails, type LoggedEndpoint } from './deliveryDetails';
import type { LoggedAttempt } from './missed';

/** @returns the path of an endpoint's delivery log (contract, section 4) */
export function logPathOf(id: string): string {
	return `/webhooks/${encodeURIComponent(id)}/deliveries`;
}

/**
 * Requests the delivery log of an endpoint.
 *
 * @returns its records, and whether the log is complete
 * @throws NodeApiError if the log can't be read
 */
export async function requestLog(
	context: Context,
	endpoint: LoggedEndpoint,
	deadline: () => Deadline,
): Promise<{ attempts: LoggedAttempt[]; complete: boolean }> {
	const path = logPathOf(endpoint.id);
	const { entries, complete } = await requestList(context, path, 'deliveries', deadline);
	const attempts = entries.map((entry) => {
		const record = isObject(entry) ? entry : {};
		return { record, details: readDeliveryDetails(record, endpoint) };
	});
	return { attempts, complete };
}
