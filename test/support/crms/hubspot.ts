import type { FastifyReply } from 'fastify';
import type { Crm, CrmRecord } from './crm';

/** The last ten digits of a number, without an extension. */
const national = (text = '') => text.replace(/\s*(x|ext).*|\D/g, '').slice(-10);

/**
 * The parts of HubSpot that the example uses: search, contacts, calls and tasks:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/search-the-crm,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/calls/guide,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/engagements
 */
export function hubspot(): Crm {
	type Properties = Record<string, string | undefined>;
	type Filter = { propertyName: string; operator: string; value?: string };
	type Search = {
		filterGroups: Array<{ filters: Filter[] }>;
		properties: string[];
		limit: number;
		sorts: [{ direction: string }];
	};
	type Call = {
		properties: Record<string, string | null>;
		associations: [{ to: { id: string }; types: [{ associationTypeId: string | number }] }];
	};
	type Task = { engagement: { type: string }; metadata: { subject: string; body: string } };
	const contacts = new Map<string, Properties>();
	let records: CrmRecord[] = [];
	const writable = ['phone', 'email', 'firstname', 'lastname'];
	const refuse = (reply: FastifyReply, message: string, status = 400) => {
		void reply.code(status);
		return { status: 'error', message, category: 'VALIDATION_ERROR' };
	};

	return {
		reset(people) {
			contacts.clear();
			records = [];
			for (const { name, phone, mobile, email } of people) {
				const properties = { lastname: name, phone, mobilephone: mobile, email };
				contacts.set(String(501 + contacts.size), properties);
			}
		},
		people: () => Object.fromEntries(contacts),
		records: () => records,
		hosts: {
			'api.hubapi.com': {
				'POST /crm/v3/objects/contacts/search': ({ body }, reply) => {
					const { filterGroups, properties, limit, sorts } = body as Search;
					const filters = filterGroups.flatMap((group) => group.filters);
					if (filterGroups.length > 3 || filters.some(({ value }) => !value))
						return refuse(reply, 'A filter has no value, or there are more than three groups');
					const results = [...contacts].filter(([, contact]) => {
						const known: Properties = {
							...contact,
							// Without the country code.
							hs_searchable_calculated_phone_number: national(contact.phone),
							hs_searchable_calculated_mobile_number: national(contact.mobilephone),
						};
						return filterGroups.some((group) =>
							group.filters.every(({ propertyName, operator, value = '' }) =>
								operator === 'CONTAINS_TOKEN'
									? known[propertyName]?.endsWith(value.replace(/^\*/, ''))
									: known[propertyName]?.toLowerCase() === value.toLowerCase(),
							),
						);
					});
					if (sorts[0].direction === 'DESCENDING') results.reverse();
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
					if (taken) return refuse(reply, 'Contact already exists', 409);
					if (wrong) return refuse(reply, `No property ${wrong}`);
					const id = String(501 + contacts.size);
					contacts.set(id, properties);
					void reply.code(201);
					return { id, properties, archived: false };
				},
				'POST /crm/v3/objects/calls': ({ body }, reply) => {
					const { properties, associations } = body as Call;
					const { hs_call_title: title, hs_call_body: text, hs_timestamp: at } = properties;
					const [{ to, types }] = associations;
					if (
						!title ||
						!text ||
						!at ||
						!contacts.has(to.id) ||
						`${types[0].associationTypeId}` !== '194'
					)
						return refuse(reply, 'A value is missing, or there is no such contact');
					records.push({ person: to.id, title, text, at });
					return { id: String(records.length), properties };
				},
				'POST /engagements/v1/engagements': ({ body }) => {
					const { metadata } = body as Task;
					records.push({ whose: `${metadata.subject} ${metadata.body}` });
					return { ...(body as object), engagement: { id: records.length } };
				},
			},
		},
	};
}
