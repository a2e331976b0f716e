/** The options of call details in the editor. */
import type { INodeProperties } from 'n8n-workflow';

import { DETAILS } from './details';

export const mappingProperty: INodeProperties = {
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
				{
					displayName: 'Field Name or ID',
					name: 'path',
					type: 'options',
					typeOptions: { loadOptionsMethod: 'getEventFields', loadOptionsDependsOn: ['&detail'] },
					// A path stays valid that no recent event has.
					allowArbitraryValues: true,
					default: '',
					description:
						'The field of the event. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				},
			],
		},
	],
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
