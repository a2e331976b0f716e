import type { ILoadOptionsFunctions, INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { isEveryType } from '../events/selection';
import { readChoices } from '../text/parameters';

/** The output for event types without their own output. */
export const OTHER = 'Other';

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
 * Offers outputs for the chosen events: the present outputs with new ones behind them, so that no branch
 * gets another event.
 */
export async function getOutputs(this: ILoadOptionsFunctions) {
	const parameters = this.getCurrentNodeParameters() ?? {};
	const { registration, eventNames, events: listed } = parameters;
	const given = registration === 'manual' ? eventNames : listed;
	const chosen = String(given).startsWith('=') ? [] : readChoices(given);
	// Beside the choice of every event, the named ones have an output, and all others are in "Other".
	const events = chosen.filter((name) => !isEveryType([name]));
	const names = [...new Set([...readOutputs(parameters), ...events, OTHER])].join(', ');
	return { results: [{ name: names, value: names }] };
}
