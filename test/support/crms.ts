import type { IDataObject } from 'n8n-workflow';
import type { Table } from './dataTables';
import type { ReceivedRequest, Routes } from './standIn';

/** A person, as a CRM knows them before a call. */
export interface KnownPerson {
	name: string;
	/** As it is written there. */
	phone?: string;
	mobile?: string;
	email?: string;
}

/** What of a logged call every CRM can tell. */
export interface LoggedCall {
	/** The record that it is logged on; undefined for none. */
	personId?: string;
	/** As the service names the call. */
	callId?: string;
}

/** A stand-in for a CRM: what it answers, and what it holds. */
export interface Crm {
	hosts: Record<string, Routes>;
	/** Forgets everything, and knows these people. */
	know(people: KnownPerson[]): void | Promise<void>;
	/** The people's records by their IDs, in the order of their creation. */
	people(): Record<string, object> | Promise<Record<string, object>>;
	calls(): LoggedCall[] | Promise<LoggedCall[]>;
}

const digits = (text = '') => text.replace(/\D/g, '');

/**
 * HubSpot, as far as the example uses it. Search, contacts, calls:
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/search-the-crm,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide,
 * https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/calls/guide
 */
export function hubspot(): Crm {
	type Properties = Record<string, string | undefined>;
	type Filter = { propertyName: string; operator: 'EQ' | 'IN'; value?: string; values?: string[] };
	type Search = { filterGroups: Array<{ filters: Filter[] }>; properties: string[]; limit: number };
	type Call = { properties: Properties; associations: Array<{ to: { id: string } }> };
	const contacts = new Map<string, Properties>();
	let calls: Call[] = [];

	/** HubSpot keeps numbers without their country's code as well. */
	const national = (phone?: string) => phone && digits(phone).slice(-10);
	const calculated = (contact: Properties): Properties => ({
		...contact,
		hs_searchable_calculated_phone_number: national(contact.phone),
		hs_searchable_calculated_mobile_number: national(contact.mobilephone),
	});
	const find = <T extends Properties>(records: Array<[string, T]>, body: unknown) => {
		const { filterGroups, properties, limit } = body as Search;
		if (filterGroups.length > 5) throw new Error('HubSpot takes five groups of filters');
		const results = records.filter(([, record]) =>
			filterGroups.some(({ filters }) =>
				filters.every(({ propertyName, operator, value, values = [] }) => {
					const known = record[propertyName]?.toLowerCase();
					if (operator === 'EQ') return known === value?.toLowerCase();
					if (values.length === 0) throw new Error('HubSpot takes no empty list of values');
					return known !== undefined && values.includes(known);
				}),
			),
		);
		const shown = ([id, record]: [string, T]) => ({
			id,
			properties: Object.fromEntries(properties.map((name) => [name, record[name] ?? null])),
		});
		return { total: results.length, results: results.slice(0, limit).map(shown) };
	};

	return {
		know(people) {
			contacts.clear();
			calls = [];
			for (const { name, phone, mobile, email } of people) {
				const [firstname, lastname] = name.split(' ');
				contacts.set(String(501 + contacts.size), {
					firstname,
					lastname,
					phone,
					mobilephone: mobile,
					email,
				});
			}
		},
		people: () => Object.fromEntries(contacts),
		calls: () =>
			calls.map(({ properties, associations }) => ({
				callId: properties.hs_call_external_id,
				personId: associations[0]?.to.id,
			})),
		hosts: {
			'api.hubapi.com': {
				'POST /crm/v3/objects/contacts/search': ({ body }) =>
					find(
						[...contacts].map(([id, contact]) => [id, calculated(contact)]),
						body,
					),
				'POST /crm/v3/objects/contacts': ({ body }, reply) => {
					const { properties } = body as { properties: Properties };
					const email = properties.email?.toLowerCase();
					const taken = [...contacts].find(([, known]) =>
						[known.email, known.hs_additional_emails].some((each) => email && each === email),
					);
					if (taken) {
						void reply.code(409);
						const message = `Contact already exists. Existing ID: ${taken[0]}`;
						return { status: 'error', message, category: 'CONFLICT' };
					}
					const id = String(501 + contacts.size);
					contacts.set(id, properties);
					void reply.code(201);
					return { id, properties, archived: false };
				},
				'POST /crm/v3/objects/calls/search': ({ body }) =>
					find(
						calls.map(({ properties }, index) => [String(index), properties]),
						body,
					),
				'POST /crm/v3/objects/calls': ({ body }, reply) => {
					calls.push(body as Call);
					void reply.code(201);
					return { id: String(29090716 + calls.length), ...(body as object), archived: false };
				},
			},
		},
	};
}

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

/**
 * Salesforce, as far as the example uses it. Signing in, queries, records:
 * https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_jwt_flow.htm,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/resources-query,
 * https://developer.salesforce.com/docs/platform/api-rest/guide/dome-sobject-create
 *
 * @param convertedLeads whether the known people are leads that were converted
 */
