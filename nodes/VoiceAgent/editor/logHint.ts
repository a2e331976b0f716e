import type { IWebhookFunctions } from 'n8n-workflow';

import { DETAILS } from '../callDetails/details';
import { readLogged } from '../delivery/loggedEvents';
import type { LoggedEndpoint } from '../log/deliveryDetails';
import { inOrder, isNewestFirst, requestNewest, type Log } from '../log/requestLog';
import { requestEndpoints } from '../lists/requestList';
import { memoryOf } from '../state/triggerMemory';
import { presentEndpoint, stateOf } from '../state/triggerState';
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
	const log = await readLog(context, settings).catch((error: Error) => {
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

/** @returns the log of the published trigger; else of another endpoint, best one with its events */
async function readLog(context: IWebhookFunctions, { events }: Settings): Promise<Log | undefined> {
	const deadline = { endsAt: Date.now() + LOG_WAIT_MS, timeout: LOG_WAIT_MS, once: true };
	let endpoint: LoggedEndpoint | undefined = presentEndpoint(memoryOf(context).state);
	if (!endpoint) {
		const own = new Set(stateOf(context).endpoints?.map(({ id }) => id));
		const { value } = await requestEndpoints(context, deadline);
		const others = value.filter(({ id }) => !own.has(id));
		endpoint = others.find((one) => isSameSelection(one.events ?? [], events)) ?? others[0];
	}
	return endpoint && (await requestNewest(context, endpoint, deadline));
}
