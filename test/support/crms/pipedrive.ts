import type { FastifyReply } from 'fastify';
import { crmOf } from './crm';

/**
 * The parts of Pipedrive that n8n's node uses, in version 2:
 * https://developers.pipedrive.com/docs/api/v1/Persons#getPersons,
 * https://developers.pipedrive.com/docs/api/v1/Persons#addPerson,
 * https://developers.pipedrive.com/docs/api/v1/Persons#updatePerson,
 * https://developers.pipedrive.com/docs/api/v1/Activities#addActivity
 */
export function pipedrive() {
	type Value = { value: string };
	type Person = { name: string; phones?: Value[]; emails?: Value[] };
	type Activity = {
		subject?: string;
		done?: boolean;
		due_date?: string;
		note?: string;
		participants?: [{ person_id: number }];
	};
	const refuse = (reply: FastifyReply, error: string) => {
		void reply.code(400);
		return { success: false, error };
	};
	const valuesOf = (...values: Array<string | undefined>) =>
		values.flatMap((value) => (value ? { value } : []));
	return crmOf<Person>(
		(position) => 701 + position,
		({ name, phone, mobile, email }) => {
			return { name, phones: valuesOf(phone, mobile), emails: valuesOf(email) };
		},
		({ people, add, records }) => ({
			'api.pipedrive.com': {
				// A page has at most 500: https://pipedrive.readme.io/docs/core-api-concepts-pagination
				'GET /api/v2/persons': ({ query: { limit, cursor = '0' } }) => {
					const next = Number(cursor) + Math.min(Number(limit), 500);
					return {
						success: true,
						data: [...people]
							.slice(Number(cursor), next)
							.map(([id, person]) => ({ id: Number(id), ...person })),
						additional_data: { next_cursor: next < people.size ? String(next) : null },
					};
				},
				'POST /api/v2/persons': ({ body }, reply) => {
					if (!(body as Person).name) return refuse(reply, 'Name must be given');
					const id = Number(add(body as Person));
					return { success: true, data: { id, ...(body as Person) } };
				},
				'PATCH /api/v2/persons/:id': ({ params, body }) => {
					const person = people.get(params.id ?? '');
					return { success: true, data: Object.assign(person ?? {}, body) };
				},
				'POST /api/v2/activities': ({ body }, reply) => {
					const { due_date: at, participants, done, subject, note } = body as Activity;
					const person = participants?.[0].person_id;
					if ((at && !/^\d{4}-\d\d-\d\d$/.test(at)) || (done ? !people.has(`${person}`) : person))
						return refuse(reply, 'No such date or person');
					const whose = `${subject} ${note}`;
					records.push(done ? { person: `${person}`, title: subject, text: note, at } : { whose });
					return { success: true, data: { id: records.length, ...(body as object) } };
				},
			},
		}),
	);
}
