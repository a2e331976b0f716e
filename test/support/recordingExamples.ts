import { generateKeyPairSync } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { CallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import type { Crm } from './crms/crm';
import { googleSheets } from './crms/googleSheets';
import { hubspot } from './crms/hubspot';
import { pipedrive } from './crms/pipedrive';
import { salesforce } from './crms/salesforce';
import type { ReceivedRequest } from './standIn';

/** East of Greenwich, so that a day of the workflow's is not UTC's. */
export const timezone = 'Pacific/Auckland';

/** What matters of a request, but for the headers. */
export interface Sent {
	request: string;
	query?: object;
	body?: unknown;
}

export const sent = (requests: ReceivedRequest[]): Sent[] =>
	requests.map(({ method, host, path, query, body }) => ({
		request: `${method} https://${host}${path}`,
		...(Object.keys(query).length > 0 && { query: { ...query } }),
		...(body !== undefined && { body }),
	}));

/** An example that logs calls in a CRM, and the documented requests that it is to send. */
export interface RecordingExample {
	name: string;
	crm: Crm;
	credential?: { type: string; fields: IDataObject };
	/** What a person chooses in the CRM's nodes. */
	parameters?: INodeParameters;
	/** The requests that write, each of which may fail. */
	writes?: { create: RegExp; log: RegExp };
	/** Those that only read, where a node of n8n's sends them as it likes. */
	reads?: RegExp;
	/** Searches for the person. */
	find(call: CallDetails, countryCode: string): Sent[];
	/** Makes the person whom nobody knows. */
	create(call: CallDetails): Sent[];
	/** Changes the person who is known. */
	update?(call: CallDetails, personId: string): Sent[];
	/** Asks whether the call is logged. */
	ask(call: CallDetails, personId: string | undefined): Sent[];
	log(call: CallDetails, personId: string | undefined): Sent[];
	/** The person's record after the call; of a person who is known it is as before if this is missing. */
	record?(call: CallDetails): IDataObject;
}

/** The title's name of whom the call was with. */
const nameOf = ({ customer, person }: CallDetails) =>
	customer.name ??
	customer.phone ??
	customer.email ??
	(person === 'withheld' ? 'a withheld number' : 'a web visitor');
const notesOf = ({ outcome, summary }: CallDetails) =>
	[outcome, summary].filter(Boolean).join(': ');
const someText = expect.any(String) as string;

/** Without what is undefined or null. */
const defined = (fields: object) =>
	Object.fromEntries(
		Object.entries(fields).filter(([, value]) => (value ?? undefined) !== undefined),
	);

/** The day in the workflow's time zone. */
const dayOf = (instant: string) =>
	new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(instant));

