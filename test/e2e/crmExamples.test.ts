import { generateKeyPairSync } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type CallDetails, readCallDetails } from '../../nodes/VoiceAgent/trigger/callDetails';
import { namedDialects } from '../../sandbox/dialects';
import { importExample } from '../../sandbox/stack/example';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { judge, type Payload, readPayloads } from '../support/callPayloads';
import { type Crm, hubspot, type KnownPerson, pipedrive, salesforce } from '../support/crms';
import { dataTables } from '../support/dataTables';
import { type ReceivedRequest, type StandIn, startStandIn } from '../support/standIn';
import { post, type Service, startService } from './harness';

const minute = 60_000;
jest.setTimeout(10 * minute);

/** Payloads of differing shape: one of each person's state, and of each way to write a number. */
const few = new RegExp(process.env.ONLY ?? '^(Vapi|Zeeg|Twilio|Aircall|Telnyx|OpenPhone)');
const payloads = readPayloads('documented').filter(
	({ service }) => process.env.EXAMPLES === 'all' || few.test(service),
);

/** What the CRM knows of the person before the call. */
const knowledge = {
	nobody: () => [],
	'their number': ({ phone }) => [{ name: 'Grace Hopper', phone: phone ?? undefined }],
	'their number, as a person writes it': ({ phone }) => [
		{ name: 'Grace Hopper', phone: phone ? written(phone) : undefined },
	],
	'their mobile number, without the country': ({ phone }) => [
		{ name: 'Grace Hopper', mobile: phone ? phone.slice(-10) : undefined },
	],
	'their e-mail': ({ email }) => [{ name: 'Grace Hopper', email: email?.toUpperCase() }],
	'two with the number': ({ phone, email }) => [
		{ name: 'Grace Hopper', phone: phone ?? undefined, email: email ?? undefined },
		{ name: 'Vincent Hopper', phone: phone ? written(phone) : undefined, email: 'v@example.com' },
	],
} satisfies Record<string, (customer: CallDetails['customer']) => KnownPerson[]>;
type Knowledge = keyof typeof knowledge;

