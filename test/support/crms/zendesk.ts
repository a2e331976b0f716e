import type { Crm, CrmPerson, CrmRecord } from './crm';

/**
 * The parts of Zendesk that n8n's node uses: https://developer.zendesk.com/api-reference/ticketing/users/users/,
 * https://developer.zendesk.com/rest_api/docs/support/tickets. A search compares a part of any value:
 * https://developers.qodex.ai/integration-flows/zendesk-support-api/api-v2-users-5/search-users-14
 */
export function zendesk(): Crm {
	type Ticket = { comment: { body: string }; subject?: string; requester_id?: number };
	const users = new Map<number, Partial<CrmPerson>>();
	let records: CrmRecord[] = [];
	return {
		reset(people) {
			users.clear();
			records = [];
			for (const person of people) users.set(901 + users.size, person);
		},
		people: () => Object.fromEntries(users),
		records: () => records,
		hosts: {
			'acme.zendesk.com': {
				'GET /api/v2/users/search.json': ({ query: { query = '' } }) => ({
					users: [...users]
						.filter(([, user]) => Object.values(user).some((value) => value?.includes(query)))
						.map(([id, user]) => ({ id, role: 'end-user', ...user })),
				}),
				'POST /api/v2/users.json': ({ body }, reply) => {
					const { user } = body as { user: CrmPerson };
					const id = 901 + users.size;
					void reply.code(user.name ? 201 : 422);
					if (user.name) users.set(id, user);
					return { user: { id, ...user } };
				},
				'PUT /api/v2/users/:file': ({ params: { file = '' }, body }) => {
					const { user } = body as { user: CrmPerson };
					return { user: Object.assign(users.get(parseInt(file)) ?? {}, user) };
				},
				'POST /api/v2/tickets.json': ({ body }, reply) => {
					const { comment, subject: title, requester_id: id } = (body as { ticket: Ticket }).ticket;
					const text = comment.body;
					const isWrong = !text || (id !== undefined && !users.has(id));
					void reply.code(isWrong ? 422 : 201);
					if (!isWrong) records.push(id ? { person: `${id}`, title, text } : { whose: text });
					return { ticket: { id: records.length } };
				},
			},
		},
	};
}
