import { NodeOperationError, tryToParseDateTime, type IDataObject } from 'n8n-workflow';

import { decideLogged } from '../../delivery/decide';
import { isEveryType } from '../../events/names';
import { assertEventTypes, listEventTypes } from '../../lists/requestList';
import { findEvents, mergeEvents, RESENT_MS, timeOf, type LoggedEvent } from '../../log/missed';
import { assertNewestRead } from '../../log/requestLog';
import { readLogs } from './readLogs';
import { readLimit } from '../getMany';
import { readEventSettings, type Item } from '../operation';

/**
 * Gets the events of the chosen logs, each once and the oldest first, with the items of the trigger.
 *
 * @throws UserError or NodeOperationError for a wrong option; NodeApiError if a log can't be read
 */
export async function getPastEvents(item: Item): Promise<IDataObject[]> {
	const limit = readLimit(item);
	const settings = readEventSettings(item, OWN_PARAMETERS);
	const { since, isWanted, onlyFailed, onlyMissed } = readChoice(item);
	// In a log in the order of events, the last attempt of an older one may be in the period.
	const back = onlyFailed || onlyMissed ? RESENT_MS : 0;
	const { logs, failures } = await readLogs(item, { since: since - back }, (log) => {
		if (onlyMissed) assertNewestRead(item.context, log);
		return findEvents(log.value, Date.now()).filter(isWanted);
	});
	// Several logs may hold an event.
	const events = mergeEvents(logs.flat());
	const catalog = events.length > 0 ? await readCatalog(item, settings.events) : [];
	hintAtMissingEvents(item, events);
	const received = events.flatMap((event) => decideLogged(event, settings, catalog));
	return [...received.slice(-limit).map(({ json }) => json), ...failures];
}

/** Reads the names of the catalog. Without them, events that were not chosen would pass as unknown ones. */
async function readCatalog({ context, deadline }: Item, chosen: string[]): Promise<string[]> {
	if (isEveryType(chosen)) return (await assertEventTypes(context, [], deadline)) ?? [];
	return (await listEventTypes(context, deadline)).value.map(({ name }) => name);
}

/** Reads the options that choose events by their last attempts. An event without a stated time is in every period. */
function readChoice(item: Item) {
	const since = readTimeOption(item, 'Since') ?? -Infinity;
	const until = readTimeOption(item, 'Until') ?? Infinity;
	const [onlyFailed, onlyMissed] = ['onlyFailed', 'onlyMissed'].map(
		(name) => item.read(`options.${name}`, false) === true,
	);
	const isWanted = (event: LoggedEvent) => {
		const isInPeriod =
			event.lastAttemptAt === null || (timeOf(event) >= since && timeOf(event) <= until);
		const isLeftOut = (onlyFailed && event.hasArrived) || (onlyMissed && !event.isMissed);
		return isInPeriod && !isLeftOut;
	};
	return { since, isWanted, onlyFailed, onlyMissed };
}

/** Reads a time, in the workflow's time zone if it states none (ms since the epoch). `Since` is in `options.since`. */
function readTimeOption({ context, read }: Item, label: string): number | undefined {
	const value = read(`options.${label.toLowerCase()}`, '');
	if (value === '') return undefined;
	try {
		return tryToParseDateTime(value, context.getTimezone()).toMillis();
	} catch {
		throw new NodeOperationError(
			context.getNode(),
			`'${label}' is not a valid time: ${String(value)}. Write it as in 2026-01-31T09:00.`,
		);
	}
}

function hintAtMissingEvents({ context }: Item, events: LoggedEvent[]): void {
	const count = events.filter(({ details }) => details.event === null).length;
	if (count === 0) return;
	context.addExecutionHints({
		message: `Of ${count} events, the service's log does not hold the content, so they have no item here. Output → Deliveries shows their deliveries.`,
		location: 'outputPane',
	});
}

/** The parameters of the node by those of the trigger, where they have other names. */
const OWN_PARAMETERS: Record<string, string> = { events: 'options.events', output: 'eventOutput' };
