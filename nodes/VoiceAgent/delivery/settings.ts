import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { ReadingOptions } from '../callDetails/callDetails';
import { parseCountryCode } from '../callDetails/countryCode';
import { readMapping } from '../callDetails/mapping';
import type { Wanted } from './judge';
import type { Verification } from './signatures';
import { readText, readChoices } from '../parameters';

/** The trigger's parameters, with their defaults. */
export interface Settings extends Wanted {
	reading: ReadingOptions;
	/** What is wrong with the mapping and the country code, for publishing to show. */
	problems: string[];
	/** While building, ask the service for a sample instead of waiting for a real event. */
	requestSample: boolean;
}

/**
 * Reads the parameters of a trigger for its lifecycle.
 *
 * @throws NodeOperationError where the mapping or the country code is wrong
 */
export function readValidSettings(context: IHookFunctions): Settings {
	const settings = readSettings(context);
	const [problem] = settings.problems;
	if (problem) throw new NodeOperationError(context.getNode(), problem);
	return settings;
}

/** Reads the parameters of a trigger, in the lifecycle as well as for a delivery. */
export function readSettings(context: IHookFunctions | IWebhookFunctions): Settings {
	const options = readOptions(context) as {
		callDetailsMapping?: unknown;
		countryCode?: unknown;
		deliveryDetails?: boolean;
		testEvent?: 'sample' | 'real';
		/** Fields at their defaults may lack. */
		signature?: { settings?: Partial<Verification> };
	};
	const { settings } = options.signature ?? {};
	const { mapping, problems } = readMapping(options.callDetailsMapping);
	const code = readText(options.countryCode);
	const countryCode = parseCountryCode(code);
	if (code && !countryCode) {
		problems.push(
			`The country code can't be read: ${code}. Write + and one to three digits, such as +1 or +49.`,
		);
	}
	return {
		events: readChoices(context.getNodeParameter('events', [])),
		callDetails: context.getNodeParameter('callDetails', true) !== false,
		reading: { mapping, countryCode },
		problems,
		verification: settings ? { scheme: 'standardWebhooks', ...settings } : { scheme: 'none' },
		deliveryDetails: options.deliveryDetails ?? false,
		requestSample: options.testEvent !== 'real',
	};
}

/** Evaluates each option but the mapping, where the editor makes expressions of pasted paths. */
function readOptions(context: IHookFunctions | IWebhookFunctions): IDataObject {
	const raw = context.getNodeParameter('options', {}, { rawExpressions: true }) as IDataObject;
	const evaluated = Object.keys(raw)
		.filter((name) => name !== 'callDetailsMapping')
		.map((name) => [name, context.getNodeParameter(`options.${name}`, null)] as const);
	return { ...raw, ...Object.fromEntries(evaluated) };
}
