import type { FastifyReply } from 'fastify';
import { crmOf, isAddress } from './crm';

/**
 * The last ten digits of a number, without an extension. The number with its country is in another property:
 * https://gist.github.com/atymic/1104ae32c2bfee6604e1eb6cf68c4989
 */
const national = (text = '') => text.replace(/\s*(x|ext).*|\D/g, '').slice(-10);

/**
 * The parts of HubSpot that the example uses: search, contacts, calls and tasks:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/search-the-crm,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/calls/guide,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/engagements
 *
 * @param search after how long it finds a new contact (ms): "a few moments", says the first page
 */
export function hubspot(search: { lag: number }) {
	type Properties = Record<string, string | undefined>;
	type Filter = { propertyName: string; operator: string; value?: string };
	type Search = {
		filterGroups: Array<{ filters: Filter[] }>;
		properties: string[];
		limit: number;
		sorts: [{ direction: string }];
	};
	type People = ReadonlyMap<string, Properties>;
	type Call = {
		properties: Record<string, string | null>;
		associations: [{ to: { id: string }; types: [{ associationTypeId: string | number }] }];
	};
	type Task = {
		metadata: { subject: string; body: string };
		associations: { contactIds?: string[] };
	};
	/** When a contact was made by a request. */
	const made = new WeakMap<Properties, number>();
	/**
	 * The domain of an address must exist: https://github.com/mautic/mautic/pull/1074. A second contact of an
	 * address is refused: https://github.com/HubSpot/hubspot-api-python/issues/51.
	 */
	const refusedAddress = (people: People, email: string | undefined, id?: string) => {
		if (!isAddress(email) || (email && !/\.(com|net|org)$/i.test(email)))
			return [`Property values were not valid: INVALID_EMAIL`, 400] as const;
		const [taken] = [...people].find(
			([other, known]) =>
				email && other !== id && known.email?.toLowerCase() === email.toLowerCase(),
		) ?? [''];
		return taken && ([`Contact already exists. Existing ID: ${taken}`, 409] as const);
	};
	const writable = ['phone', 'email', 'firstname', 'lastname'];
	const refuse = (reply: FastifyReply, message: string, status = 400) => {
		void reply.code(status);
		return { status: 'error', message, category: 'VALIDATION_ERROR' };
	};

	return crmOf<Properties>(
		(position) => 501 + position,
		({ name, phone, mobile, email }) => ({ lastname: name, phone, mobilephone: mobile, email }),
		({ people, add, records }) => ({
			'api.hubapi.com': {
				'POST /crm/v3/objects/contacts/search': ({ body }, reply) => {
					const { filterGroups, properties, limit, sorts } = body as Search;
					const filters = filterGroups.flatMap((group) => group.filters);
					// https://docs.workato.com/en/connectors/hubspot/actions/search-record-batch.html
					if (filterGroups.length > 3 || filters.some(({ value }) => !value))
						return refuse(reply, 'A filter has no value, or there are more than three groups');
					const results = [...people].filter(([, contact]) => {
						if (Date.now() < (made.get(contact) ?? 0) + search.lag) return false;
						const known: Properties = {
							...contact,
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
					const refused = refusedAddress(people, properties.email);
					if (refused) return refuse(reply, refused[0], refused[1]);
					if (wrong) return refuse(reply, `No property ${wrong}`);
					// "At least one of email, firstname, or lastname", says the page on contacts.
					if (!properties.email && !properties.firstname && !properties.lastname)
						return refuse(reply, 'A contact needs a name or an address');
					made.set(properties, Date.now());
					void reply.code(201);
					return { id: add(properties), properties, archived: false };
				},
				'PATCH /crm/v3/objects/contacts/:id': ({ params: { id = '' }, body }, reply) => {
					const { properties } = body as { properties: Properties };
					const refused = refusedAddress(people, properties.email, id);
					if (refused) return refuse(reply, refused[0], refused[1]);
					Object.assign(people.get(id) ?? {}, properties);
					return { id, properties };
				},
				'POST /crm/v3/objects/calls': ({ body }, reply) => {
					const { properties, associations } = body as Call;
					const {
						hs_call_title: title,
						hs_call_body: text,
						hs_timestamp: at,
						...more
					} = properties;
					const [{ to, types }] = associations;
					if (
						!title ||
						!text ||
						!at ||
						// "Only HTTPS, secure URLs will be accepted", says the page on calls. 194 is from a call to a contact:
						// https://schemas.apis.io/schemas/hubspot/engagement-calls-api-association-input/
						!(more.hs_call_recording_url ?? 'https:').startsWith('https:') ||
						!people.has(to.id) ||
						`${types[0].associationTypeId}` !== '194'
					)
						return refuse(reply, 'A value is missing, or there is no such contact');
					records.push({ person: to.id, title, text, at, more });
					return { id: String(records.length), properties };
				},
				'POST /engagements/v1/engagements': ({ body }, reply) => {
					const { metadata, associations } = body as Task;
					const { contactIds: candidates = [] } = associations;
					if (candidates.some((id) => !people.has(id))) return refuse(reply, 'No such contact');
					const { subject: title, body: text } = metadata;
					records.push({ whose: `${title} ${text}`, title, text, candidates });
					return { ...(body as object), engagement: { id: records.length } };
				},
			},
		}),
	);
}
