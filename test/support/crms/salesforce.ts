import { crmOf, isAddress } from './crm';

/**
 * The parts of Salesforce that the example uses: authentication, queries and records:
 * https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_jwt_flow.htm,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/resources-query,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/dome-sobject-create
 *
 * The lengths of fields, and the errors for a longer text, a date with a time or a wrong address:
 * https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_contact.htm,
 * https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_task.htm,
 * https://developer.salesforce.com/docs/atlas.en-us.api.meta/api/sforce_api_calls_concepts_core_data_objects.htm
 */
export function salesforce() {
	type Fields = Record<string, unknown>;
	const data = '/services/data/v59.0';
	const lengths = { LastName: 80, FirstName: 40, Subject: 255, Description: 32_000 };
	/** @returns the code of the error, if Salesforce refuses a record */
	const refusalOf = (fields: Fields) => {
		const text = (name: string) => (fields[name] as string | undefined) ?? '';
		if (Object.entries(lengths).some(([name, most]) => text(name).length > most))
			return 'STRING_TOO_LONG';
		if (!isAddress(text('Email'))) return 'INVALID_EMAIL_ADDRESS';
		const isDate = /^(\d{4}-\d\d-\d\d)?$/.test(text('ActivityDate'));
		return isDate ? undefined : 'JSON_PARSER_ERROR';
	};
	return crmOf<Fields>(
		(position) => `003RO000003${String(position).padStart(4, '0')}YAM`,
		({ name, phone, mobile, email }) => {
			return { LastName: name, Phone: phone, MobilePhone: mobile, Email: email };
		},
		({ people, add, records }) => ({
			'login.salesforce.com': {
				'POST /services/oauth2/token': () => ({
					access_token: 'session-of-the-test',
					instance_url: 'https://acme.my.salesforce.com',
					token_type: 'Bearer',
				}),
			},
			'acme.my.salesforce.com': {
				[`GET ${data}/query`]: ({ query }) => {
					const [, fields = '', condition = ''] =
						/^SELECT (.+) FROM Contact WHERE ([^]+)$/.exec(query.q ?? '') ?? [];
					const found = [...people]
						.map(([Id, contact]): Fields => ({ Id, ...contact, Name: nameOf(contact) }))
						.filter((contact) => condition.split(' OR ').some((part) => isMet(part, contact)));
					const shown = (contact: Fields) =>
						fields.split(', ').map((field) => [field, contact[field] ?? null]);
					return {
						done: true,
						records: found.map((each) => Object.fromEntries(shown(each)) as Fields),
					};
				},
				[`POST ${data}/sobjects/contact`]: ({ body }, reply) => {
					const { LastName } = body as Fields;
					const errorCode = LastName ? refusalOf(body as Fields) : 'REQUIRED_FIELD_MISSING';
					void reply.code(errorCode ? 400 : 201);
					if (errorCode) return [{ errorCode }];
					return { id: add(body as Fields), success: true, errors: [] };
				},
				[`PATCH ${data}/sobjects/contact/:id`]: ({ params: { id = '' }, body }, reply) => {
					const errorCode = refusalOf(body as Fields);
					void reply.code(errorCode ? 400 : 204);
					if (!errorCode) Object.assign(people.get(id) ?? {}, body);
					return [{ errorCode }];
				},
				[`POST ${data}/sobjects/task`]: ({ body }, reply) => {
					const task = body as Record<string, string | undefined>;
					const { WhoId: person, Subject: title, Description: text, ActivityDate: at } = task;
					const isDone = task.Status === 'Completed';
					const isWrong = isDone ? !people.has(person ?? '') : person !== undefined;
					const errorCode = isWrong ? 'FIELD_INTEGRITY_EXCEPTION' : refusalOf(task);
					void reply.code(errorCode ? 400 : 201);
					if (errorCode) return [{ errorCode }];
					records.push(isDone ? { person, title, text, at } : { whose: `${title} ${text}` });
					return { id: String(records.length), success: true, errors: [] };
				},
			},
		}),
	);
}

const nameOf = ({ FirstName, LastName }: Record<string, unknown>) =>
	[FirstName, LastName].filter(Boolean).join(' ');

/**
 * Whether a record meets a condition of SOQL, in which a quote is escaped:
 * https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select_quotedstringescapes.htm
 */
function isMet(condition: string, record: Record<string, unknown>): boolean {
	const [, field = '', operator, escaped = ''] =
		/^\s*(\w+) (=|LIKE) '((?:[^'\\]|\\['\\])*)'\s*$/.exec(condition) ?? [];
	if (!operator) throw new Error(`Salesforce can't read ${condition}`);
	const text = escaped.replace(/\\(.)/g, '$1');
	const known = record[field];
	if (typeof known !== 'string') return false;
	if (operator === '=') return known.toLowerCase() === text.toLowerCase();
	const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*');
	return new RegExp(`^${pattern}$`, 'i').test(known);
}
