import type { IWebhookFunctions } from 'n8n-workflow';

import type { Endpoint } from '../lists/records';
import { requestEndpoints } from '../lists/requestList';
import { isSameAddress, tokenOf } from '../auth/token';
import { findEvents, timeOf } from '../log/missed';
import { inOrder, requestNewest } from '../log/requestLog';
import { isSameSelection } from '../events/names';
import type { ReceivedEvent } from '../delivery/item';
import type { Grounds } from '../delivery/judge';
import { judgeLogged } from '../delivery/loggedEvents';
import type { Settings } from '../trigger/settings';

/** How long the logs are read (ms): the service waits for the answer to its test event. */
const READ_MS = 4_000;
/** How many logs are read until one holds an event. */
const MOST_LOGS = 3;

/**
 * Requests the newest event of the service's logs that would start the workflow: of the published trigger's webhook,
 * else of those with the same events, else of the others. The test listener's own log holds the test event.
 *
 * @param secrets with the callback token of the test listener
 * @returns the events of its delivery; none if the first page of no log holds one
 * @throws NodeApiError if the endpoints or a log can't be read
 */
export async function requestLatest(
	context: IWebhookFunctions,
	settings: Settings,
	{ catalog = [], endpointIds }: Grounds,
	secrets: string[],
): Promise<ReceivedEvent[]> {
	const deadline = { endsAt: Date.now() + READ_MS, timeout: READ_MS, once: true };
	const { value } = await requestEndpoints(context, deadline);
	// Also in a test, n8n gives the production URL here.
	const publishedUrl = context.getNodeWebhookUrl('default') ?? '';
	const distance = ({ url, events = [] }: Endpoint) => {
		if (isSameAddress(url, publishedUrl)) return 0;
		return isSameSelection(events, settings.events, catalog) ? 1 : 2;
	};
	const ofTest = new Set<string | undefined>([...endpointIds, ...secrets]);
	const endpoints = value
		.filter(({ id, url }) => !ofTest.has(id) && !ofTest.has(tokenOf(url)))
		.toSorted((one, other) => distance(one) - distance(other));
	for (const endpoint of endpoints.slice(0, MOST_LOGS)) {
		const { value: attempts } = await requestNewest(context, endpoint, deadline);
		const events = findEvents(inOrder(attempts), Date.now());
		for (const event of events.sort((one, other) => timeOf(other) - timeOf(one))) {
			const received = judgeLogged(event, settings, catalog);
			// A test of another day is in the log, too.
			const isReal = received.some(({ details }) => !details.test);
			if (isReal) return received;
		}
	}
	return [];
}
