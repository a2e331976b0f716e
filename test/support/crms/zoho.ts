import type { FastifyReply } from 'fastify';
import type { Crm, CrmRecord } from './crm';

/**
 * The parts of Zoho CRM that the example uses: https://www.zoho.com/crm/developer/docs/api/v2/get-records.html,
 * https://www.zoho.com/crm/developer/docs/api/v2/insert-records.html
 */
export function zoho(): Crm {
	type Fields = Record<string, string | undefined>;
	const contacts = new Map<string, Fields>();
	let records: CrmRecord[] = [];
	const add = (fields: Fields) => {
		const id = String(554023000000310000n + BigInt(contacts.size));
		contacts.set(id, fields);
		return id;
	};
	const respond = (reply: FastifyReply, isWrong: boolean, id = '1') => {
		void reply.code(isWrong ? 400 : 201);
		return {
			data: [{ ...(isWrong ? { status: 'error' } : { code: 'SUCCESS' }), details: { id } }],
		};
	};
	const first = (body: unknown) => (body as { data: Fields[] }).data[0] ?? {};
	return {
		reset(people) {
			contacts.clear();
			records = [];
			for (const { name, phone, mobile, email } of people) {
				add({ Last_Name: name, Phone: phone, Mobile: mobile, Email: email });
			}
		},
		people: () => Object.fromEntries(contacts),
		records: () => records,
		hosts: {
			'www.zohoapis.com': {
				'GET /crm/v2/contacts': (_request, reply) => {
					// Without contacts, the body is empty.
					if (contacts.size === 0) void reply.code(204);
					const data = [...contacts].map(([id, { First_Name, Last_Name, ...rest }]) => ({
						...{ id, ...rest, Full_Name: [First_Name, Last_Name].filter(Boolean).join(' ') },
					}));
					return { data, info: { more_records: false } };
				},
				'POST /crm/v2/contacts': ({ body }, reply) => {
					const fields: Fields = first(body);
					return respond(reply, !fields.Last_Name, fields.Last_Name && add(fields));
				},
				'POST /crm/v2/Calls': ({ body }, reply) => {
					const { Subject: title, Description: text, ...call } = first(body);
					const { id: person = '' } = call.Who_Id as never as { id?: string };
					const { Call_Start_Time: at = '', Call_Duration: duration = '' } = call;
					const isRead = /^[\d-]+T[\d:]+[+-]\d\d:\d\d$/.test(at) && /^\d+:\d\d$/.test(duration);
					if (isRead && contacts.has(person)) records.push({ person, title, text, at });
					return respond(reply, !isRead || !contacts.has(person));
				},
				'POST /crm/v2/Tasks': ({ body }, reply) => {
					const { Subject, Description } = first(body);
					records.push({ whose: `${Subject} ${Description}` });
					return respond(reply, false);
				},
			},
		},
	};
}
