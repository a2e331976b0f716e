import type { Crm, CrmRecord } from './crm';

/**
 * The parts of Salesforce that the example uses: authentication, queries and records:
 * https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_jwt_flow.htm,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/resources-query,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/dome-sobject-create
 */
export function salesforce(): Crm {
	type Fields = Record<string, unknown>;
	const contacts = new Map<string, Fields>();
	let records: CrmRecord[] = [];
	const add = (fields: Fields) => {
		const Id = `003RO000003${String(contacts.size).padStart(4, '0')}YAM`;
		contacts.set(Id, fields);
		return { id: Id, success: true, errors: [] };
	};
	const data = '/services/data/v59.0';
	return {
		reset(people) {
			contacts.clear();
			records = [];
			for (const { name, phone, mobile, email } of people) {
				add({ LastName: name, Phone: phone, MobilePhone: mobile, Email: email });
			}
		},
		people: () => Object.fromEntries(contacts),
		records: () => records,
		hosts: {
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
						/^SELECT (.+) FROM Contact WHERE (.+)$/.exec(query.q ?? '') ?? [];
					const found = [...contacts]
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
					const isWrong = !(body as Fields).LastName;
					void reply.code(isWrong ? 400 : 201);
					return isWrong ? [{ errorCode: 'REQUIRED_FIELD_MISSING' }] : add(body as Fields);
				},
				[`POST ${data}/sobjects/task`]: ({ body }, reply) => {
					const task = body as Record<string, string | undefined>;
					const { WhoId: person, Subject: title, Description: text, ActivityDate: at } = task;
					const isDone = task.Status === 'Completed';
					const isWrong = isDone ? !contacts.has(person ?? '') : person !== undefined;
					void reply.code(isWrong ? 400 : 201);
					if (isWrong) return [{ errorCode: 'FIELD_INTEGRITY_EXCEPTION' }];
					records.push(isDone ? { person, title, text, at } : { whose: `${title} ${text}` });
					return { id: String(records.length), success: true, errors: [] };
				},
			},
		},
	};
}

const nameOf = ({ FirstName, LastName }: Record<string, unknown>) =>
	[FirstName, LastName].filter(Boolean).join(' ');

/** Whether a record meets a condition of SOQL. */
function isMet(condition: string, record: Record<string, unknown>): boolean {
	const [, field = '', operator, text = ''] = /^(\w+) (=|LIKE) '([^'\\]*)'$/.exec(condition) ?? [];
	if (!operator) throw new Error(`Salesforce can't read ${condition}`);
	const known = record[field];
	if (typeof known !== 'string') return false;
	if (operator === '=') return known.toLowerCase() === text.toLowerCase();
	const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*');
	return new RegExp(`^${pattern}$`, 'i').test(known);
}
