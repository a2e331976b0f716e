import type { Crm } from './crm';

const digits = (text = '') => text.replace(/\D/g, '');

/**
 * The parts of HubSpot that the example uses: search, contacts and engagements:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/search-the-crm,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/engagements
 */
export function hubspot(): Crm {
	type Properties = Record<string, string | undefined>;
	type Filter = { propertyName: string; operator: string; value?: string };
	type Search = { filterGroups: Array<{ filters: Filter[] }>; properties: string[]; limit: number };
	type Engagement = {
		engagement: { type: string };
		metadata: object;
		associations: { contactIds: string[] };
	};
	const contacts = new Map<string, Properties>();
	let logged: string[] = [];
	const writable = ['phone', 'email', 'firstname', 'lastname'];
	const refused = (message: string) => ({ status: 'error', message, category: 'VALIDATION_ERROR' });

	return {
		reset(people) {
			contacts.clear();
			logged = [];
			for (const { name, phone, email } of people) {
				contacts.set(String(501 + contacts.size), { lastname: name, phone, email });
			}
		},
		people: () => Object.fromEntries(contacts),
		logged: () => logged,
		hosts: {
			'api.hubapi.com': {
				'POST /crm/v3/objects/contacts/search': ({ body }, reply) => {
					const { filterGroups, properties, limit } = body as Search;
					const filters = filterGroups.flatMap((group) => group.filters);
					if (filterGroups.length > 5 || filters.some(({ value }) => !value)) {
						void reply.code(400);
						return refused('A filter has no value, or there are more than five groups');
					}
					const results = [...contacts].filter(([, contact]) => {
						const known: Properties = {
							...contact,
							// Without the country code.
							hs_searchable_calculated_phone_number: digits(contact.phone).slice(-10),
						};
						return filterGroups.some((group) =>
							group.filters.every(
								({ propertyName, operator, value }) =>
									operator === 'EQ' && known[propertyName]?.toLowerCase() === value?.toLowerCase(),
							),
						);
					});
					return {
						total: results.length,
						results: results.slice(0, limit).map(([id, contact]) => ({
							id,
							properties: Object.fromEntries(
								properties.map((name) => [name, contact[name] ?? null]),
							),
						})),
					};
				},
				'POST /crm/v3/objects/contacts': ({ body }, reply) => {
					const { properties } = body as { properties: Properties };
					const wrong = Object.keys(properties).find((name) => !writable.includes(name));
					const taken = [...contacts.values()].some(
						({ email }) => email && email.toLowerCase() === properties.email?.toLowerCase(),
					);
					if (wrong ?? taken) {
						void reply.code(taken ? 409 : 400);
						return refused(taken ? 'Contact already exists' : `No property ${wrong}`);
					}
					const id = String(501 + contacts.size);
					contacts.set(id, properties);
					void reply.code(201);
					return { id, properties, archived: false };
				},
				'POST /engagements/v1/engagements': ({ body }, reply) => {
					const { engagement, associations } = body as Engagement;
					const ids = associations.contactIds.map(String);
					if (engagement.type !== 'CALL' || !ids.every((id) => contacts.has(id))) {
						void reply.code(400);
						return refused('No such contact or type');
					}
					logged.push(...ids);
					return { ...(body as object), engagement: { id: 29090716 + logged.length } };
				},
			},
		},
	};
}
