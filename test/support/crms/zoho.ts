import type { FastifyReply } from 'fastify';
import { crmOf, isAddress } from './crm';

/**
 * The parts of Zoho CRM that the example uses: https://www.zoho.com/crm/developer/docs/api/v2/get-records.html,
 * https://www.zoho.com/crm/developer/docs/api/v2/insert-records.html,
 * https://www.zoho.com/crm/developer/docs/api/v2/update-specific-record.html. `INVALID_DATA` is the error for a text
 * that is longer than its field, or no address. Fields have lengths:
 * https://help.zoho.com/portal/en/community/topic/kaizen-1-fields-in-crm-api-18-10-2019. Their numbers here are those
 * of Salesforce, and the form of a call's duration is that of https://gist.github.com/jeznag/0baf6f2fe9f54857bfb7.
 */
export function zoho() {
	type Fields = Record<string, string | undefined>;
	const respond = (reply: FastifyReply, isWrong: boolean, id = '1') => {
		void reply.code(isWrong ? 400 : 201);
		return {
			data: [{ ...(isWrong ? { status: 'error' } : { code: 'SUCCESS' }), details: { id } }],
		};
	};
	const first = (body: unknown) => (body as { data: Fields[] }).data[0] ?? {};
	const lengths = { Last_Name: 80, First_Name: 40, Subject: 255, Description: 32_000 };
	const isInvalid = (fields: Fields) =>
		!isAddress(fields.Email) ||
		Object.entries(lengths).some(([name, most]) => (fields[name] ?? '').length > most);
	return crmOf<Fields>(
		(position) => 554023000000310000n + BigInt(position),
		({ name, phone, mobile, email }) => {
			return { Last_Name: name, Phone: phone, Mobile: mobile, Email: email };
		},
		({ people, add, records }) => ({
			'www.zohoapis.com': {
				'GET /crm/v2/contacts': ({ query }, reply) => {
					// A page has at most 200, says the first page. Without contacts, the body is empty: no public source found.
					if (people.size === 0) void reply.code(204);
					const [size, page] = [Math.min(Number(query.per_page), 200), Number(query.page)];
					const data = [...people]
						.slice(size * (page - 1), size * page)
						.map(([id, { First_Name, Last_Name, ...rest }]) => ({
							...{ id, ...rest, Full_Name: [First_Name, Last_Name].filter(Boolean).join(' ') },
						}));
					return { data, info: { more_records: people.size > size * page } };
				},
				'POST /crm/v2/contacts': ({ body }, reply) => {
					const fields: Fields = first(body);
					const isWrong = !fields.Last_Name || isInvalid(fields);
					return respond(reply, isWrong, isWrong ? undefined : add(fields));
				},
				'PUT /crm/v2/contacts/:id': ({ params: { id = '' }, body }, reply) => {
					const isWrong = isInvalid(first(body));
					if (!isWrong) Object.assign(people.get(id) ?? {}, first(body));
					return respond(reply, isWrong, id);
				},
				'POST /crm/v2/Calls': ({ body }, reply) => {
					const { Subject: title, Description: text, ...call } = first(body);
					const { id: person = '' } = call.Who_Id as never as { id?: string };
					const { Call_Start_Time: at = '', Call_Duration: duration = '' } = call;
					const isRead = /^[\d-]+T[\d:]+[+-]\d\d:\d\d$/.test(at) && /^\d+:\d\d$/.test(duration);
					const isWrong = !isRead || !people.has(person) || isInvalid(first(body));
					if (!isWrong) records.push({ person, title, text, at });
					return respond(reply, isWrong);
				},
				'POST /crm/v2/Tasks': ({ body }, reply) => {
					const { Subject, Description } = first(body);
					const isWrong = isInvalid(first(body));
					if (!isWrong) records.push({ whose: `${Subject} ${Description}` });
					return respond(reply, isWrong);
				},
			},
		}),
	);
}
