import type { FastifyReply } from 'fastify';
import type { Crm, CrmRecord } from './crm';

/**
 * The parts of Pipedrive that n8n's node uses:
 * https://developers.pipedrive.com/docs/api/v1/Persons#searchPersons (version 1),
 * https://developers.pipedrive.com/docs/api/v1/Persons#addPerson,
 * https://developers.pipedrive.com/docs/api/v1/Activities#addActivity (version 2)
 */
export function pipedrive(): Crm {
	type Value = { value: string };
	type Person = { name: string; phones?: Value[]; emails?: Value[] };
	type Activity = {
		subject?: string;
		done?: boolean;
		due_date?: string;
		note?: string;
		public_description?: string;
		participants?: [{ person_id: number }];
	};
	const persons = new Map<number, Person>();
	/** The activities; the ID of the first is 1. */
	let activities: CrmRecord[] = [];
	const refuse = (reply: FastifyReply, error: string) => {
		void reply.code(400);
		return { success: false, error };
	};
	const textsOf = (values: Value[] = []) => values.map(({ value }) => value).filter(Boolean);
	return {
		reset(people) {
			persons.clear();
			activities = [];
			for (const { name, phone, mobile, email } of people) {
				const valuesOf = (...values: Array<string | undefined>) =>
					values.flatMap((value) => (value ? { value } : []));
				const person = { name, phones: valuesOf(phone, mobile), emails: valuesOf(email) };
				persons.set(701 + persons.size, person);
			}
		},
		people: () => Object.fromEntries(persons),
		logged: () => activities.flatMap(({ person }) => person ?? []),
		records: () => activities,
		hosts: {
			'api.pipedrive.com': {
				'GET /v1/persons/search': ({ query }, reply) => {
					const { term = '', fields = '', exact_match: exact } = query;
					if (term.length < 2) return refuse(reply, 'The term is too short');
					const items = [...persons]
						.map(([id, { name, phones, emails }]) => ({
							...{ id, type: 'person', name },
							...{ phones: textsOf(phones), emails: textsOf(emails) },
						}))
						.filter(({ phones, emails }) => {
							const searched = fields
								.split(',')
								.map((field) => ({ phone: phones, email: emails })[field]);
							return searched
								.flatMap((texts) => texts ?? [])
								.map((text) => text.toLowerCase())
								.some((text) =>
									exact === 'true'
										? text === term.toLowerCase()
										: text.includes(term.toLowerCase()),
								);
						})
						.map((item) => ({ result_score: 0.5, item }));
					return { success: true, data: { items } };
				},
				'POST /api/v2/persons': ({ body }, reply) => {
					if (!(body as Person).name) return refuse(reply, 'Name must be given');
					const id = 701 + persons.size;
					persons.set(id, body as Person);
					return { success: true, data: { id, ...(body as Person) } };
				},
				'POST /api/v2/activities': ({ body }, reply) => {
					const { due_date: date = '', participants = [], done, subject } = body as Activity;
					const [person] = participants.map(({ person_id: id }) => id);
					if (!/^\d{4}-\d\d-\d\d$/.test(date) || (person && !persons.has(person)))
						return refuse(reply, 'No such date or person');
					const whose = done ? undefined : subject;
					activities.push({ person: person ? String(person) : undefined, whose });
					return { success: true, data: { id: activities.length, ...(body as object) } };
				},
				'PATCH /api/v2/activities/:id': ({ params, body }, reply) => {
					const activity = activities[Number(params.id) - 1];
					if (!activity || Object.values(body as object).includes(null))
						return refuse(reply, 'No such activity, or a value is null');
					const { note: summary, public_description: outcome, due_date: at } = body as Activity;
					Object.assign(activity, JSON.parse(JSON.stringify({ outcome, summary, at })));
					return { success: true, data: { id: Number(params.id), ...(body as object) } };
				},
			},
		},
	};
}
