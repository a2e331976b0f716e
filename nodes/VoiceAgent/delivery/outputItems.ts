import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCovered } from '../events/selection';
import { OTHER, readOutputs } from '../trigger/outputs';
import { setCustomData } from './customData';
import type { ReceivedEvent } from './item';

/**
 * Makes the items of events, all in one list: with the legacy execution order, n8n runs no trigger whose first
 * list is empty. With several outputs, each item has the name of its output: that of its type, else the first
 * wildcard that covers the type. `call.completed` → `call.completed`, else `call.*`, else `Other`
 */
export function toItems(events: ReceivedEvent[], names: string[]): INodeExecutionData[] {
	const outputOf = ({ type = OTHER }: ReceivedEvent) =>
		names.includes(type) ? type : (names.find((name) => isCovered(type, [name])) ?? OTHER);
	const toItem = (event: ReceivedEvent): INodeExecutionData => ({
		json: event.json,
		customData: event.customData,
		...(names.length > 0 && { output: outputOf(event) }),
		...(event.hints && { hints: event.hints }),
	});
	return events.map(toItem);
}

/** The most hints that the editor shows at once. */
const MOST_HINTS = 4;

/**
 * Hands the items of an execution on, each at its output, and their hints to the editor. It reads them where
 * *Execute Once* has not cut them to the first one.
 */
export function handOn(context: IExecuteFunctions): INodeExecutionData[][] {
	const items = context.getExecuteData().data.main?.[0] ?? [];
	setCustomData(context, items);
	const names = readOutputs(context.getNode().parameters);
	const hints = new Set(
		items.flatMap(({ hints = '' }) => String(hints).split('\n')).filter(Boolean),
	);
	for (const message of [...hints].slice(0, MOST_HINTS)) {
		context.addExecutionHints({ message, location: 'outputPane' });
	}
	// The outputs may have changed before a failed execution is retried.
	const outputOf = ({ output = OTHER }: INodeExecutionData) =>
		names.includes(`${output}`) ? output : OTHER;
	return (names.length > 0 ? names : [undefined]).map((name) =>
		items
			.filter((item) => name === undefined || name === outputOf(item))
			.map(({ json, pairedItem }) => ({ json, pairedItem })),
	);
}
