import type { Crm, CrmRecord } from './crm';

/**
 * The parts of HighLevel that n8n's node uses: https://highlevel.stoplight.io/docs/integrations/,
 * contacts (upsert, update) and their notes.
 */
export function highLevel(): Crm {
	type Contact = { id: string; name?: string; phone?: string; email?: string };
	let contacts: Contact[] = [];
	let records: CrmRecord[] = [];
	return {
		reset(people) {
			records = [];
			contacts = people.map((person, index) => ({ id: `ghl${index}`, ...person }));
		},
		people: () => Object.fromEntries(contacts.map(({ id, ...contact }) => [id, contact])),
		records: () => records,
		hosts: {
			'services.leadconnectorhq.com': {
				'POST /contacts/upsert/': ({ body }, reply) => {
					const { phone, email } = body as Contact;
					if (!phone && !email) {
						void reply.code(422);
						return { message: ['email or phone is required'] };
					}
					let contact = contacts.find((each) => phone === each.phone && email === each.email);
					contact ??= contacts.find((each) =>
						phone ? phone === each.phone : email === each.email,
					);
					if (!contact) contacts.push((contact = { id: `ghl${contacts.length}` }));
					Object.assign(contact, body);
					const [firstName, lastName] = contact.name?.split(' ') ?? [];
					return { contact: { ...contact, firstName, lastName, locationId: 'location' } };
				},
				'POST /contacts/:id/notes': ({ params, body }) => {
					const { body: text } = body as { body: string };
					records.push({ person: params.id, title: text.split('\n')[0], text });
					return { note: { id: String(records.length) } };
				},
				'PUT /contacts/:id/': ({ params, body }) => {
					const contact = contacts.find(({ id }) => id === params.id);
					return { contact: Object.assign(contact ?? {}, body) };
				},
			},
		},
	};
}
