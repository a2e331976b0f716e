import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readCall, withCallDetails } from '../callDetails/callDetails';
import { toRow } from '../callDetails/writing';
import type { Entry } from './batch';
import { rowIdOf } from '../events/identity';
import { isCovered } from '../events/names';
import { truncate } from '../text/words';
import { findUnmet } from '../trigger/callFilter';
import { OTHER, readOutputs } from '../trigger/description';
import type { DeliverySettings, Output } from '../trigger/settings';

/** An event that may start the workflow: its event type, if it has one, and its item. */
export type ReceivedEvent = ReturnType<typeof toReceived> & {
	/** What the editor says of it after a test execution, a line each. */
	hints?: string;
};

/** @returns the type of all events of a delivery; null if it is unknown, or if they differ */
export function commonTypeOf(events: Array<Pick<ReceivedEvent, 'type'>>): string | null {
	const [type, ...others] = new Set(events.map((event) => event.type));
	return others.length === 0 ? (type ?? null) : null;
}

/**
 * Makes the item of an event, and compares its call with the filter.
 *
 * @param ids of the delivery, if it holds no other event
 */
export function toReceived(
	{ json, type: { name: type } }: Entry,
	{ output, detailOptions, onlyCalls }: DeliverySettings,
	ids: string[],
) {
	const { details, disposition } = readCall(json, detailOptions);
	const call = details.id ?? rowIdOf(json, ids);
	const items: Record<Output, () => IDataObject> = {
		both: () => withCallDetails(json, details),
		details: () => withCallDetails({}, details),
		event: () => json,
		row: () => toRow(details, call, detailOptions),
	};
	return {
		/** As the user selected it or the catalog spells it; else as the event does. */
		type,
		/** The event as the service sent it. */
		sent: json,
		details,
		json: (items[output] ?? items.both)(),
		/** What n8n's executions show of it, see `setCustomData`. The event chooses the item's output. */
		customData: { call, event: type },
		/** The condition of the user's filter that its call does not meet. */
		unmet: onlyCalls && findUnmet(onlyCalls, details, disposition),
	};
}

/**
 * Makes the items of events, all in one list: with the legacy execution order, n8n runs no trigger whose first
 * list is empty. n8n keeps `customData` and `hints` of an item until the execution, where {@link returnItems} reads them.
 */
export function toItems(events: ReceivedEvent[]): INodeExecutionData[] {
	return events.map(({ json, customData, hints }) => ({
		json,
		customData,
		...(hints && { hints }),
	}));
}

/** The most hints that the editor shows at once. */
const MOST_HINTS = 4;

/**
 * Returns the items of an execution, each at its output, and shows their hints in the editor. It reads the items where
 * *Execute Once* has not cut them to the first one.
 */
export function returnItems(context: IExecuteFunctions): INodeExecutionData[][] {
	const items = context.getExecuteData().data.main?.[0] ?? [];
	setCustomData(context, items);
	const names = readOutputs(context.getNode().parameters);
	const hints = new Set(
		items.flatMap(({ hints = '' }) => String(hints).split('\n')).filter(Boolean),
	);
	for (const message of [...hints].slice(0, MOST_HINTS)) {
		context.addExecutionHints({ message, location: 'outputPane' });
	}
	return (names.length > 0 ? names : [undefined]).map((name) =>
		items
			.filter((item) => name === undefined || name === outputOf(item, names))
			.map(({ json, pairedItem }) => ({ json, pairedItem })),
	);
}

/**
 * Finds the output of an item: that of its event type, else the first wildcard that covers the type.
 * `call.completed` → `call.completed`, else `call.*`, else `Other`
 */
function outputOf({ customData }: INodeExecutionData, names: string[]): string {
	const { event: type = OTHER } = (customData ?? {}) as { event?: string };
	if (names.includes(type)) return type;
	return names.find((name) => isCovered(type, [name])) ?? OTHER;
}

/** Holds n8n's custom data of an execution. */
type CustomDataHolder = Partial<Pick<IExecuteFunctions, 'customData'>>;

/** The keys of n8n's custom data. */
const KEYS = ['call', 'event'];
/** The longest value: n8n logs an error for each longer one. */
const LONGEST_VALUE = 255;

/**
 * Sets n8n's custom data of an execution, by which a person finds the execution of a call. Of a batch, all calls are
 * in one value: `call_1, call_2`
 */
function setCustomData(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const { customData: own }: CustomDataHolder = context;
	// n8n 2.0 and older have it only for expressions, which takes longer.
	const ofExpressions = () => context.getWorkflowDataProxy(0).$execution as CustomDataHolder;
	const customData = own ?? ofExpressions().customData;
	for (const key of KEYS) {
		const values = items.flatMap(({ customData }) => (customData as IDataObject)?.[key] ?? []);
		const text = truncate([...new Set(values)].join(', '), LONGEST_VALUE);
		if (text) customData?.set(key, text);
	}
}