export function salesforce(): Crm & { knowLeads(people: KnownPerson[], converted: boolean): void } {
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

/** What stands in the row of a customer who has called before. */
const before = { last_outcome: 'known before', last_summary: 'Known before.', notes: 'Our own' };

/** A sheet's cells by rows; `null` where nothing was ever written. */
export type Cells = Array<Array<string | number | boolean | null>>;

/**
 * Google Sheets, as far as the example uses it:
 * https://developers.google.com/workspace/sheets/api/reference/rest
 */
export function googleSheets(): Crm & { sheets: Record<string, Cells> } {
	const sheets: Record<string, Cells> = {};
	const names = ['Customers', 'Calls'];
	const customerColumns = [
		...['phone', 'name', 'email', 'last_call_id', 'last_call_at', 'last_call_seconds'],
		...['last_outcome', 'last_summary', 'notes'],
	];
	const callColumns = [
		...['call_id', 'started_at', 'ended_at', 'direction', 'phone', 'name', 'email', 'person'],
		...['seconds', 'outcome', 'summary', 'recording_url'],
	];
	/** Rows as objects, with the number of each. */
	const rowsOf = (name: string) => {
		const [header = [], ...rows] = sheets[name] ?? [];
		return rows.map((row, index) => ({
			row: index + 2,
			...Object.fromEntries(header.map((column, at) => [String(column), row[at] ?? null])),
		})) as Array<{ row: number } & Record<string, unknown>>;
	};
	const rangeOf = ({ params }: ReceivedRequest) => {
		const [, name = '', column, row] =
			/^'?([^'!]+)'?(?:!([A-Z]*)(\d*)(?::.*)?)?$/.exec(params.range ?? '') ?? [];
		return { name, column: column ?? '', row: Number(row || 1) };
	};
	const write = (name: string, row: number, column: string, values: Cells) => {
		const at = column ? column.charCodeAt(0) - 65 : 0;
		const cells = (sheets[name] ??= []);
		values.forEach((line, down) => {
			const target = (cells[row - 1 + down] ??= []);
			line.forEach((value, across) => {
				if (value !== null) target[at + across] = value;
			});
		});
	};
	const token = { access_token: 'token-of-the-test', expires_in: 3600, token_type: 'Bearer' };
	const routes: Routes = {
		'GET /v4/spreadsheets/:id': () => ({
			sheets: names.map((title, sheetId) => ({ properties: { title, sheetId } })),
		}),
		'GET /v4/spreadsheets/:id/values/:range': (request) => {
			const { name, row } = rangeOf(request);
			const end = /!(\d+):(\d+)$/.exec(request.params.range ?? '')?.[2];
			const values = (sheets[name] ?? [])
				.slice(row - 1, end ? Number(end) : undefined)
				.map((line) => Array.from(line, (value) => value ?? ''));
			// Without `values` where there are none.
			return { majorDimension: 'ROWS', ...(values.length > 0 && { values }) };
		},
		'PUT /v4/spreadsheets/:id/values/:range': (request) => {
			const { name, column, row } = rangeOf(request);
			write(name, row, column, (request.body as { values: Cells }).values);
			return {};
		},
		'POST /v4/spreadsheets/:id/values/:range': (request) => {
			// The paths end in `:append`, which is no parameter.
			const { name } = rangeOf({
				...request,
				params: { range: (request.params.range ?? '').replace(/:append$/, '') },
			});
			write(name, (sheets[name]?.length ?? 0) + 1, '', (request.body as { values: Cells }).values);
			return {};
		},
		'POST /v4/spreadsheets/:id/values::batchUpdate': ({ body }) => {
			for (const { range, values } of (body as { data: Array<{ range: string; values: Cells }> })
				.data) {
				const [, name = '', column = '', row] = /^(.+)!([A-Z]+)(\d+)$/.exec(range) ?? [];
				write(name, Number(row), column, values);
			}
			return {};
		},
	};
	return {
		sheets,
		know(people) {
			sheets.Calls = [callColumns];
			sheets.Customers = [
				customerColumns,
				...people.map(({ phone, mobile, name, email }) =>
					customerColumns.map(
						(column) =>
							({ phone: phone ?? mobile, name, email, ...before })[column as 'phone'] ?? null,
					),
				),
			];
		},
		people: () => Object.fromEntries(rowsOf('Customers').map(({ row, ...rest }) => [row, rest])),
		calls: () =>
			rowsOf('Calls').map((row) => ({
				callId: row.call_id as string,
				// A row of a call names no customer; the customer's names the call.
				personId: rowsOf('Customers')
					.find(({ last_call_id }) => last_call_id === row.call_id)
					?.row.toString(),
			})),
		hosts: {
			'oauth2.googleapis.com': { 'POST /token': () => token },
			'sheets.googleapis.com': routes,
		},
	};
}

/**
 * The data tables that the main example keeps.
 *
 * @param tables gives the ones of customers and calls, once they are there
 */
export function customerTable(tables: () => { customers: Table; calls: Table }): Crm {
	return {
		hosts: {},
		async know(people) {
			const { customers, calls } = tables();
			await calls.clear();
			await customers.clear();
			await customers.insert(
				people.map(({ phone, mobile, name, email }) => ({
					phone: phone ?? mobile ?? null,
					name,
					email: email ?? null,
					last_outcome: before.last_outcome,
					last_summary: before.last_summary,
				})),
			);
		},
		async people() {
			const rows = await tables().customers.rows();
			const told = (row: IDataObject) =>
				Object.entries(row).filter(([column]) => !/^(id|createdAt|updatedAt)$/.test(column));
			return Object.fromEntries(
				rows.map((row) => [row.id, Object.fromEntries(told(row))]),
			) as Record<string, object>;
		},
		async calls() {
			const rows = await tables().calls.rows();
			return rows
				.filter(({ status }) => status !== 'no person')
				.map(({ call_id, customer_id }) => ({
					callId: (call_id as string) ?? undefined,
					personId: customer_id ? String(customer_id as number) : undefined,
				}));
		},
	};
}
