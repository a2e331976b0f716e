import { crmOf, type CrmPerson } from './crm';

/**
 * The parts of Zendesk that n8n's node uses: https://developer.zendesk.com/api-reference/ticketing/users/users/,
 * https://developer.zendesk.com/rest_api/docs/support/tickets. A search compares a part of any value:
 * https://developers.qodex.ai/integration-flows/zendesk-support-api/api-v2-users-5/search-users-14
 */
export function zendesk() {
	type Ticket = { comment: { body: string }; subject?: string; requester_id?: number };
	return crmOf<Partial<CrmPerson>>(
		(position) => 901 + position,
		(person) => person,
		({ people, add, records }) => ({
			'acme.zendesk.com': {
				'GET /api/v2/users/search.json': ({ query: { query = '' } }) => ({
					users: [...people]
						.filter(([, user]) => Object.values(user).some((value) => value?.includes(query)))
						.map(([id, user]) => ({ id: Number(id), role: 'end-user', ...user })),
				}),
				'POST /api/v2/users.json': ({ body }, reply) => {
					const { user } = body as { user: CrmPerson };
					void reply.code(user.name ? 201 : 422);
					return user.name ? { user: { id: Number(add(user)), ...user } } : {};
				},
				'PUT /api/v2/users/:file': ({ params: { file = '' }, body }) => {
					const { user } = body as { user: CrmPerson };
					return { user: Object.assign(people.get(file.replace('.json', '')) ?? {}, user) };
				},
				'POST /api/v2/tickets.json': ({ body }, reply) => {
					const { comment, subject: title, requester_id: id } = (body as { ticket: Ticket }).ticket;
					const text = comment.body;
					const isWrong = !text || (id !== undefined && !people.has(`${id}`));
					void reply.code(isWrong ? 422 : 201);
					if (!isWrong) records.push(id ? { person: `${id}`, title, text } : { whose: text });
					return { ticket: { id: records.length } };
				},
			},
		}),
	);
}