const apiToken = 'token-of-the-test';
const { privateKey } = generateKeyPairSync('rsa', {
	modulusLength: 2048,
	privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/**
 * The usual ways to write a number in a country.
 *
 * @param code the country's own, as `1`
 */
const ways = (phone: string, code: string) => {
	const all = phone.replace(/\D/g, '');
	const isNational = !phone.startsWith('+') && !all.startsWith(code);
	const whole = isNational ? code + all.replace(/^0/, '') : all;
	const own = whole.slice(code.length);
	if (!whole.startsWith(code)) {
		return {
			core: whole,
			digits: [whole, `00${whole}`, `011${whole}`],
			texts: [`+${whole}`, whole, `00${whole}`],
		};
	}
	const [, a, b, c] = /^(\d{3})(\d{3})(\d{4})$/.exec(own) ?? [];
	const american = [
		`(${a}) ${b}-${c}`,
		`${a}-${b}-${c}`,
		`+1 ${a}-${b}-${c}`,
		`+1 (${a}) ${b}-${c}`,
		`${a}.${b}.${c}`,
		`${a} ${b} ${c}`,
	];
	const usual = code === '1' ? american : [`0${own}`];
	return {
		core: own,
		digits: [whole, own, `0${own}`, `00${whole}`, `011${whole}`, `${code}0${own}`],
		texts: [`+${whole}`, ...usual, whole, own, `+${code} ${own}`, `00${whole}`],
	};
};

export const hubspotExample: RecordingExample = {
	name: 'call-to-hubspot',
	crm: hubspot(),
	writes: { create: /^POST .*\/objects\/contacts$/, log: /^POST .*\/objects\/calls$/ },
	credential: { type: 'hubspotAppToken', fields: { appToken: 'pat-na1-of-the-test' } },
	// https://developers.hubspot.com/docs/api-reference/legacy/crm/search-the-crm (five groups of
	// filters at most; the calculated numbers have no country code)
	find({ customer: { phone, email } }, code) {
		const { digits, texts } = phone ? ways(phone, code) : { digits: [], texts: [] };
		const filters = [
			{ propertyName: 'phone', values: texts },
			{ propertyName: 'mobilephone', values: texts },
			{ propertyName: 'hs_searchable_calculated_phone_number', values: digits },
			{ propertyName: 'hs_searchable_calculated_mobile_number', values: digits },
			{ propertyName: 'email', values: email ? [email.toLowerCase()] : [] },
		].filter(({ values }) => values.length > 0);
		return [
			{
				request: 'POST https://api.hubapi.com/crm/v3/objects/contacts/search',
				body: {
					filterGroups: filters.map(({ propertyName, values }) => ({
						filters: [{ propertyName, operator: 'IN', values }],
					})),
					properties: ['phone', 'mobilephone', 'email', 'hs_additional_emails'],
					limit: 100,
				},
			},
		];
	},
	// https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide
	create: ({ customer: { phone, email, name } }) => [
		{
			request: 'POST https://api.hubapi.com/crm/v3/objects/contacts',
			body: {
				properties: defined({
					phone,
					email,
					firstname: name?.split(' ').slice(0, -1).join(' ') || undefined,
					lastname: name?.split(' ').at(-1),
				}),
			},
		},
	],
	ask: ({ id }) => [
		{
			request: 'POST https://api.hubapi.com/crm/v3/objects/calls/search',
			body: {
				filterGroups: [
					{
						filters: [
							{
								propertyName: 'hs_call_external_id',
								operator: 'EQ',
								value: id ?? someText,
							},
						],
					},
				],
				properties: ['hs_call_external_id'],
				limit: 1,
			},
		},
	],
	// https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/calls/guide (194 is a
	// call's association with a contact)
	log: (call, personId) => [
		{
			request: 'POST https://api.hubapi.com/crm/v3/objects/calls',
			body: {
				properties: {
					...defined({
						hs_call_title: `Call with ${nameOf(call)}`,
						hs_call_body: notesOf(call) || undefined,
						hs_call_direction: call.direction?.toUpperCase(),
						hs_call_duration:
							call.durationSeconds === null
								? undefined
								: String(Math.round(call.durationSeconds * 1000)),
						hs_call_from_number:
							call.direction && (call.direction === 'inbound' ? call.customer : call.agent).phone,
						hs_call_to_number:
							call.direction && (call.direction === 'inbound' ? call.agent : call.customer).phone,
						hs_call_recording_url: call.recordingUrl,
						hs_call_status: 'COMPLETED',
					}),
					hs_timestamp: call.startedAt ?? call.endedAt ?? someText,
					hs_call_external_id: call.id ?? someText,
				},
				associations: personId
					? [
							{
								to: { id: personId },
								types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 194 }],
							},
						]
					: [],
			},
		},
	],
};

