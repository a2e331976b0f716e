import type { Routes } from '../standIn';
import type { Crm, KnownPerson } from './crm';

/**
 * Salesforce, as far as the example uses it. Signing in, queries, records:
 * https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_jwt_flow.htm,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/resources-query,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/dome-sobject-create
 */
export function salesforce(): Crm & {
	/** Knows these people beside the others, as leads. */
	knowLeads(people: KnownPerson[], converted: boolean): void;
} {
	type Fields = Record<string, unknown>;
	let records: Array<Fields & { Id: string; type: string }> = [];
	const add = (type: string, prefix: string, fields: Fields) => {
		const Id = `${prefix}RO000003${String(records.length).padStart(4, '0')}YAM`;
		records.push({ Id, type, ...fields });
		return { id: Id, success: true, errors: [] };
	};
	const create =
		(type: string, prefix: string): Routes[string] =>
		({ body }, reply) => {
			void reply.code(201);
			return add(type, prefix, body as Fields);
		};
	const know = (type: string, prefix: string, people: KnownPerson[], fields: Fields = {}) => {
		for (const { name, phone, mobile, email } of people) {
			const [FirstName, LastName] = name.split(' ');
			const known = { FirstName, LastName, Phone: phone, MobilePhone: mobile, Email: email };
			add(type, prefix, { ...known, ...fields });
		}
	};
	const data = '/services/data/v59.0';
	return {
		know(people) {
			records = [];
			know('Contact', '003', people);
		},
		knowLeads: (people, converted) => know('Lead', '00Q', people, { IsConverted: converted }),
		people: () =>
			Object.fromEntries(
				records.filter(({ type }) => type !== 'Task').map(({ Id, ...fields }) => [Id, fields]),
			),
		calls: () =>
			records
				.filter(({ type }) => type === 'Task')
				.map(({ CallObject, WhoId }) => ({
					callId: CallObject as string,
					personId: WhoId as string | undefined,
				})),
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
					const [, fields = '', type, condition = ''] =
						/^SELECT (.+) FROM (\w+) WHERE (.+?)(?: LIMIT \d+)?$/.exec(query.q ?? '') ?? [];
					const found = records
						.filter((record) => record.type === type && isMet(condition, record))
						.map((record) => ({
							attributes: { type },
							...Object.fromEntries(
								fields.split(', ').map((field) => [field, record[field] ?? null]),
							),
						}));
					return { totalSize: found.length, done: true, records: found };
				},
				[`POST ${data}/sobjects/lead`]: create('Lead', '00Q'),
				[`POST ${data}/sobjects/task`]: create('Task', '00T'),
			},
		},
	};
}

/** Tells whether a record meets a condition of SOQL, as far as the example writes them. */
function isMet(condition: string, record: Record<string, unknown>): boolean {
	const all = /^(\w+ = \w+) AND \((.+)\)$/.exec(condition);
	if (all) return isMet(all[1] as string, record) && isMet(all[2] as string, record);
	return condition.split(' OR ').some((one) => {
		const [, field = '', operator, quoted, bare] =
			/^(\w+) (=|LIKE) (?:'((?:[^'\\]|\\.)*)'|(\w+))$/.exec(one) ?? [];
		if (!operator) throw new Error(`Salesforce could not read ${one}`);
		if (bare) return JSON.stringify(record[field] ?? false) === bare;
		const text = (quoted as string).replace(/\\(.)/g, '$1');
		const known = record[field];
		if (typeof known !== 'string') return false;
		if (operator === '=') return known.toLowerCase() === text.toLowerCase();
		const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*');
		return new RegExp(`^${pattern}$`, 'i').test(known);
	});
}
