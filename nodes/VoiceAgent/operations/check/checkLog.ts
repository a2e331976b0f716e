import { isOfTrigger } from '../../auth/token';
import { EventIndex } from '../../events/identity';
import type { ReadList } from '../../lists/requestList';
import {
	newestFirst,
	wasStarting,
	type DeliveryDetails,
	type LoggedAttempt,
} from '../../log/attempts';
import { type Finding, doubtsOf, oneProblem } from './findings';
import { causeOf } from '../../service/causes';
import { statusShown } from '../../service/errors';
import { isObject, parseJson } from '../../text/json';

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

const NO_DELIVERIES: Finding = {
	what: 'No deliveries are logged.',
	toDo: 'Make a call. Or turn off All Webhooks, choose this webhook, and turn on Send Test Event. If the log stays empty, the service may keep no log.',
};

const ALL_IGNORED: Finding = {
	what: 'n8n ignored every delivery that arrived, so no workflow has started yet.',
	toDo: 'If these events should start the workflow, choose them in the Voice Agent Trigger. Else make a call.',
};

const NEWEST_UNKNOWN: Finding = {
	what: 'The log does not show whether the newest delivery arrived.',
	toDo: 'If a delivery is under way, check again in a minute. Else look at Get Deliveries, and at the executions of the workflow.',
};

/**
 * Checks the log of a webhook: deliveries fail if none has arrived since the oldest of the newest
 * failures. Pure.
 *
 * @param url of the webhook as the list shows it; empty if unknown
 */
export function checkLog(log: ReadList<LoggedAttempt>, url: string): Finding[] {
	const doubts = doubtsOf(log, 'log of deliveries');
	if (log.error) return doubts;
	const attempts = log.value;
	const arrived = attempts.filter(({ lastArrived }) => lastArrived);
	const ended = attempts.filter(({ lastArrived }) => lastArrived !== null);
	const ordered = newestFirst(ended);
	if (attempts.length === 0) doubts.push(NO_DELIVERIES);
	else if (isNewestUnknown(attempts)) doubts.push(NEWEST_UNKNOWN);
	const areIgnored = arrived.length > 0 && arrived.every(wasIgnored);
	if (isOfTrigger(url) && areIgnored) doubts.push(ALL_IGNORED);

	const failing = failingIn(ordered ?? (arrived.length > 0 ? [] : ended));
	const since = (ordered && failing.at(-1)?.details.time) ?? null;
	const failures = failing
		.slice(0, 1)
		.map((one) => ({ ...explainFailure(one.details, url), since }));
	return [...failures, ...checkLost(attempts), ...doubts];
}

/** Whether the log does not show if the newest delivery arrived. Without an order, each may be the newest. */
function isNewestUnknown(attempts: LoggedAttempt[]): boolean {
	const newest = newestFirst(attempts)?.slice(0, 1) ?? attempts;
	const results = new Set(newest.map(({ lastArrived }) => lastArrived));
	return results.size > 1 || results.has(null);
}

/**
 * @param ordered the newest first
 * @returns the attempts since the last one that arrived, without those that n8n's start lost
 */
function failingIn(ordered: LoggedAttempt[]): LoggedAttempt[] {
	const arrivedAt = ordered.findIndex(({ lastArrived }) => lastArrived);
	const since = ordered.slice(0, arrivedAt < 0 ? undefined : arrivedAt);
	return since.filter(({ details }) => !wasStarting(details));
}

/** n8n answers 200 while it starts, and drops the event. A later delivery of it is rare, but catching up brings it back. */
function checkLost(attempts: LoggedAttempt[]): Finding[] {
	const arrived = new EventIndex();
	for (const { identity } of attempts.filter((one) => one.hasArrived)) arrived.add(identity);
	const lost = attempts.filter(
		({ details, identity }) => wasStarting(details) && !arrived.find(identity),
	);
	if (lost.length === 0) return [];
	return oneProblem(
		`n8n lost ${lost.length === 1 ? 'an event' : `${lost.length} events`} that it confirmed while it was starting, which the service doesn't resend.`,
		'The trigger starts the workflow for what the log holds. If its option Catch Up on Missed Events is off, use Get Deliveries. Let the proxy in front of n8n pass requests only while /healthz/readiness answers 200.',
		newestFirst(lost)?.at(-1)?.details.time,
	);
}

/**
 * Detects n8n's answer to an event that was not chosen: `{"ignored":true}` → true; `{"ignored":"filter"}` by the user's
 * own filter, `{"ignored":"duplicate"}` → false
 */
function wasIgnored({ details }: LoggedAttempt): boolean {
	const answer = parseJson(details.response ?? '');
	return isObject(answer) && answer.ignored === true;
}
