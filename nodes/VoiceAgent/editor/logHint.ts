import type { IWebhookFunctions } from 'n8n-workflow';

import { DETAILS } from '../callDetails/details';
import { readLogged } from '../delivery/loggedEvents';
import { inOrder, isNewestFirst, requestNewest } from '../log/requestLog';
import { presentEndpoint, stateOf } from '../state/endpointState';
import { listedForTest, memoryOf } from '../state/triggerMemory';
import { isSameSelection } from '../events/selection';
import type { Settings } from '../trigger/settings';

/** How long _Execute step_ waits for the log (ms). */
const LOG_WAIT_MS = 2_000;
const MOST_CALLS = 50;
/** How many records of the log are read at most: a call may have several events. */
const MOST_LOGGED = 200;

/**
 * Says what the trigger would do with the last calls in the service's log:
 * `Of the last 50 calls, 12 meet Only Calls That Match; 3 have no Customer Phone.` It never throws.
 *
 * @returns undefined if the log holds fewer than two calls, begins with the oldest, or can't be read in time
 */
export async function hintOfLog(
	context: IWebhookFunctions,
	settings: Settings,
): Promise<string | undefined> {
	const endpoint = loggedEndpoint(context, settings);
	if (!endpoint) return undefined;
	const deadline = { endsAt: Date.now() + LOG_WAIT_MS, timeout: LOG_WAIT_MS, once: true };
	const log = await requestNewest(context, endpoint, deadline).catch((error: Error) => {
		context.logger.debug(`Voice Agent Trigger read no log for a hint: ${error.message}`);
	});
	if (!log || !isNewestFirst(log.value)) return undefined;
	const { catalog } = stateOf(context);
	const attempts = inOrder(log.value).slice(-MOST_LOGGED);
	const events = attempts.flatMap((attempt) => readLogged(attempt, settings, catalog));
	// The newest event of each call.
	const byCall = new Map(events.map((event) => [event.customData.call, event]));
	const calls = [...byCall.values()].slice(-MOST_CALLS);
	if (calls.length < 2) return undefined;
	const matching = calls.filter(({ unmet }) => unmet === undefined).length;
	const withoutPhone = calls.filter(({ details }) => details.customer.phone === null).length;
	const ofFilter = settings.onlyCalls
		? `${matching} ${matching === 1 ? 'meets' : 'meet'} Only Calls That Match; `
		: '';
	return `Of the last ${calls.length} calls, ${ofFilter}${withoutPhone} ${withoutPhone === 1 ? 'has' : 'have'} no ${DETAILS['customer.phone'].label}.`;
}

/** @returns the endpoint of the published trigger; else one that the test listener has seen, best with its events */
function loggedEndpoint(context: IWebhookFunctions, { events }: Settings) {
	const published = presentEndpoint(memoryOf(context)?.state);
	if (published) return published;
	const own = new Set(stateOf(context).endpoints?.map(({ id }) => id));
	const others = listedForTest(context).filter(({ id }) => !own.has(id));
	return others.find((one) => isSameSelection(one.events ?? [], events)) ?? others[0];
}
