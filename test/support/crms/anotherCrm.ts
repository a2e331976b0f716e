/** What the page about another CRM says to set in n8n's nodes. */
import { read } from '../documents';

interface Field {
	/** Whether it is behind a button such as _Add Field_. */
	isAdded: boolean;
	label: string;
	/** In backticks if it is pasted. */
	value: string;
}
export interface NodeOfPage {
	name: string;
	action: string;
	fields: Field[];
}

/** Where a field of a node is, by its label. */
export const parameterOf: Record<string, string> = {
	...{ Name: 'name', Phone: 'phone', Email: 'email', Query: 'query', Status: 'status' },
	...{ 'Contact ID': 'contactId', 'User ID': 'id', 'Requester Identification': 'requester' },
	...{ Value: 'requesterIdentificationValue', Subject: 'subject', Description: 'description' },
	...{ 'JSON Parameters': 'jsonParameters', 'Additional Fields': 'additionalFieldsJson' },
};

/** Reads a cell such as ``Name, + Phone: `…` ``. */
const fieldsOf = (set: string) =>
	[...set.matchAll(/(\+ )?([A-Z][\w ]*)(?:: (`[^`]*`|[\w ]+))?(?=,|$)/g)].map(
		([, plus, label = '', value = '']): Field => ({ isAdded: plus !== undefined, label, value }),
	);

const [freshdesk = [], zendesk = []] = read('docs/another-crm.md')
	.split('\n| Node |')
	.slice(1)
	.map((table) =>
		[...table.matchAll(/^\| ([A-Z][\w ]+) \| (.+?) \| (.+?) \|$/gm)].map(
			([, name = '', action = '', set = '']): NodeOfPage => ({
				name,
				action,
				fields: fieldsOf(set),
			}),
		),
	);
for (const { name, fields } of zendesk) {
	const above = freshdesk.find((node) => node.name === name)?.fields ?? [];
	// "A field without a value has that of the table above."
	for (const field of fields)
		field.value ||= above.find(({ label }) => label === field.label)?.value ?? '';
}

/** The nodes of the page's tables. */
export const nodesOfPage = { Freshdesk: freshdesk, Zendesk: zendesk };
