import type {
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodeTypeDescription,
} from 'n8n-workflow';

import type { ReceivedEvent } from './item';

/** The output for event types that have none of their own. */
const OTHER = 'Other';

/**
 * The trigger's outputs, by the names of event types. n8n connects by position, so the positions are
 * chosen and stored by themselves: whatever becomes of the chosen events, no output moves.
 *
 * It stands alone, since n8n evaluates its text for the canvas: see {@link outputs}.
 *
 * @param parameters as stored, with expressions unresolved
 * @returns empty for one output for every event
 */
export function readOutputs({ options }: INodeParameters): string[] {
	const { value } = (options as { outputs?: { value?: unknown } })?.outputs ?? {};
	if (typeof value !== 'string' || value === '' || value.startsWith('=')) return [];
	const names = value.split(',').map((name) => name.trim());
	return names.includes('Other') ? names : [...names, 'Other'];
}

/** The outputs as n8n's node description has them. */
export const outputs: INodeTypeDescription['outputs'] = `={{ ((names) => names.length
	? names.map((displayName) => ({ type: 'main', displayName }))
	: ['main'])((${readOutputs})($rawParameter)) }}`;

/** Puts each event at the output of its type, in their order. */
export function route(events: ReceivedEvent[], names: string[]): INodeExecutionData[][] {
	const nameOf = ({ type }: ReceivedEvent) =>
		type !== undefined && names.includes(type) ? type : OTHER;
	const toItem = ({ json }: ReceivedEvent): INodeExecutionData => ({ json });
	if (names.length === 0) return [events.map(toItem)];
	return names.map((name) => events.filter((event) => nameOf(event) === name).map(toItem));
}

/**
 * Offers what the outputs can be, for the events that are chosen at the moment: those there are, with
 * new ones behind them, so that no branch gets another event; or a new order, which says what it does.
 */
export async function getOutputs(this: ILoadOptionsFunctions): Promise<INodeListSearchResult> {
	const parameters = this.getCurrentNodeParameters() ?? {};
	const { events } = parameters;
	if (!Array.isArray(events) || events.length === 0) {
		const name = 'One output, because no events are chosen from the list';
		return { results: [{ name, value: '' }] };
	}
	const present = readOutputs(parameters);
	const anew = [...(events as string[]), OTHER];
	const kept = [...present, ...anew.filter((name) => !present.includes(name))];
	const results = [{ name: kept.join(', '), value: kept.join(', ') }];
	if (anew.join() !== kept.join()) {
		// The warning comes first, for the list cuts off what is long.
		results.push({ name: `Move outputs: ${anew.join(', ')}`, value: anew.join(', ') });
	}
	return { results };
}
