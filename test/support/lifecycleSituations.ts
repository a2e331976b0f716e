import type { LifecycleFixture, StoredEndpoint } from './lifecycleFixture';

/** How often the lifecycle test reached each situation; a situation with the count 0 is untested. */
export const situations = {
	'two concurrent creates sent a POST request each': 0,
	'a delivery while create ran': 0,
	'a delivery to a test listener while create ran': 0,
	'a challenge while create ran': 0,
	'409 for the same URL': 0,
	'422 for the same URL': 0,
	'the existing record for the same URL': 0,
	'the endpoint limit was reached': 0,
	'an unlisted endpoint stayed': 0,
	'an unlisted endpoint was removed later': 0,
	'a record beside a request id': 0,
	'the URL of an endpoint was changed by hand': 0,
	'the service disabled the endpoint': 0,
	'create replaced a disabled endpoint': 0,
	'the endpoint of a killed listener stayed': 0,
	'the endpoint of a killed listener was removed later': 0,
	'the answer to create was lost while signatures are verified': 0,
	'an endpoint was adopted': 0,
	'checkExists after a confirmed delete': 0,
	'a start kept the endpoint while the service was silent': 0,
	'a start with older static data kept the endpoint': 0,
	'an event was caught up': 0,
	'the former main process took over again': 0,
	'an endpoint was replaced during a poll': 0,
	'a poll outlived an unpublish': 0,
	'the API key of an endpoint changed': 0,
	'a copied workflow started with the static data of the original': 0,
};

export function countSituation(situation: keyof typeof situations, times = 1): void {
	situations[situation] += times;
}

/** Counts the situation of a response to `POST /webhooks`. */
export function countCreation(
	{ kind: { dialect, limit } }: LifecycleFixture,
	status: number,
	existing: StoredEndpoint[],
): void {
	const { sameUrl, challenge, recordEnvelope } = dialect;
	if (status >= 200 && status < 300) {
		if (challenge === 'post') countSituation('a challenge while create ran');
		if (recordEnvelope === 'request') countSituation('a record beside a request id');
		if (sameUrl === 'old record' && existing.length > 0) {
			countSituation('the existing record for the same URL');
		}
	}
	if (status === 409 && sameUrl === '409') countSituation('409 for the same URL');
	if (status === 422 && sameUrl === '422') countSituation('422 for the same URL');
	if (status === 403 && limit !== undefined) countSituation('the endpoint limit was reached');
}

/** Counts the endpoints whose creation had an effect, but no readable response. */
export function countLostAnswers({ isVerifying, faults }: LifecycleFixture): void {
	const lost = faults.injected.filter(
		({ request, fault }) => request === 'create' && /after|cut|other id/.test(fault),
	);
	if (!isVerifying) return;
	countSituation('the answer to create was lost while signatures are verified', lost.length);
}