/** The number `+14155550187` as `(415) 555-0187`. */
const written = (phone: string) => phone.replace(/.*(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');

/** Whom nobody of the calls is: our own line, a namesake, the same number of another country. */
const decoys: KnownPerson[] = [
	{ name: 'Front Desk', phone: '+14155550100', email: 'desk@example.com' },
	{ name: 'Grace Hopper', phone: '+14155550155', email: 'another.grace@example.com' },
	{ name: 'Gwen Hooper', phone: '+444155550187' },
];

/** What an event has to come to, in any CRM. */
interface Outcome {
	/** Index among the known people; `new` for one who is made, undefined for a call without one. */
	person: number | 'new' | undefined;
	/** `told`: it stops at first, since nobody can be told; `ambiguous`: it stops, since several fit. */
	ends: 'logged' | 'told' | 'ambiguous';
}

function outcomeOf({ customer, person }: CallDetails, known: Knowledge): Outcome {
	const first = decoys.length;
	if (!customer.phone && !customer.email) {
		return { person: undefined, ends: person === 'unknown' ? 'told' : 'logged' };
	}
	switch (known) {
		case 'nobody':
			return { person: 'new', ends: 'logged' };
		case 'their e-mail':
			return { person: customer.email ? first : 'new', ends: 'logged' };
		case 'two with the number':
			if (customer.email) return { person: first, ends: 'logged' };
			return { person: undefined, ends: 'ambiguous' };
		default:
			return { person: customer.phone ? first : 'new', ends: 'logged' };
	}
}

/** What matters of a request, but for the headers. */
interface Sent {
	request: string;
	query?: object;
	body?: unknown;
}

const sent = (requests: ReceivedRequest[]): Sent[] =>
	requests.map(({ method, host, path, query, body }) => ({
		request: `${method} https://${host}${path}`,
		...(Object.keys(query).length > 0 && { query: { ...query } }),
		...(body !== undefined && { body }),
	}));

/** An example that keeps calls in a CRM. */
interface Example {
	name: string;
	crm: Crm;
	credential: { type: string; fields: IDataObject };
	/** What a person chooses in the CRM's nodes. */
	parameters?: INodeParameters;
	/** The documented requests that find the person, one that makes them, ask for the call, log it. */
	find(call: CallDetails, outcome: Outcome): Sent[];
	create(call: CallDetails): Sent;
	ask(call: CallDetails, personId: string | undefined): Sent[];
	log(call: CallDetails, personId: string | undefined): Sent[];
}

let standIn: StandIn;
let stack: Stack;
let service: Service;
const examples: Example[] = [];
const counts = {
	runs: 0,
	'runs green without the record': 0,
	'lost values': 0,
	duplicates: 0,
	'wrong persons': 0,
};
beforeAll(async () => {
	standIn = await startStandIn(Object.assign({}, ...examples.map(({ crm }) => crm.hosts)));
	stack = await startStack({ env: standIn.env });
	service = await startService(stack, namedDialects.assumed);
}, 15 * minute);
afterAll(async () => {
	await service?.sandbox.stop();
	await stack?.stop();
	await standIn?.stop();
	console.log(
		Object.entries(counts)
			.map(([what, count]) => `${what}: ${count}`)
			.join('\n'),
	);
});

/**
 * Imports an example, and publishes it for every event.
 *
 * @returns a function that delivers an event and gives the answer's status, and one that makes the
 * workflow forget what it has done
 */
async function publish(example: Example) {
	const { api } = stack.n8n;
	const { name, credential, parameters = {} } = example;
	const id = await api.createCredential(name, credential.type, credential.fields);
	const credentials = { [credential.type]: { id, name } };
	const choices = Object.fromEntries(
		['httpRequest', 'salesforce', 'googleSheets'].map((node) => [
			`n8n-nodes-base.${node}`,
			{ credentials, parameters },
		]),
	);
	const workflowId = await importExample(
		api,
		name,
		service.credentials.authorization.id,
		{ ...choices, 'n8n-nodes-voice-agent.voiceAgentTrigger': { parameters: { events: [] } } },
		(workflow) => ({ ...workflow, settings: { ...workflow.settings, timezone } }),
	);
	await api.publish(workflowId);
	const [endpoint] = service.sandbox.endpoints();
	const tables = dataTables(api);
	return {
		workflowId,
		deliver: async ({ body, headers }: Pick<Payload, 'body' | 'headers'>) => {
			const { status } = await post(stack, endpoint?.url ?? '', body, headers);
			if (process.env.DUMP) { const [l] = await api.executions(workflowId); const x = await api.finishedExecution(l?.id ?? ''); for (const [n, r] of Object.entries(x.data.resultData.runData)) console.log(n, JSON.stringify(r.at(-1)?.data?.main).slice(0, 1500), r.at(-1)?.error?.message); }
			if (status === 200) return 'green';
			const [latest] = await api.executions(workflowId);
			const { data } = await api.finishedExecution(latest?.id ?? '');
			return `red: ${data.resultData.error?.message}`;//DBG
		},
		rows: async () => await tables.rows(workflowId),
		forget: async () => await tables.clear(workflowId),
		unpublish: async () => await api.unpublish(workflowId),
	};
}

/** East of Greenwich, so that a day of the workflow's is not UTC's. */
const timezone = 'Pacific/Auckland';

const nameOf = ({ customer, person }: CallDetails) =>
	customer.name ??
	customer.phone ??
	customer.email ??
	(person === 'withheld' ? 'a withheld number' : 'a web visitor');
const notesOf = ({ outcome, summary }: CallDetails) => [outcome, summary].filter(Boolean).join(': ');
/** Without what is undefined, as JSON is sent. */
const defined = <T extends object>(fields: T): T =>
	JSON.parse(JSON.stringify(fields, (_key, value: unknown) => value ?? undefined)) as T;

/** The day in the workflow's time zone. */
const dayOf = (instant: string) =>
	new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(instant));

const apiToken = 'token-of-the-test';
const { privateKey } = generateKeyPairSync('rsa', {
	modulusLength: 2048,
	privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
	publicKeyEncoding: { type: 'spki', format: 'pem' },
});

const ways = (phone: string) => {
	const [, own = '', a, b, c] = /^\+1((\d{3})(\d{3})(\d{4}))$/.exec(phone) ?? [];
	return {
		digits: [`1${own}`, own, `0${own}`, `001${own}`, `0111${own}`, `10${own}`],
		texts: [
			`+1${own}`,
			`1${own}`,
			own,
			`(${a}) ${b}-${c}`,
			`${a}-${b}-${c}`,
			`+1 ${a}-${b}-${c}`,
			`+1 (${a}) ${b}-${c}`,
			`${a}.${b}.${c}`,
			`${a} ${b} ${c}`,
			`0${own}`,
			`+1 ${own}`,
			`001${own}`,
		],
	};
};

examples.push({
	name: 'call-to-hubspot',
	crm: hubspot(),
	credential: { type: 'hubspotAppToken', fields: { appToken: 'pat-na1-of-the-test' } },
	// https://developers.hubspot.com/docs/api-reference/legacy/crm/search-the-crm (five groups of
	// filters at most; the calculated numbers have no country code)
	find({ customer: { phone, email } }) {
		const { digits, texts } = phone ? ways(phone) : { digits: [], texts: [] };
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
	create: ({ customer: { phone, email, name } }) => ({
		request: 'POST https://api.hubapi.com/crm/v3/objects/contacts',
		body: {
			properties: defined({
				phone,
				email,
				firstname: name?.split(' ').slice(0, -1).join(' '),
				lastname: name?.split(' ').at(-1),
			}),
		},
	}),
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
								value: id ?? (expect.any(String) as string),
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
					hs_timestamp: call.startedAt ?? call.endedAt ?? (expect.any(String) as string),
					hs_call_external_id: call.id ?? (expect.any(String) as string),
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
});

examples.push({
	name: 'call-to-pipedrive',
	crm: pipedrive(),
	credential: { type: 'pipedriveApi', fields: { apiToken } },
	// https://developers.pipedrive.com/docs/api/v1/Persons#searchPersons (version 2)
	find: ({ customer: { phone, email } }) =>
		[
			...(phone ? ways(phone).texts.slice(0, 9) : []).map((term) => ({ term, fields: 'phone' })),
			...(email ? [{ term: email, fields: 'email' }] : []),
		].map((search) => ({
			request: 'GET https://api.pipedrive.com/api/v2/persons/search',
			query: { api_token: apiToken, ...search, exact_match: 'true', limit: '100' },
		})),
	// https://developers.pipedrive.com/docs/api/v1/Persons#addPerson (version 2)
	create: ({ customer: { phone, email, name } }) => ({
		request: 'POST https://api.pipedrive.com/api/v2/persons',
		query: { api_token: apiToken },
		body: {
			name: name ?? phone ?? email,
			phones: phone ? [{ value: phone, primary: true, label: 'work' }] : [],
			emails: email ? [{ value: email, primary: true, label: 'work' }] : [],
		},
	}),
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
			.map((line) => `<p>${line?.replaceAll('&', '&amp;')}</p>`)
			.join('');
		return [
			{
				request: 'POST https://api.pipedrive.com/api/v2/activities',
				query: { api_token: apiToken },
				body: {
					subject: `Call with ${nameOf(call)}`,
					type: 'call',
					done: true,
					due_date: at ? at.slice(0, 10) : (expect.any(String) as string),
					due_time: at ? at.slice(11, 16) : (expect.any(String) as string),
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
});

const salesforceData = 'https://acme.my.salesforce.com/services/data/v59.0';
examples.push({
	name: 'call-to-salesforce',
	crm: salesforce(),
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
	find({ customer: { phone, email } }) {
		const pattern = phone && `'%${phone.slice(-10).split('').join('%')}'`;
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
	create: ({ customer: { phone, email, name } }) => ({
		request: `POST ${salesforceData}/sobjects/lead`,
		body: defined({
			Company: '[not provided]',
			LastName: name?.split(' ').at(-1) ?? phone ?? email,
			FirstName: name?.split(' ').slice(0, -1).join(' '),
			Phone: phone,
			Email: email,
		}),
	}),
	ask: ({ id }) => [
		{
			request: `GET ${salesforceData}/query`,
			query: {
				q: id
					? `SELECT Id FROM Task WHERE CallObject = '${id}' LIMIT 1`
					: (expect.stringMatching(/^SELECT Id FROM Task WHERE CallObject = '.+' LIMIT 1$/) as string),
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
					CallObject: id ?? (expect.any(String) as string),
					ActivityDate: at ? dayOf(at) : (expect.any(String) as string),
				},
			},
		];
	},
});

describe.each(examples)('$name', (example) => {
	const { crm } = example;
	let workflow: Awaited<ReturnType<typeof publish>>;
	beforeAll(async () => {
		workflow = await publish(example);
	}, minute);
	afterAll(() => workflow?.unpublish());
	afterEach(() => standIn.take());

	const cases = payloads.map((payload, index) => {
		const kinds = Object.keys(knowledge) as Knowledge[];
		const known = kinds[index % kinds.length] as Knowledge;
		return { payload, known, title: `${payload.service}, ${payload.variant}` };
	});

	test.each(cases)('$title, where the CRM knows $known', async ({ payload, known }) => {
		const call = readCallDetails(payload.body);
		const outcome = outcomeOf(call, known);
		crm.know([...decoys, ...knowledge[known](call.customer)]);
		await workflow.forget();
		const before = structuredClone(crm.people());
		const ids = Object.keys(before);

		const deliver = async () => {
			const ended = await workflow.deliver(payload);
			counts.runs++;
			const requests = sent(standIn.take()).filter(({ request }) => !/oauth2?/.test(request));
			return { ended, requests };
		};
		const first = await deliver();
		const logged = crm.calls();
		const second = await deliver();

		// Of what is there, nothing changed.
		const after = crm.people();
		for (const id of ids) {
			if (JSON.stringify(after[id]) !== JSON.stringify(before[id])) counts['lost values']++;
		}
		if (crm.calls().length > 1) counts.duplicates++;
		if (Object.keys(after).length > ids.length + 1) counts.duplicates++;
		if (
			judge('customerPhone', payload.expected.customerPhone, call.customer.phone) === 'wrong' ||
			judge('customerEmail', payload.expected.customerEmail, call.customer.email) === 'wrong'
		) {
			counts['wrong persons']++;
		}

		if (outcome.ends === 'told') {
			expect(first.ended).toMatch(/^red: Who was on the line can't be told .*"Call"/);
			expect(second.ended).toBe('green');
			expect([...first.requests, ...second.requests]).toEqual([]);
			expect(await workflow.rows()).toMatchObject([{ status: 'no person' }]);
			return;
		}
		if (first.ended === 'green' && logged.length !== 1) counts['runs green without the record']++;
		if (outcome.ends === 'ambiguous') {
			for (const { ended } of [first, second]) {
				expect(ended).toMatch(/^red: Several .* fit /);
			}
			expect(first.requests).toHaveLength(example.find(call, outcome).length);
			expect(crm.calls()).toEqual([]);
			expect(await workflow.rows()).toEqual([]);
			return;
		}

		const personId =
			outcome.person === 'new'
				? Object.keys(after).at(-1)
				: outcome.person === undefined
					? undefined
					: ids[outcome.person];
		if (logged[0]?.personId !== personId) counts['wrong persons']++;
		expect([first.ended, second.ended]).toEqual(['green', 'green']);
		const find = call.customer.phone || call.customer.email ? example.find(call, outcome) : [];
		// Searches of one node are sent at once, in any order.
		expect(first.requests.slice(0, find.length)).toEqual(expect.arrayContaining(find));
		expect(first.requests.slice(find.length)).toEqual([
			...(outcome.person === 'new' ? [example.create(call)] : []),
			...example.ask(call, personId),
			...example.log(call, personId),
		]);
		expect(logged).toEqual([{ personId, callId: call.id ?? (expect.any(String) as string) }]);
		expect(second.requests).toEqual([]);
		expect(await workflow.rows()).toHaveLength(1);

		// As after a crash between the log and what remembers it.
		await workflow.forget();
		const third = await deliver();
		expect(third.ended).toBe('green');
		expect(crm.calls()).toEqual(logged);
		expect(crm.people()).toEqual(after);
	});
});
