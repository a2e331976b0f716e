import { hasArrived, isOfTrigger, newestFirst, wasStarting } from '../../deliveryLog/arrival';
import { explainFailure, wasIgnored } from './checkDelivery';
import type { Finding, Problem, Told } from './checkFindings';
import type { DeliveryDetails } from '../../deliveryLog/deliveryDetails';

/**
 * Judges the log of an endpoint's deliveries: it is failing from the last one that arrived on. Pure.
 *
 * @param url of the endpoint as the list shows it; empty where that is not known
 */
export function judgeLog(log: Told<DeliveryDetails[]>, url: string): Array<Problem | Finding> {
	if ('error' in log) {
		const what = `The log of deliveries could not be read: ${log.error.message}`;
		return [{ what, toDo: 'Check again later.' }];
	}
	const { value: deliveries, complete } = log;
	const found: Array<Problem | Finding> = [...judgeStarting(deliveries)];
	if (!complete) {
		found.push({
			what: 'The log of deliveries could not be read whole, so the newest may be missing here.',
			toDo: 'Look at the log in the dashboard of the service.',
		});
	}
	if (deliveries.length === 0) {
		found.push({
			what: 'No deliveries are logged.',
			toDo: 'Nothing that the webhook is registered for may have happened yet, or the service keeps no log. Make a call, or turn on Send a Sample.',
		});
	}
	const arrived = deliveries.filter(hasArrived);
	if (isOfTrigger(url) && arrived.length > 0 && arrived.every(wasIgnored)) {
		found.push({
			what: 'n8n ignored every delivery that arrived, so no workflow has started yet.',
			toDo: 'Choose the event types of these deliveries in the Voice Agent Trigger, if they are to start its workflow. Else make a call.',
		});
	}
	const told = deliveries.filter((one) => hasArrived(one) !== null);
	const ordered = newestFirst(told);
	const untold = deliveries.filter(
		(one) => hasArrived(one) === null && !isOlder(one, ordered?.[0]),
	);
	if (untold.length > 0) {
		found.push({
			what: `The log does not tell how ${untold.length === 1 ? 'a delivery' : `${untold.length} deliveries`} ended that may be the newest.`,
			toDo: 'If they are under way, check again in a minute. Else look under Executions whether the workflow runs.',
		});
	}
	const lastArrived = (ordered ?? told).findIndex((one) => hasArrived(one));
	if (!ordered && lastArrived >= 0 && told.some((one) => !hasArrived(one))) {
		found.push({
			what: 'Some deliveries failed and others arrived, and the log does not tell which came last.',
			toDo: 'Look at them with Get Deliveries.',
		});
		return found;
	}
	const failing = (ordered ?? told)
		.slice(0, lastArrived < 0 ? undefined : lastArrived)
		.filter((one) => !wasStarting(one));
	const [newest] = failing;
	if (newest) {
		found.unshift({
			...explainFailure(newest, url),
			since: (ordered && failing.at(-1)?.time) ?? null,
		});
	}
	return found;
}

/** What arrived at n8n while it was starting is lost, however many arrive after it. */
function judgeStarting(deliveries: DeliveryDetails[]): Problem[] {
	const lost = deliveries.filter(wasStarting);
	if (lost.length === 0) return [];
	const first = newestFirst(lost)?.at(-1);
	return [
		{
			what: `n8n answered ${lost.length === 1 ? 'a delivery' : `${lost.length} deliveries`} with success while it was starting, and did not take in what it held; the service delivers that no more.`,
			toDo: 'Fetch these events with Get Deliveries, if the log holds them. Let the proxy in front of n8n pass requests only while /healthz/readiness answers 200.',
			since: first?.time ?? null,
		},
	];
}

function isOlder({ time }: DeliveryDetails, than: DeliveryDetails | undefined): boolean {
	return time !== null && !!than?.time && time <= than.time;
}
