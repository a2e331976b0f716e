import { type Endpoint, isSameAddress } from './endpoints';
import { ApiError } from './errors';
import type { Workspace } from './workspace';

/**
 * Registers a URL to receive events, if it fulfils the conditions of the contract and the dialect.
 *
 * @returns the new endpoint, or the old one if the dialect returns that
 * @throws ApiError 409 or 422, or with the status of the quota
 */
export async function register(
	{ dialect, catalog, quota, endpoints, deliveries }: Workspace,
	asked: { url: string; events?: string[] },
): Promise<Endpoint> {
	if (!URL.canParse(asked.url) || new URL(asked.url).protocol !== 'https:') {
		throw new ApiError(422, 'The url must be an HTTPS URL');
	}
	const names = catalog.map(({ type }) => type);
	const unknown = asked.events?.filter((event) => !names.includes(event));
	if (unknown?.length) throw new ApiError(422, `No such event type: ${unknown.join(', ')}`);

	const old = endpoints.list().find(({ url }) => isSameAddress(url, asked.url));
	if (old && dialect.sameUrl === 'old record') return old;
	if (old && dialect.sameUrl === '409') {
		throw new ApiError(409, 'There is a webhook endpoint with this address');
	}
	if (quota && endpoints.list().length >= quota.endpoints) {
		throw new ApiError(
			quota.status,
			`There can't be more than ${quota.endpoints} webhook endpoints`,
		);
	}
	const endpoint = endpoints.make(asked);
	if (dialect.challenge !== 'none' && !(await deliveries.challenge(endpoint))) {
		throw new ApiError(422, 'The URL has not answered the challenge');
	}
	endpoints.add(endpoint);
	return endpoint;
}
