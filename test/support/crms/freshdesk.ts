import { crmOf, isAddress } from './crm';

/**
 * The parts of Freshdesk that n8n's node uses: https://developers.freshdesk.com/api/#list_all_contacts,
 * https://developers.freshdesk.com/api/#create_contact, https://developers.freshdesk.com/api/#create_ticket
 *
 * What a contact needs: https://withone.ai/knowledge/freshdesk/conn_mod_def%3A%3AGJ2heS_xrAQ%3A%3AxC3Wk2iyQhK-v6zIITCuJg.
 * The stand-in demands a name, too.
 */
export function freshdesk() {
	type Contact = { name?: string; phone?: string; mobile?: string; email?: string };
	type Ticket = {
		requester_id?: number;
		email?: string;
		subject?: string;
		description?: string;
		status?: number;
	};
	return crmOf<Contact>(
		(position) => 801 + position,
		(person) => person,
		({ people, add, records }) => ({
			'acme.freshdesk.com': {
				// A page has 30 contacts, and a filter compares whole values: the first page above.
				'GET /api/v2/contacts': ({ query }) =>
					[...people]
						.filter(([, { phone }]) => phone === (query.phone ?? phone))
						.map(([id, contact]) => ({ id: Number(id), ...contact }))
						.slice(0, 30),
				'POST /api/v2/contacts': ({ body }, reply) => {
					const { name, phone, mobile, email } = body as Contact;
					const isWrong = !name || !(phone || mobile || email) || !isAddress(email);
					void reply.code(isWrong ? 400 : 201);
					return isWrong ? {} : { id: Number(add(body as Contact)), ...(body as Contact) };
				},
				'PUT /api/v2/contacts/:id': ({ params, body }, reply) => {
					if (!isAddress((body as Contact).email)) void reply.code(400);
					else Object.assign(people.get(params.id ?? '') ?? {}, body);
					return { id: params.id };
				},
				'POST /api/v2/tickets': ({ body }, reply) => {
					const { requester_id: id = 0, email, subject, description, status } = body as Ticket;
					const isWrong = !subject || !description || !status || !(email || people.has(`${id}`));
					void reply.code(isWrong ? 400 : 201);
					const whose = `${subject} ${description}`;
					if (!isWrong)
						records.push(
							email ? { whose } : { person: `${id}`, title: subject, text: description },
						);
					return { id: records.length };
				},
			},
		}),
	);
}
