import { crmOf } from './crm';

/**
 * The parts of Attio that the page about another CRM uses:
 * https://docs.attio.com/rest-api/endpoint-reference/standard-objects/people/list-person-records,
 * https://docs.attio.com/rest-api/endpoint-reference/notes/create-a-note,
 * https://docs.attio.com/rest-api/endpoint-reference/tasks/create-a-task. Numbers are lists, in E.164:
 * https://docs.attio.com/rest-api/attribute-types/attribute-types-phone-number.md. A task has at most 2,000
 * characters: https://withone.ai/knowledge/attio/conn_mod_def%3A%3AGJ0CchbSRbc%3A%3Am93snD2gRyC3NxGNhTSPEA
 */
export function attio() {
	type Values = { name?: Array<{ full_name: string }>; phone_numbers?: string[] };
	type Body = { data: Record<string, string> & { values: Values; is_completed?: boolean } };
	const shown = ([id, { phone_numbers = [], ...values }]: [string, Values]) => ({
		id: { workspace_id: 'w', object_id: 'people', record_id: id },
		values: {
			...values,
			phone_numbers: phone_numbers.map((number) => ({
				...{ attribute_type: 'phone-number', country_code: 'US' },
				...{ original_phone_number: number, normalized_phone_number: number },
			})),
		},
	});
	return crmOf<Values>(
		(position) => `p${position + 1}`,
		({ name, phone = '' }) => ({ name: [{ full_name: name }], phone_numbers: [phone] }),
		({ people, add, records }) => ({
			'api.attio.com': {
				'POST /v2/objects/people/records/query': ({ body }) => {
					const [, end = ''] = /"\$ends_with":"(.+?)"/.exec(JSON.stringify(body)) ?? [];
					const found = [...people].filter(([, { phone_numbers: numbers = [] }]) =>
						numbers.some((number) => number.endsWith(end)),
					);
					return { data: found.map(shown) };
				},
				'POST /v2/objects/people/records': ({ body }, reply) => {
					const { values } = (body as Body).data;
					const isWrong = !values.phone_numbers?.every((number) => /^\+\d+$/.test(number));
					void reply.code(isWrong ? 400 : 200);
					return isWrong ? {} : { data: shown([add(values), values]) };
				},
				'PATCH /v2/objects/people/records/:id': ({ params: { id = '' }, body }) => ({
					data: Object.assign(people.get(id) ?? {}, (body as Body).data.values),
				}),
				'POST /v2/notes': ({ body }, reply) => {
					const { parent_record_id: person = '', title, content: text } = (body as Body).data;
					if (people.has(person) && title && text) records.push({ person, title, text });
					else void reply.code(400);
					return { data: {} };
				},
				'POST /v2/tasks': ({ body }, reply) => {
					const { content = '', format, is_completed: isDone } = (body as Body).data;
					const isWrong = !content || content.length > 2000 || format !== 'plaintext' || isDone;
					if (isWrong) void reply.code(400);
					else records.push({ whose: content });
					return { data: {} };
				},
			},
		}),
	);
}
