import type { FastifyReply } from 'fastify';
import type { Crm, CrmRecord } from './crm';

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
	type Search = {
		filterGroups: Array<{ filters: Filter[] }>;
		properties: string[];
		limit: number;
		sorts: [{ direction: string }];
	};
	type Engagement = {
		engagement: { type: string };
		metadata: { subject?: string; body?: string };
		associations: { contactIds?: string[] };
	};
	const contacts = new Map<string, Properties>();
	/** The calls; the ID of the first is 1. */
	let calls: CrmRecord[] = [];
	let whose: string | undefined;
	const writable = ['phone', 'email', 'firstname', 'lastname'];
	const refuse = (reply: FastifyReply, message: string, status = 400) => {
		void reply.code(status);
		return { status: 'error', message, category: 'VALIDATION_ERROR' };
	};

	return {
		reset(people) {
			contacts.clear();
			calls = [];
			whose = undefined;
			for (const { name, phone, mobile, email } of people) {
				const properties = { lastname: name, phone, mobilephone: mobile, email };
				contacts.set(String(501 + contacts.size), properties);
			}
		},
		people: () => Object.fromEntries(contacts),
		logged: () => calls.flatMap(({ person }) => person ?? []),
		records: () => calls,
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
							hs_searchable_calculated_phone_number: digits(contact.phone).slice(-10),
							hs_searchable_calculated_mobile_number: digits(contact.mobilephone).slice(-10),
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
				'POST /engagements/v1/engagements': ({ body }, reply) => {
					const { engagement, metadata, associations } = body as Engagement;
					const [person] = (associations.contactIds ?? []).map(String);
					if (person && !contacts.has(person)) return refuse(reply, 'No such contact');
					if (engagement.type === 'TASK') {
						whose = `${metadata.subject} ${metadata.body}`;
						return { ...(body as object), engagement: { id: 29090716 } };
					}
					calls.push({ person, whose, summary: metadata.body || undefined });
					whose = undefined;
					return { ...(body as object), engagement: { id: calls.length } };
				},
				'PATCH /crm/v3/objects/calls/:id': ({ params, body }, reply) => {
					const call = calls[Number(params.id) - 1];
					const { properties } = body as { properties: Record<string, string | null> };
					if (!call || Object.values(properties).includes(null))
						return refuse(reply, 'No such call, or a value is null');
					const { hs_call_title: outcome, hs_call_body: summary, hs_timestamp: at } = properties;
					Object.assign(call, JSON.parse(JSON.stringify({ outcome, summary, at })));
					return { id: params.id, properties };
				},
			},
		},
	};
}
