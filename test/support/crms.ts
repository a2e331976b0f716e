import type { Routes } from './standIn';

/**
 * HubSpot, as far as the example uses it. Contacts and calls:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/calls/guide
 */
export function hubspot(): Record<string, Routes> {
	type Properties = Record<string, string>;
	type Search = {
		filterGroups: Array<{ filters: Array<{ propertyName: string; value: string }> }>;
	};
	const contacts: Array<{ id: string; properties: Properties }> = [];
	let calls = 0;
	return {
		'api.hubapi.com': {
			'POST /crm/v3/objects/contacts/search': ({ body }) => {
				const { filterGroups } = body as Search;
				const results = contacts.filter(({ properties }) =>
					filterGroups.some(({ filters }) =>
						filters.every(({ propertyName, value }) => properties[propertyName] === value),
					),
				);
				return { total: results.length, results };
			},
			'POST /crm/v3/objects/contacts': ({ body }, reply) => {
				const { properties } = body as { properties: Properties };
				const contact = { id: String(501 + contacts.length), properties, archived: false };
				contacts.push(contact);
				void reply.code(201);
				return contact;
			},
			'POST /crm/v3/objects/calls': ({ body }, reply) => {
				const { properties } = body as { properties: Properties };
				void reply.code(201);
				return { id: String(29090716 + calls++), properties, archived: false };
			},
		},
	};
}

/**
 * Pipedrive, as far as the example uses it:
 * https://developers.pipedrive.com/docs/api/v1/Persons#searchPersons (version 2), #addPerson,
 * https://developers.pipedrive.com/docs/api/v1/Activities#addActivity
 */
export function pipedrive(): Record<string, Routes> {
	type Person = { name: string; phones: Array<{ value: string }> };
	const persons: Array<Person & { id: number }> = [];
	let activities = 0;
	return {
		'api.pipedrive.com': {
			'GET /api/v2/persons/search': ({ query }) => {
				const items = persons
					.filter(({ phones }) => phones.some(({ value }) => value === query.term))
					.map(({ id, name, phones }) => ({
						result_score: 0.5,
						item: { id, type: 'person', name, phones: phones.map(({ value }) => value) },
					}));
				return { success: true, data: { items }, additional_data: { next_cursor: null } };
			},
			'POST /api/v2/persons': ({ body }) => {
				const person = { id: 701 + persons.length, ...(body as Person) };
				persons.push(person);
				return { success: true, data: person };
			},
			'POST /api/v2/activities': ({ body }) => ({
				success: true,
				data: { id: 1 + activities++, ...(body as object) },
			}),
		},
	};
}

/**
 * Salesforce, as far as the example uses it. It finds the contacts by any value that the query names,
 * and gives the least ID of theirs. Signing in, queries, records:
 * https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_jwt_flow.htm,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/resources-query,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/dome-sobject-create
 */
export function salesforce(): Record<string, Routes> {
	type Fields = { Phone: string };
	const contacts: Array<Fields & { Id: string }> = [];
	let tasks = 0;
	const created = (id: string) => ({ id, success: true, errors: [] });
	return {
		'login.salesforce.com': {
			'POST /services/oauth2/token': () => ({
				access_token: 'session-of-the-test',
				instance_url: 'https://acme.my.salesforce.com',
				token_type: 'Bearer',
			}),
		},
		'acme.my.salesforce.com': {
			'GET /services/data/v59.0/query': ({ query }) => {
				const [contactId = null] = contacts
					.filter(({ Phone }) => query.q?.includes(`'${Phone}'`))
					.map(({ Id }) => Id)
					.sort();
				// An aggregate without groups has one row, be anything found or not.
				const records = [{ attributes: { type: 'AggregateResult' }, contactId }];
				return { totalSize: 1, done: true, records };
			},
			'POST /services/data/v59.0/sobjects/contact': ({ body }, reply) => {
				const Id = `003RO0000035WQ${contacts.length}YAM`;
				contacts.push({ Id, ...(body as Fields) });
				void reply.code(201);
				return created(Id);
			},
			'POST /services/data/v59.0/sobjects/task': (_request, reply) => {
				void reply.code(201);
				return created(`00TRO000001jK${tasks++}8YAA`);
			},
		},
	};
}
