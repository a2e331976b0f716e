import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import type { DetailOptions } from '../callDetails/callDetails';
import { parseCountryCode } from '../callDetails/countryCode';
import { parsePath, readMapping } from '../callDetails/mapping';
import { readSelection } from '../events/names';
import { readChoices, readText } from '../text/json';
import { readFilter } from './callFilter';

/** What an item holds: the event, its call details, both, or the call details as a row of a table. */
export type Output = 'both' | 'details' | 'event' | 'row';

/** The trigger's parameters, with their defaults. */
export type Settings = ReturnType<typeof readSettings>;

/** The trigger's parameters that decide about a delivery. */
export type DeliverySettings = Omit<Settings, 'problem' | 'requestTest' | 'showLatest'>;

/**
 * Reads the parameters of a trigger for its lifecycle.
 *
 * @returns the settings, whose event types are empty for every event type
 * @throws NodeOperationError if the mapping or the country code is wrong; UserError if no events are chosen of the
 *   service's list
 */
export function readValidSettings(
	context: ParameterReader & Pick<IHookFunctions, 'getNode'>,
): Settings {
	const settings = readSettings(context);
	const { problem, isPasted, events } = settings;
	if (problem) throw new NodeOperationError(context.getNode(), problem);
	return { ...settings, events: isPasted ? events : readSelection(events) };
}

/** Reads the parameters of a trigger, with their expressions. */
export interface ParameterReader {
	getNodeParameter(name: string, byDefault: unknown, options?: { rawExpressions: true }): unknown;
	getTimezone(): string;
}

/**
 * Reads the parameters of a trigger for a delivery.
 *
 * @param parse reads the path of a mapping
 */
export function readSettings(context: ParameterReader, parse = parsePath) {
	const raw = context.getNodeParameter('options', {}, { rawExpressions: true }) as IDataObject;
	const option = (name: string) =>
		name in raw ? context.getNodeParameter(`options.${name}`, null) : undefined;
	const isPasted = context.getNodeParameter('registration', 'automatic') === 'manual';
	const { mapping, problem } = readMapping(raw.callDetailsMapping, parse);
	const written = readText(option('countryCode'));
	const countryCode = parseCountryCode(written);
	const eachCollected = option('collectedColumns') === 'each';
	const isWrong = written !== '' && countryCode === undefined;
	const wrongCode = `'Country Code' can't be read: ${written}. Write + and one to three digits, such as +1 or +49.`;
	const timezone = context.getTimezone();
	const detailOptions: DetailOptions = { mapping, countryCode, timezone, eachCollected };
	return {
		/** How call details are read. */
		detailOptions,
		/** The first error in the mapping or the country code, see {@link readValidSettings}. */
		problem: problem ?? (isWrong ? wrongCode : undefined),
		/** The selected event types. */
		events: readChoices(context.getNodeParameter(isPasted ? 'eventNames' : 'events', [])),
		/** Whether a person pastes the webhook: there is no catalog, and each stated event type is known. */
		isPasted,
		output: context.getNodeParameter('output', 'both') as Output,
		/** The conditions that a call must meet. */
		onlyCalls: readFilter(option('onlyCalls')),
		/** Whether a delivery must have a valid signature. */
		verifySignature: !isPasted && option('verifySignature') === true,
		/** Whether to add the field `delivery`: ID, event type, time and headers of the delivery. */
		deliveryDetails: Boolean(option('deliveryDetails')),
		/** Whether a test listener asks the service for a test event. */
		requestTest: !isPasted && option('testEvent') !== 'real',
		/** Whether a test execution shows the newest event of the service's log in place of the test event. */
		showLatest: !isPasted && option('testEvent') === 'latest',
	};
}
