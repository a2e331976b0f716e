import {
	type ILoadOptionsFunctions,
	type INodeParameters,
	type INodeTypeDescription,
	fromFunction,
	webhookDescriptionFields,
	type IWebhookDescription,
	type INodeProperties,
} from 'n8n-workflow';

import { isEveryType } from '../events/names';
import { readChoices } from '../text/json';

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
 * Offers outputs for the chosen events: the present outputs with new ones after them, so that no branch
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

/**
 * Decides when n8n answers the service: at once, or at the end of the workflow. It always returns a mode,
 * because n8n answers a delivery without a mode with 500.
 *
 * The function uses nothing outside of it, because n8n evaluates its text: see {@link webhookFields}. The text
 * that the build makes of it must not contain `}}`, which ends an expression.
 *
 * @param parameters the parameters, with unresolved expressions if n8n calls the function itself
 */
function getResponseMode({ options }: INodeParameters) {
	const { acknowledge } = (options ?? {}) as { acknowledge?: unknown };
	return acknowledge === 'finished' ? 'lastNode' : 'onReceived';
}

/** Hides the URL in the editor, unless a person pastes it at the service. As {@link getResponseMode}, a text. */
function hidesUrl({ registration }: INodeParameters) {
	return registration !== 'manual';
}

/**
 * The fields of n8n's webhook description that depend on parameters. n8n 2.41 calls the functions itself if no
 * parameter of the node holds an expression or a resource locator. Otherwise, and in older versions, n8n
 * evaluates the text, which takes longer than the trigger's whole part of a delivery.
 */
export const webhookFields: Pick<IWebhookDescription, 'responseMode' | 'ndvHideUrl'> =
	typeof webhookDescriptionFields === 'function'
		? webhookDescriptionFields({
				responseMode: fromFunction(getResponseMode),
				ndvHideUrl: fromFunction(hidesUrl),
			})
		: {
				responseMode: `={{ (${getResponseMode})($parameter) }}`,
				ndvHideUrl: `={{ (${hidesUrl})($parameter) }}`,
			};

/** The default poll times: each minute, at a second that n8n draws. See `beginPoll` in poll/schedule.ts. */
export const POLL_TIMES = { item: [{ mode: 'everyX', value: 1, unit: 'minutes' }] };

/** Parameters of the poll that the editor does not show. */
export const pollProperties: INodeProperties[] = [
	{ displayName: 'Poll Times', name: 'pollTimes', type: 'hidden', default: POLL_TIMES },
	{
		displayName: 'Minimum Age (Minutes)',
		name: 'minAgeMinutes',
		type: 'hidden',
		// After this time, the service is not expected to resend an event.
		default: 15,
	},
];

/** @returns whether the user lets missed events start the workflow; without it, polls repair the endpoint only */
export function isCatchUpOn(context: {
	getNodeParameter(name: string, byDefault: boolean): unknown;
}) {
	return context.getNodeParameter('options.catchUp', true) !== false;
}
