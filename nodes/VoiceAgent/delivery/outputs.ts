import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeParameters,
	INodeTypeDescription,
} from 'n8n-workflow';

import { isCovered, isEveryType } from '../eventTypes/selection';
import type { ReceivedEvent } from './item';

/** The output for event types without their own output. */
const OTHER = 'Other';

/**
 * Reads the trigger's outputs, named after event types. n8n connects by position, so the outputs are
 * stored apart from the chosen events: a change of the events moves no output.
 *
 * The function uses nothing outside of it, because n8n evaluates its text: see {@link outputs}. The text that
 * the build makes of it must not contain `}}`, which ends an expression.
 *
 * @param parameters the stored parameters, with unresolved expressions
 * @returns the names of the outputs; empty for a single output
 */
export function readOutputs({ options }: INodeParameters): string[] {
	const { value } = (options as { outputs?: { value?: unknown } })?.outputs ?? {};
	if (typeof value !== 'string' || value === '' || value.startsWith('=')) return [];
	const names = value.split(',').map((name) => name.trim());
	return names.includes('Other') ? names : [...names, 'Other'];
}

/** The outputs in the form of n8n's node description. */
export const outputs: INodeTypeDescription['outputs'] = `={{ ((names) => names.length
	? names.map((displayName) => ({ type: 'main', displayName }))
	: ['main'])((${readOutputs})($rawParameter)) }}`;

/**
 * Makes the items of events, all in one list: with the legacy execution order, n8n runs no trigger whose first
 * list is empty. With several outputs, each item has the name of its output: that of its type, else the first
 * wildcard that covers the type. `call.completed` → `call.completed`, else `call.*`, else `Other`
 */
export function toItems(events: ReceivedEvent[], names: string[]): INodeExecutionData[][] {
	const outputOf = ({ type = OTHER }: ReceivedEvent) =>
		names.includes(type) ? type : (names.find((name) => isCovered(type, [name])) ?? OTHER);
	const toItem = (event: ReceivedEvent): INodeExecutionData => ({
		json: event.json,
		...(names.length > 0 && { output: outputOf(event) }),
		...(event.hints && { hints: event.hints }),
	});
	return [events.map(toItem)];
}

/** The most hints that the editor shows at once. */
const MOST_HINTS = 3;

/**
 * Hands the items of an execution on, each at its output, and their hints to the editor. It reads them where
 * *Execute Once* has not cut them to the first one.
 *
 * @param isDone whether to hand on nothing, because the event was processed before
 */
export function handOn(context: IExecuteFunctions, isDone = false): INodeExecutionData[][] {
	const items = (!isDone && context.getExecuteData().data.main?.[0]) || [];
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

/**
 * Offers outputs for the chosen events: the present outputs with new ones behind them, so that no branch
 * gets another event.
 */
export async function getOutputs(this: ILoadOptionsFunctions) {
	const parameters = this.getCurrentNodeParameters() ?? {};
	const chosen = Array.isArray(parameters.events) ? (parameters.events as string[]) : [];
	// Beside the choice of every event, the named ones have an output, and all others are in "Other".
	const events = chosen.filter((name) => !isEveryType([name]));
	const names = [...new Set([...readOutputs(parameters), ...events, OTHER])].join(', ');
	return { results: [{ name: names, value: names }] };
}
