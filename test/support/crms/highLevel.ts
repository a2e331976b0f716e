import { crmOf, isAddress } from './crm';

/**
 * The parts of HighLevel that the example uses: search, contacts and their notes:
 * https://marketplace.gohighlevel.com/docs/ghl/contacts/search-contacts-advanced,
 * https://marketplace.gohighlevel.com/docs/ghl/contacts/upsert-contact,
 * https://marketplace.gohighlevel.com/docs/ghl/contacts/create-note
 *
 * The header `Version` and the location are required:
 * https://withone.ai/knowledge/high-level/conn_mod_def%3A%3AGJ32PFySK7o%3A%3ApIRwm14jQPinGgKzJqeQiw.
 * That all numbers are in E.164, and the text of the error for an address, are assumptions: no public source found.
 */
export function highLevel() {
	type Contact = { name?: string; phone?: string; email?: string };
	type Search = { locationId: string; filters: [{ filters: Filter[] }] };
	type Filter = { field: 'phone' | 'email'; operator: string; value: string };
	/** The address of the contact for calls of nobody. */
	const WHOSE = 'whose-call@example.com';
	const crm = crmOf<Contact>(
		(position) => `ghl${position}`,
		({ name, phone = '', email }) => {
			const digits = phone.replace(/\s*ext.*|\D/g, '');
			const number = phone.startsWith('+') ? `+${digits}` : `+1${digits.slice(-10)}`;
			return { name, email, phone: phone && number };
		},
		({ people, add, records }) => ({
			'services.leadconnectorhq.com': {
				'POST /contacts/search': ({ body, headers }, reply) => {
					const { locationId, filters } = body as Search;
					if (!locationId || !headers.version) void reply.code(400);
					const found = [...people]
						.filter(([, contact]) =>
							filters[0].filters.some(({ field, value }) => contact[field] === value),
						)
						.map(([id, contact]) => ({ id, ...contact }));
					return { contacts: found, total: found.length };
				},
				// Finds by either: https://marketplace.gohighlevel.com/docs/ghl/contacts/contacts/index.html
				'POST /contacts/upsert/': ({ body }, reply) => {
					const { phone, email } = body as Contact;
					if ((!phone && !email) || !isAddress(email)) {
						void reply.code(422);
						return { message: ['email must be an email'] };
					}
					const [id = add({})] =
						[...people].find(
							([, each]) => (phone && phone === each.phone) || (email && email === each.email),
						) ?? [];
					const contact = Object.assign(people.get(id) ?? {}, body);
					return { contact: { id, ...contact, locationId: 'location' } };
				},
				'POST /contacts/:id/notes': ({ params, body }, reply) => {
					const { body: text } = body as { body: string };
					const contact = people.get(params.id ?? '');
					if (!contact) void reply.code(400);
					else if (contact.email === WHOSE) records.push({ whose: text });
					else records.push({ person: params.id, title: text.split('\n')[0], text });
					return { note: { id: String(records.length) } };
				},
			},
		}),
	);
	const isCustomer = ([, { email }]: [string, Contact]) => email !== WHOSE;
	const people = () => Object.fromEntries(Object.entries(crm.people()).filter(isCustomer));
	return { ...crm, people };
}
