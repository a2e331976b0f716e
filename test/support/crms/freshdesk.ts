import { type Crm, type CrmRecord, isAddress } from './crm';

/**
 * The parts of Freshdesk that n8n's node uses: https://developers.freshdesk.com/api/#list_all_contacts,
 * https://developers.freshdesk.com/api/#create_contact, https://developers.freshdesk.com/api/#create_ticket
 *
 * What a contact needs: https://withone.ai/knowledge/freshdesk/conn_mod_def%3A%3AGJ2heS_xrAQ%3A%3AxC3Wk2iyQhK-v6zIITCuJg.
 * The stand-in demands a name, too.
 */
export function freshdesk(): Crm {
	type Contact = { name?: string; phone?: string; mobile?: string; email?: string };
	type Ticket = {
		requester_id?: number;
		email?: string;
		subject?: string;
		description?: string;
		status?: number;
	};
	const contacts = new Map<number, Contact>();
	let records: CrmRecord[] = [];
	return {
		reset(people) {
			contacts.clear();
			records = [];
			for (const person of people) contacts.set(801 + contacts.size, person);
		},
		people: () => Object.fromEntries(contacts),
		records: () => records,
		hosts: {
			'acme.freshdesk.com': {
				// A page has 30 contacts, and a filter compares whole values: the first page above.
				'GET /api/v2/contacts': ({ query }) =>
					[...contacts]
						.filter(([, { phone }]) => phone === (query.phone ?? phone))
						.map(([id, contact]) => ({ id, ...contact }))
						.slice(0, 30),
				'POST /api/v2/contacts': ({ body }, reply) => {
					const { name, phone, mobile, email } = body as Contact;
					const id = 801 + contacts.size;
					const isWrong = !name || !(phone || mobile || email) || !isAddress(email);
					void reply.code(isWrong ? 400 : 201);
					if (!isWrong) contacts.set(id, body as Contact);
					return { id, ...(body as Contact) };
				},
				'PUT /api/v2/contacts/:id': ({ params, body }, reply) => {
					if (!isAddress((body as Contact).email)) void reply.code(400);
					else Object.assign(contacts.get(Number(params.id)) ?? {}, body);
					return { id: params.id };
				},
				'POST /api/v2/tickets': ({ body }, reply) => {
					const { requester_id: id = 0, email, subject, description, status } = body as Ticket;
					const isWrong = !subject || !description || !status || !(email || contacts.has(id));
					void reply.code(isWrong ? 400 : 201);
					const whose = `${subject} ${description}`;
					if (!isWrong)
						records.push(
							email ? { whose } : { person: `${id}`, title: subject, text: description },
						);
					return { id: records.length };
				},
			},
		},
	};
}
