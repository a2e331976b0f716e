/** The options for call details in the editor. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { DETAILS } from '../callDetails/details';

/** The field with further options, which the user adds. */
export const optionsField = (options: INodeProperties['options']): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options,
});

/** Makes properties without the switch for an expression in the editor. */
export const withoutExpressions = (properties: INodeProperties[]): INodeProperties[] =>
	properties.map((property) => ({ noDataExpression: true, ...property }));

/** A choice of the parameter Output. */
export const ROW_OUTPUT: INodePropertyOptions = {
	name: 'Table Row',
	value: 'row',
	description: 'A flat item whose fields are columns. What is unknown has no field.',
};

/** The choices of what an event's item holds. */
export const OUTPUTS: INodePropertyOptions[] = [
	{ name: 'Call Details Only', value: 'details' },
	{ name: 'Event and Call Details', value: 'both' },
	{ name: 'Event Only', value: 'event' },
	ROW_OUTPUT,
];

const FIELD: INodeProperties = {
	displayName: 'Field Name or ID',
	name: 'path',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getEventFields', loadOptionsDependsOn: ['&detail'] },
	// A path stays valid that no recent event has.
	allowArbitraryValues: true,
	default: '',
	description:
		'The field of the event. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** Makes the option Call Details Mapping with a field for the path. */
const mappingWith = (path: INodeProperties): INodeProperties => ({
	displayName: 'Call Details Mapping',
	name: 'callDetailsMapping',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Field',
	default: {},
	description:
		'Where a call detail stands in the events of your service. A mapped detail is read from there and from nowhere else.',
	options: [
		{
			displayName: 'Fields',
			name: 'fields',
			values: [
				{
					displayName: 'Detail',
					name: 'detail',
					type: 'options',
					noDataExpression: true,
					options: Object.entries(DETAILS)
						.map(([value, { label }]) => ({ name: label, value }))
						.sort((a, b) => (a.name < b.name ? -1 : 1)),
					default: 'customer.phone',
					description: 'The field of "callDetails". Two rows for a name are joined with a space.',
				},
				path,
			],
		},
	],
});

export const mappingProperty = mappingWith(FIELD);

/** The option for the items of other nodes, whose fields a person drags into it. */
export const itemMappingProperty = mappingWith({
	displayName: 'Field',
	name: 'path',
	type: 'string',
	default: '',
	placeholder: 'e.g. body.caller.number',
	description: 'The field of the item: drag it here from the input, or type its path',
});

/** The option for the output Table Row. */
export const collectedProperty: INodeProperties = {
	displayName: 'Columns for Collected Data',
	name: 'collectedColumns',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'One Column',
			value: 'one',
			description: 'The column collected, with a line for each value',
		},
		{
			name: 'One for Each Value',
			value: 'each',
			description: 'Columns such as collected_appointment_day',
		},
	],
	default: 'one',
	description: 'Where a row holds what the agent collected in the call',
	displayOptions: { show: { '/output': ['row'] } },
};

export const countryCodeProperty: INodeProperties = {
	displayName: 'Country Code',
	name: 'countryCode',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. +1',
	description:
		'The country of phone numbers that the service sends without one: with +49, 0301234567 becomes +49301234567',
};

/** The option Only Calls That Match. */
export const filterProperty: INodeProperties = {
	displayName: 'Only Calls That Match',
	name: 'onlyCalls',
	type: 'fixedCollection',
	placeholder: 'Add Filter',
	default: {},
	description:
		'Start the workflow only for calls that meet all of these conditions, which saves executions. An event that does not state a detail starts it.',
	options: [
		{
			displayName: 'Filter',
			name: 'filter',
			values: withoutExpressions([
				{
					displayName: 'Agents',
					name: 'agents',
					type: 'string',
					default: '',
					placeholder: 'e.g. Reception, agent_42, +14155550199',
					description:
						'Names, IDs or phone numbers of agents, separated by commas. Empty means every agent. If your events hold only IDs of agents, enter IDs.',
				},
				{
					displayName: 'Direction',
					name: 'direction',
					type: 'options',
					options: [
						{ name: 'Any', value: 'any' },
						{ name: 'Inbound', value: 'inbound' },
						{ name: 'Outbound', value: 'outbound' },
					],
					default: 'any',
					description: 'Whether the customer called, or was called',
				},
				{
					displayName: 'Has Customer',
					name: 'hasPerson',
					type: 'boolean',
					default: false,
					description: 'Whether to leave out calls with a hidden number, and calls from a website',
				},
				{
					displayName: 'Minimum Seconds',
					name: 'minDurationSeconds',
					type: 'number',
					typeOptions: { minValue: 0 },
					default: 0,
					description: 'Leave out shorter calls. 0 means every duration.',
				},
				{
					displayName: 'Outcomes',
					name: 'outcomes',
					type: 'string',
					default: '',
					placeholder: 'e.g. appointment_booked',
					description:
						'Outcomes as the events state them, separated by commas. Empty means every outcome.',
				},
			]),
		},
	],
};
