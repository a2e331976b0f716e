import {
	NodeHelpers,
	type IDataObject,
	type IHookFunctions,
	type INode,
	type INodeParameters,
} from 'n8n-workflow';

import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { properties } from '../../nodes/VoiceAgent/delivery/triggerProperties';
import { readSettings, readValidSettings } from '../../nodes/VoiceAgent/delivery/triggerSettings';

const contextOf = (parameters: Record<string, unknown>) =>
	({
		getNodeParameter: (path: string, fallback: unknown) =>
			path
				.split('.')
				.reduce(
					(value: IDataObject | undefined, name) => value?.[name] as IDataObject,
					parameters as IDataObject,
				) ?? fallback,
	}) as unknown as IHookFunctions;
const read = (parameters: Record<string, unknown>) => readSettings(contextOf(parameters));

test.each([
	['*', []],
	[['call.started', '*'], []],
	['call.completed', ['call.completed']],
	[' call.completed , call.started,', ['call.completed', 'call.started']],
	[
		['call.completed', ' call.started ', '', 'call.started'],
		['call.completed', 'call.started'],
	],
])('publishing reads the chosen events %j as %j', (events, expected) => {
	expect(readValidSettings(contextOf({ events })).events).toEqual(expected);
});

test.each([undefined, null, '', [], [' ']])(
	'publishing fails for the chosen events %j',
	(events) => {
		expect(() => readValidSettings(contextOf({ events }))).toThrow('No events are chosen');
	},
);

test('without options, every setting has its default', () => {
	expect(read({})).toEqual({
		events: [],
		output: 'both',
		reading: { mapping: undefined, countryCode: undefined },
		problems: [],
		verifySignature: false,
		deliveryDetails: false,
		requestSample: true,
	});
});

/** The parameters of a workflow as n8n passes them, without fields that have no property. */
function resolved(parameters: INodeParameters): INodeParameters {
	const node = { typeVersion: 1.1, parameters } as INode;
	const description = new VoiceAgentTrigger().description;
	return NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description)!;
}

test('errors in mapping and country code are kept for publishing', () => {
	const fields = [
		{ detail: 'customer.phone', path: '={{ $json.data.tel }}' },
		{ detail: 'customer.name', path: 'data.first name' },
	];
	const options = { callDetailsMapping: { fields }, countryCode: ' +49 ' };
	const { reading, problems } = read(resolved({ options }));
	expect(reading.countryCode).toBe('+49');
	expect(reading.mapping?.({ data: { tel: '+4930123456' } })).toEqual({
		'customer.phone': '+4930123456',
		'customer.name': null,
	});
	expect(problems).toEqual([
		expect.stringMatching(
			/^The path of Customer Name in Call Details Mapping can't be read: data.first name\. /,
		),
	]);
	const wrong = read({ options: { countryCode: '0049' } });
	expect(wrong.reading).toEqual({});
	expect(wrong.problems).toEqual([
		"The country code can't be read: 0049. Write + and one to three digits, such as +1 or +49.",
	]);
	// The option has no value before the user types one.
	expect(read({ options: { countryCode: '' } }).problems).toEqual([]);
});