export const pipedriveExample: RecordingExample = {
	name: 'call-to-pipedrive',
	crm: pipedrive(),
	writes: { create: /^POST .*\/persons$/, log: /^POST .*\/activities$/ },
	credential: { type: 'pipedriveApi', fields: { apiToken } },
	// https://developers.pipedrive.com/docs/api/v1/Persons#searchPersons (version 2)
	find: ({ customer: { phone, email } }, code) =>
		[
			...(phone ? ways(phone, code).texts.slice(0, 9) : []).map((term) => ({
				term,
				fields: 'phone',
			})),
			...(email ? [{ term: email, fields: 'email' }] : []),
		].map((search) => ({
			request: 'GET https://api.pipedrive.com/api/v2/persons/search',
			query: { api_token: apiToken, ...search, exact_match: 'true', limit: '100' },
		})),
	// https://developers.pipedrive.com/docs/api/v1/Persons#addPerson (version 2)
	create: ({ customer: { phone, email, name } }) => [
		{
			request: 'POST https://api.pipedrive.com/api/v2/persons',
			query: { api_token: apiToken },
			body: {
				name: name ?? phone ?? email,
				phones: phone ? [{ value: phone, primary: true, label: 'work' }] : [],
				emails: email ? [{ value: email, primary: true, label: 'work' }] : [],
			},
		},
	],
	// https://developers.pipedrive.com/docs/api/v1/Activities#getActivities (version 2)
	ask: ({ startedAt }, personId) => [
		{
			request: 'GET https://api.pipedrive.com/api/v2/activities',
			query: {
				api_token: apiToken,
				...(personId && { person_id: personId }),
				done: 'true',
				updated_since: startedAt
					? startedAt.replace(/\.\d+/, '')
					: (expect.stringMatching(/T\d\d:\d\d:\d\dZ$/) as string),
				sort_by: 'add_time',
				sort_direction: 'desc',
				limit: '500',
			},
		},
	],
	// https://developers.pipedrive.com/docs/api/v1/Activities#addActivity (version 2: `person_id` is
	// read-only, and set through the primary participant; the due time is in UTC)
	log(call, personId) {
		const { durationSeconds: seconds, recordingUrl, id } = call;
		const at = call.startedAt ?? call.endedAt;
		const minutes = seconds === null ? undefined : Math.ceil(seconds / 60);
		const lines = [
			notesOf(call),
			seconds === null ? '' : `${seconds} seconds`,
			recordingUrl && `Recording: ${recordingUrl}`,
		];
		const note = lines
			.filter((line) => line)
			.map((line) => `<p>${line?.replaceAll('&', '&amp;').replaceAll('\n', '<br>')}</p>`)
			.join('');
		return [
			{
				request: 'POST https://api.pipedrive.com/api/v2/activities',
				query: { api_token: apiToken },
				body: {
					subject: `Call with ${nameOf(call)}`,
					type: 'call',
					done: true,
					due_date: at ? at.slice(0, 10) : someText,
					due_time: at ? at.slice(11, 16) : someText,
					...(minutes !== undefined && {
						duration: `00:${String(minutes).padStart(2, '0')}`,
					}),
					note: id
						? `${note}<p>Call ID: ${id}</p>`
						: (expect.stringContaining(`${note}<p>Call ID: `) as string),
					...(personId && { participants: [{ person_id: Number(personId), primary: true }] }),
				},
			},
		];
	},
};

const salesforceData = 'https://acme.my.salesforce.com/services/data/v59.0';
/** With leads as well. */
export const salesforceCrm = salesforce();
export const salesforceExample: RecordingExample = {
	name: 'call-to-salesforce',
	crm: salesforceCrm,
	writes: { create: /^POST .*\/sobjects\/lead$/, log: /^POST .*\/sobjects\/task$/ },
	credential: {
		type: 'salesforceJwtApi',
		fields: {
			environment: 'production',
			clientId: 'consumer-key',
			username: 'admin@example.com',
			privateKey,
		},
	},
	parameters: { authentication: 'jwt' },
	// https://developer.salesforce.com/docs/platform/api-rest/guide/resources-query
	find({ customer: { phone, email } }, code) {
		const pattern = phone && `'%${ways(phone, code).core.split('').join('%')}'`;
		const fits = [
			...(pattern ? [`Phone LIKE ${pattern}`, `MobilePhone LIKE ${pattern}`] : []),
			...(email ? [`Email = '${email}'`] : []),
		].join(' OR ');
		const fields = 'Id, Phone, MobilePhone, Email';
		return [
			`SELECT ${fields} FROM Contact WHERE ${fits} LIMIT 200`,
			`SELECT ${fields} FROM Lead WHERE IsConverted = false AND (${fits}) LIMIT 200`,
		].map((q) => ({ request: `GET ${salesforceData}/query`, query: { q } }));
	},
	// https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_lead.htm
	create: ({ customer: { phone, email, name } }) => [
		{
			request: `POST ${salesforceData}/sobjects/lead`,
			body: defined({
				Company: '[not provided]',
				LastName: name?.split(' ').at(-1) ?? phone ?? email,
				FirstName: name?.split(' ').slice(0, -1).join(' ') || undefined,
				Phone: phone,
				Email: email,
			}),
		},
	],
	ask: ({ id }) => [
		{
			request: `GET ${salesforceData}/query`,
			query: {
				q: id
					? `SELECT Id FROM Task WHERE CallObject = '${id}' LIMIT 1`
					: (expect.stringMatching(
							/^SELECT Id FROM Task WHERE CallObject = '.+' LIMIT 1$/,
						) as string),
			},
		},
	],
	// https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_task.htm
	log(call, personId) {
		const { durationSeconds: seconds, recordingUrl, direction, id } = call;
		const at = call.startedAt ?? call.endedAt;
		const lines = [notesOf(call), recordingUrl && `Recording: ${recordingUrl}`];
		return [
			{
				request: `POST ${salesforceData}/sobjects/task`,
				body: {
					...defined({
						Status: 'Completed',
						TaskSubtype: 'Call',
						WhoId: personId,
						Subject: `Call with ${nameOf(call)}`,
						CallType: direction && `${direction[0]?.toUpperCase()}${direction.slice(1)}`,
						CallDurationInSeconds: seconds === null ? undefined : Math.round(seconds),
						Description: lines.filter((line) => line).join('\n') || undefined,
					}),
					CallObject: id ?? someText,
					ActivityDate: at ? dayOf(at) : someText,
				},
			},
		];
	},
};

