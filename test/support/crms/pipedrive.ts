import type { Crm } from './crm';

/**
 * Pipedrive, as far as the example uses it: version 2 of
 * https://developers.pipedrive.com/docs/api/v1/Persons#searchPersons, #addPerson,
 * https://developers.pipedrive.com/docs/api/v1/Activities#getActivities, #addActivity
 */
export function pipedrive(): Crm {
	type Value = { value: string };
	type Person = { name: string; phones?: Value[]; emails?: Value[] };
	type Activity = {
		note?: string;
		participants?: Array<{ person_id: number }>;
	};
	const persons = new Map<number, Person>();
	let activities: Activity[] = [];
	return {
		know(people) {
			persons.clear();
			activities = [];
			for (const { name, phone, mobile, email } of people) {
				const phones = [phone, mobile].flatMap((value) => (value ? [{ value }] : []));
				persons.set(701 + persons.size, { name, phones, emails: email ? [{ value: email }] : [] });
			}
		},
		people: () => Object.fromEntries(persons),
		calls: () =>
			activities.map(({ note, participants }) => ({
				callId: /Call ID: ([^<]+)/.exec(note ?? '')?.[1],
				personId: participants?.[0] && String(participants[0].person_id),
			})),
		hosts: {
			'api.pipedrive.com': {
				'GET /api/v2/persons/search': ({ query }) => {
					const items = [...persons]
						.map(([id, { name, phones = [], emails = [] }]) => ({
							id,
							name,
							phones: phones.map(({ value }) => value),
							emails: emails.map(({ value }) => value),
						}))
						.filter(({ phones, emails }) =>
							(query.fields === 'email' ? emails : phones).some(
								(value) => value.toLowerCase() === query.term?.toLowerCase(),
							),
						)
						.map((item) => ({ result_score: 0.5, item: { type: 'person', ...item } }));
					return { success: true, data: { items }, additional_data: { next_cursor: null } };
				},
				'POST /api/v2/persons': ({ body }) => {
					const id = 701 + persons.size;
					persons.set(id, body as Person);
					return { success: true, data: { id, ...(body as Person) } };
				},
				'GET /api/v2/activities': ({ query }) => {
					const data = activities
						.map((activity, index) => ({ id: index + 1, ...activity }))
						.filter(
							({ participants }) =>
								!query.person_id || String(participants?.[0]?.person_id) === query.person_id,
						);
					return { success: true, data, additional_data: { next_cursor: null } };
				},
				'POST /api/v2/activities': ({ body }) => {
					activities.push(body as Activity);
					return { success: true, data: { id: activities.length, ...(body as object) } };
				},
			},
		},
	};
}
