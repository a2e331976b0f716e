import type { IDataObject } from 'n8n-workflow';

import { isSameAddress } from '../../api/callbackUrl';
import type { Endpoint } from '../../answers/records';
import { expand, isEveryType } from '../../eventTypes/selection';
import { isWildcard } from '../../eventTypes/spelling';
import { hasArrived, isOfTrigger, newestFirst } from '../../deliveryLog/arrival';
import { sumUp, type Finding, type Problem, type Summary, type Told } from './checkFindings';
import { judgeLog } from './checkLog';
import type { DeliveryDetails } from '../../deliveryLog/deliveryDetails';

/** All that is known of an endpoint. */
export interface Known {
	/** Undefined where the list does not show it. */
	endpoint: Told<Endpoint | undefined>;
	/** All endpoints of the list. */
	all?: Endpoint[];
	/** The names of the event types that there are. */
	catalog: Told<string[]>;
	log: Told<DeliveryDetails[]>;
}

/** What the check of an endpoint found. */
export interface Verdict extends Summary {
	/** The newest one, without its event; null where there is none, or it can't be told which it is. */
	lastDelivery: IDataObject | null;
	/** How many deliveries the log holds; null where it can't be read. */
	logged: number | null;
	/** How many of them did not arrive, be it that later ones did. */
	failed: number | null;
}

/**
 * Judges an endpoint by what is known of it. Pure.
 *
 * @param doubts that there are already
 */
export function judgeEndpoint(
	{ endpoint, all = [], catalog, log }: Known,
	doubts: Finding[] = [],
): Verdict {
	const { url = '', events = [] } = ('value' in endpoint && endpoint.value) || {};
	const deliveries = 'value' in log ? log.value : undefined;
	const summary = sumUp([
		...judgeRecord(endpoint),
		...judgeTwins(url, all),
		...judgeEvents(events, catalog, url),
		...judgeLog(log, url),
		...doubts,
	]);
	const failed = deliveries?.filter((one) => hasArrived(one) === false).length ?? null;
	if (summary.ok && failed) {
		summary.summary += ` Of the ${deliveries?.length} that are logged, ${failed} did not: Get Deliveries with Only Failed shows them.`;
	}
	return {
		...summary,
		lastDelivery: showDelivery(newestFirst(deliveries ?? [])?.[0]),
		logged: deliveries?.length ?? null,
		failed,
	};
}

const UNVERIFIED: Finding = {
	what: 'The service waits for the verification of this webhook, and may deliver nothing until then.',
	toDo: 'Verify the URL as the service asks for it, in its dashboard or by its documents.',
};

/** A trigger has one endpoint: by two of them, each event starts its workflow twice. */
function judgeTwins(url: string, all: Endpoint[]): Problem[] {
	const twins = all.filter(
		({ isRemoved, isDisabled, ...twin }) =>
			!isRemoved && !isDisabled && isSameAddress(twin.url, url),
	);
	if (twins.length < 2 || !isOfTrigger(url)) return [];
	return [
		{
			what: `This trigger has ${twins.length} webhooks, so that an event may start its workflow more than once: ${twins.map(({ id }) => id).join(', ')}.`,
			toDo: 'Unpublish the workflow and publish it again, which leaves one.',
			since: null,
		},
	];
}

function judgeRecord(endpoint: Known['endpoint']): Array<Problem | Finding> {
	if ('error' in endpoint) {
		const what = `The list of webhooks could not be read: ${endpoint.error.message}`;
		return [{ what, toDo: 'Check again later.' }];
	}
	const { value, complete } = endpoint;
	if (!value) {
		const seen = complete ? 'The list of webhooks' : 'What could be read of the list of webhooks';
		return [
			{
				what: `${seen} does not have this one.`,
				toDo: 'The list may be late: check again in a minute. If the webhook was removed, unpublish its workflow and publish it again.',
			},
		];
	}
	if (value.isRemoved) {
		return [
			{
				what: 'The service lists this webhook as removed, and delivers nothing to it.',
				toDo: 'If its workflow is to start on events, unpublish it and publish it again.',
				since: null,
			},
		];
	}
	if (!value.isDisabled) return value.isUnverified ? [UNVERIFIED] : [];
	return [
		{
			what: 'The service has disabled this webhook, and delivers nothing to it.',
			toDo: isOfTrigger(value.url)
				? 'See to it that deliveries can arrive. Then unpublish the workflow and publish it again, which registers it anew.'
				: 'See to it that deliveries can arrive. Then enable it at the service, or create it anew and delete this one.',
			since: null,
		},
	];
}

function judgeEvents(
	events: string[],
	catalog: Known['catalog'],
	url: string,
): Array<Problem | Finding> {
	if (isEveryType(events)) return [];
	if ('error' in catalog) {
		return [
			{
				what: `It can't be told whether the event types of this webhook still exist, since the catalog could not be read: ${catalog.error.message}`,
				toDo: 'Check again later.',
			},
		];
	}
	const names = catalog.value.filter((name) => !isWildcard(name));
	const isThere = (event: string) => [...expand([event], names)].some((one) => names.includes(one));
	const missing = events.filter((event) => !isThere(event));
	if (missing.length === 0) return [];
	if (!catalog.complete || names.length === 0) {
		return [
			{
				what: `It can't be told whether these event types of the webhook still exist, since the catalog could not be read whole: ${missing.join(', ')}.`,
				toDo: 'Compare them with what the service offers.',
			},
		];
	}
	return [
		{
			what: `The service no longer has these event types of the webhook, and does not deliver them: ${missing.join(', ')}.`,
			toDo: isOfTrigger(url)
				? 'Choose the events of the Voice Agent Trigger again, and publish its workflow.'
				: 'Create the webhook anew with event types of the catalog, and delete this one.',
			since: null,
		},
	];
}

function showDelivery(delivery: DeliveryDetails | undefined): IDataObject | null {
	if (!delivery) return null;
	const { id, eventType, time, status, succeeded, response, error, attempt } = delivery;
	return { id, eventType, time, status, succeeded, response, error, attempt };
}
