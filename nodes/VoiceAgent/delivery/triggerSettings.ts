import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import type { ReadingOptions } from '../callDetails/callDetails';
import { parseCountryCode } from '../callDetails/countryCode';
import { readFilter } from '../callDetails/filter';
import { readMapping } from '../callDetails/mapping';
import type { Output } from './item';
import type { DeliverySettings } from './judge';
import { readSelection } from '../eventTypes/selection';
import { readText } from '../parameters';

/** The trigger's parameters, with their defaults. */
export interface Settings extends DeliverySettings {
	reading: ReadingOptions;
	/** The errors in the mapping and the country code, see {@link assertValid}. */
	problems: string[];
	/** Whether a test listener asks the service for a test event. */
	requestSample: boolean;
}

/** Any context of a node with these parameters. */
type NodeContext = Pick<IHookFunctions, 'getNodeParameter'>;

/**
 * Reads the parameters of a trigger for its lifecycle.
 *
 * @returns the settings, with the selected event types as a list, which is empty for every event type
 * @throws NodeOperationError if the mapping or the country code is wrong; UserError if no events are chosen
 */
export function readValidSettings(context: IHookFunctions): Settings & { events: string[] } {
	const settings = readSettings(context);
	assertValid(context, settings);
	return { ...settings, events: readSelection(settings.events) };
}

/** @throws NodeOperationError if the mapping or the country code is wrong */
export function assertValid(context: Pick<IHookFunctions, 'getNode'>, settings: Settings): void {
	const [problem] = settings.problems;
	if (problem) throw new NodeOperationError(context.getNode(), problem);
}

/** Reads the parameters of a trigger for a delivery. */
export function readSettings(context: NodeContext): Settings {
	const options = readOptions(context) as {
		callDetailsMapping?: unknown;
		countryCode?: unknown;
		onlyCalls?: unknown;
		deliveryDetails?: boolean;
		testEvent?: 'sample' | 'real';
		verifySignature?: boolean;
	};
	const { mapping, problems } = readMapping(options.callDetailsMapping);
	const code = readText(options.countryCode);
	const countryCode = parseCountryCode(code);
	if (code && !countryCode) {
		problems.push(
			`The country code can't be read: ${code}. Write + and one to three digits, such as +1 or +49.`,
		);
	}
	return {
		events: context.getNodeParameter('events', []),
		output: context.getNodeParameter('output', 'both') as Output,
		reading: { mapping, countryCode },
		onlyCalls: readFilter(options.onlyCalls),
		problems,
		verifySignature: options.verifySignature === true,
		deliveryDetails: options.deliveryDetails ?? false,
		requestSample: options.testEvent !== 'real',
	};
}

/** Evaluates each option except the mapping, because the editor turns pasted paths into expressions. */
function readOptions(context: NodeContext): IDataObject {
	const raw = context.getNodeParameter('options', {}, { rawExpressions: true }) as IDataObject;
	const evaluated = Object.keys(raw)
		.filter((name) => name !== 'callDetailsMapping')
		.map((name) => [name, context.getNodeParameter(`options.${name}`, null)] as const);
	return { ...raw, ...Object.fromEntries(evaluated) };
}
