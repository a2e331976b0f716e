import type { Crm } from './crm';

const digits = (text = '') => text.replace(/\D/g, '');

/**
 * HubSpot, as far as the example uses it. Search, contacts, calls:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/search-the-crm,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/calls/guide
 */
export function hubspot(): Crm {
	type Properties = Record<string, string | undefined>;
	type Filter = { propertyName: string; operator: 'EQ' | 'IN'; value?: string; values?: string[] };
	type Search = { filterGroups: Array<{ filters: Filter[] }>; properties: string[]; limit: number };
	type Call = { properties: Properties; associations: Array<{ to: { id: string } }> };
	const contacts = new Map<string, Properties>();
	let calls: Call[] = [];

	/** HubSpot keeps numbers without their country's code as well. */
	const national = (phone?: string) => phone && digits(phone).slice(-10);
	const calculated = (contact: Properties): Properties => ({
		...contact,
		hs_searchable_calculated_phone_number: national(contact.phone),
		hs_searchable_calculated_mobile_number: national(contact.mobilephone),
	});
	const find = <T extends Properties>(records: Array<[string, T]>, body: unknown) => {
		const { filterGroups, properties, limit } = body as Search;
		if (filterGroups.length > 5) throw new Error('HubSpot takes five groups of filters');
		const results = records.filter(([, record]) =>
			filterGroups.some(({ filters }) =>
				filters.every(({ propertyName, operator, value, values = [] }) => {
					const known = record[propertyName]?.toLowerCase();
					if (operator === 'EQ') return known === value?.toLowerCase();
					if (values.length === 0) throw new Error('HubSpot takes no empty list of values');
					return known !== undefined && values.includes(known);
				}),
			),
		);
		const shown = ([id, record]: [string, T]) => ({
			id,
			properties: Object.fromEntries(properties.map((name) => [name, record[name] ?? null])),
		});
		return { total: results.length, results: results.slice(0, limit).map(shown) };
	};

	return {
		know(people) {
			contacts.clear();
			calls = [];
			for (const { name, phone, mobile, email } of people) {
				const [firstname, lastname] = name.split(' ');
				contacts.set(String(501 + contacts.size), {
					firstname,
					lastname,
					phone,
					mobilephone: mobile,
					email,
				});
			}
		},
		people: () => Object.fromEntries(contacts),
		calls: () =>
			calls.map(({ properties, associations }) => ({
				callId: properties.hs_call_external_id,
				personId: associations[0]?.to.id,
			})),
		hosts: {
			'api.hubapi.com': {
				'POST /crm/v3/objects/contacts/search': ({ body }) =>
					find(
						[...contacts].map(([id, contact]) => [id, calculated(contact)]),
						body,
					),
				'POST /crm/v3/objects/contacts': ({ body }, reply) => {
					const { properties } = body as { properties: Properties };
					const email = properties.email?.toLowerCase();
					const taken = [...contacts].find(([, known]) =>
						[known.email, known.hs_additional_emails].some((each) => email && each === email),
					);
					if (taken) {
						void reply.code(409);
						const message = `Contact already exists. Existing ID: ${taken[0]}`;
						return { status: 'error', message, category: 'CONFLICT' };
					}
					const id = String(501 + contacts.size);
					contacts.set(id, properties);
					void reply.code(201);
					return { id, properties, archived: false };
				},
				'POST /crm/v3/objects/calls/search': ({ body }) =>
					find(
						calls.map(({ properties }, index) => [String(index), properties]),
						body,
					),
				'POST /crm/v3/objects/calls': ({ body }, reply) => {
					calls.push(body as Call);
					void reply.code(201);
					return { id: String(29090716 + calls.length), ...(body as object), archived: false };
				},
			},
		},
	};
}