const spreadsheetId = '1SheetOfTheTest-0123456789abcdefghijklmnopqrs';
export const spreadsheetUrl = `https://docs.google.com/spreadsheets/d/${spreadsheetId}/edit`;
const sheetsUrl = `https://sheets.googleapis.com/v4/spreadsheets/${spreadsheetId}`;
/** With its cells. */
export const sheets = googleSheets();

/** The instant on the clocks of the workflow's time zone, as `2026-11-18 15:04:10`. */
const clockOf = (instant: string) =>
	new Date(instant).toLocaleString('sv-SE', { timeZone: timezone });

/** A customer's row after the call. */
const customerRow = (call: CallDetails) => {
	const at = call.startedAt ?? call.endedAt;
	return defined({
		...call.customer,
		last_call_id: call.id ?? someText,
		last_call_at: at ? clockOf(at) : someText,
		last_call_seconds: call.durationSeconds,
		last_outcome: call.outcome,
		last_summary: call.summary,
	}) as IDataObject;
};

/** The cells of a row in the order of the columns, `null` for those that stay as they are. */
const cellsOf = (sheet: 'Customers' | 'Calls', row: IDataObject) =>
	(sheets.sheets[sheet]?.[0] ?? []).map((column) => row[String(column)] ?? null);

const append = (sheet: 'Customers' | 'Calls', row: IDataObject): Sent => ({
	request: expect.stringMatching(
		new RegExp(`^POST ${sheetsUrl}/values/${sheet}!\\d+:\\d+:append$`),
	) as string,
	query: { valueInputOption: 'RAW' },
	body: { range: someText, values: [cellsOf(sheet, row)] },
});

export const sheetsExample: RecordingExample = {
	name: 'call-to-google-sheets',
	crm: sheets,
	writes: {
		create: /^POST .*\/values\/Customers.*append$/,
		log: /^POST .*\/values\/Calls.*append$/,
	},
	credential: {
		type: 'googleApi',
		fields: { email: 'robot@example.iam.gserviceaccount.com', privateKey, region: 'us-central1' },
	},
	parameters: { authentication: 'serviceAccount' },
	reads: /^GET /,
	find: () => [],
	// https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/append
	create: (call) => [append('Customers', customerRow(call))],
	// https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values/batchUpdate
	update: (call, personId) => [
		{
			request: `POST ${sheetsUrl}/values:batchUpdate`,
			body: {
				data: cellsOf('Customers', customerRow(call)).flatMap((value, index) =>
					value === null
						? []
						: [
								{
									range: `Customers!${String.fromCharCode(65 + index)}${personId}`,
									values: [[value]],
								},
							],
				),
				valueInputOption: 'RAW',
			},
		},
	],
	ask: () => [],
	log: (call) => [
		append(
			'Calls',
			defined({
				call_id: call.id ?? someText,
				started_at: call.startedAt && clockOf(call.startedAt),
				ended_at: call.endedAt && clockOf(call.endedAt),
				direction: call.direction,
				...call.customer,
				person: call.person,
				seconds: call.durationSeconds,
				outcome: call.outcome,
				summary: call.summary,
				recording_url: call.recordingUrl,
			}) as IDataObject,
		),
	],
	record: customerRow,
};

/** @param crm the workflow's own tables */
export const dataTableExample = (crm: Crm): RecordingExample => ({
	name: 'call-to-data-table',
	crm,
	find: () => [],
	create: () => [],
	ask: () => [],
	log: () => [],
	record: (call) =>
		defined({
			...call.customer,
			last_call_id: call.id,
			last_call_at: call.startedAt ?? call.endedAt ?? someText,
			last_call_seconds: call.durationSeconds,
			last_outcome: call.outcome,
			last_summary: call.summary,
		}) as IDataObject,
});
