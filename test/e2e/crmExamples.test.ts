import { generateKeyPairSync } from 'node:crypto';
import { createVerifier } from 'fast-jwt';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { namedDialects } from '../../sandbox/dialects';
import { createEvent, sampleData } from '../../sandbox/service/events';
import { importExample, importMainExample } from '../../sandbox/stack/example';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { hubspot, pipedrive, salesforce } from '../support/crms';
import { type ReceivedRequest, type StandIn, startStandIn } from '../support/standIn';
import { post, type Service, startService } from './harness';

const minute = 60_000;
jest.setTimeout(2 * minute);

let standIn: StandIn;
let stack: Stack;
let service: Service;
let unpublish: (() => Promise<void>) | undefined;
beforeAll(async () => {
	standIn = await startStandIn({ ...hubspot(), ...pipedrive(), ...salesforce() });
	stack = await startStack({ env: standIn.env });
	service = await startService(stack, namedDialects.assumed);
}, 15 * minute);
// In any case, so that no test that failed takes part in the next one.
afterEach(async () => {
	await unpublish?.();
	standIn?.take();
});
afterAll(async () => {
	await service?.sandbox.stop();
	await stack?.stop();
	await standIn?.stop();
});

/** Ends calls, told in one delivery, and returns the requests that the workflow's run sent. */
type Call = (...calls: object[]) => Promise<ReceivedRequest[]>;

/**
 * Imports an example, and publishes it.
 *
 * @param type the credential type of the CRM
 * @param fields the credential's
 * @param parameters what a person then chooses in the CRM's nodes
 */
async function publishExample(
	name: string,
	type: string,
	fields: IDataObject,
	parameters: INodeParameters = {},
): Promise<Call> {
	const { api } = stack.n8n;
	const credentials = { [type]: { id: await api.createCredential(name, type, fields), name } };
	const choices = Object.fromEntries(
		['httpRequest', 'pipedrive', 'salesforce'].map((node) => [
			`n8n-nodes-base.${node}`,
			{ credentials, parameters },
		]),
	);
	const voiceAgent = service.credentials.authorization.id;
	return await publish(await importExample(api, name, voiceAgent, choices));
}

async function publish(id: string): Promise<Call> {
	const { api } = stack.n8n;
	unpublish = () => api.unpublish(id);
	await api.publish(id);
	const [endpoint] = service.sandbox.endpoints();
	return async (...calls) => {
		const before = (await api.executions(id)).length;
		const events = calls.map((data) => createEvent('call.completed', data));
		await post(stack, endpoint?.url ?? '', events);
		const run = await until('the run', 30, async () => {
			const [latest, ...earlier] = await api.executions(id);
			return latest && earlier.length === before && latest;
		});
		const execution = await api.finishedExecution(run.id);
		expect(execution.data.resultData.error).toBeUndefined();
		expect(execution.status).toBe('success');
		return standIn.take();
	};
}

/** What matters of a request, but for the headers. */
const sent = (requests: ReceivedRequest[]) =>
	requests.map(({ method, host, path, query, body }) => ({
		request: `${method} https://${host}${path}`,
		...(Object.keys(query).length > 0 && { query: { ...query } }),
		...(body !== undefined && { body }),
	}));

/** Which requests they are. */
const requestsOf = (requests: Array<{ request: string }>) => requests.map(({ request }) => request);

/** The data of a finished call, with what the expectations name. */
const callFrom = (phone: string, name = 'Ada Lovelace', email?: string) => ({
	...sampleData('call.completed', { customer: { phone, name, email } }),
	ended_at: '2026-03-05T10:03:04.000Z',
	recording_url: 'https://media.example.com/recordings/1.mp3',
});

/** Calls of people who withhold their number, as services tell them. */
const withheld = [
	callFrom('', ''),
	callFrom('anonymous', ''),
	{ ...callFrom(''), customer: null, from: null },
	{ ...callFrom(''), customer: undefined, from: undefined },
];

/** One number, as services may write it. */
const asWritten = ['tel:+14155550123', '+1 (415) 555-0123', '+1.415.555/0123'];
/** The same without its country. */
const national = '(415) 555-0123';

const notes = 'appointment_booked: The customer asked for a demo and booked one for Tuesday at 10.';
const phone = '+14155550123';
const email = 'ada@example.com';

test('Data table: a call updates the record with its number', async () => {
	const { api } = stack.n8n;
	const voiceAgent = service.credentials.authorization.id;
	const { workflowId, tableId } = await importMainExample(api, voiceAgent, 'Customers');
	const call = await publish(workflowId);
	const phones = async () => (await api.dataTableRows(tableId)).map((row) => row.phone).sort();

	await call(callFrom(phone, 'Ada Lovelace', email));
	for (const each of asWritten) await call(callFrom(each));
	expect(await phones()).toEqual([phone]);

	await call(
		{ ...callFrom('+14155550144'), customer: undefined },
		{ ...callFrom('+14155550155'), customer: { phone: '' } },
		{ ...callFrom(''), customer: null, direction: 'outbound', to: '+14155550166' },
		callFrom(national),
		...withheld,
	);
	expect(await phones()).toEqual([
		phone,
		'+14155550144',
		'+14155550155',
		'+14155550166',
		'4155550123',
	]);
});

test('HubSpot: a call is logged on the contact with its number', async () => {
	const appToken = 'pat-na1-of-the-test';
	const call = await publishExample('call-to-hubspot', 'hubspotAppToken', { appToken });

	// https://developers.hubspot.com/docs/api-reference/legacy/crm/search-the-crm (five filter groups
	// at most; the calculated numbers have no country code)
	const equal = (propertyName: string, value: string) => ({
		filters: [{ propertyName, operator: 'EQ', value }],
	});
	const find = {
		request: 'POST https://api.hubapi.com/crm/v3/objects/contacts/search',
		body: {
			filterGroups: [
				equal('phone', phone),
				equal('mobilephone', phone),
				equal('hs_searchable_calculated_phone_number', '4155550123'),
				equal('hs_searchable_calculated_mobile_number', '4155550123'),
				equal('email', email),
			],
			limit: 1,
		},
	};
	// https://developers.hubspot.com/docs/api-reference/legacy/crm/objects/contacts/guide
	const create = {
		request: 'POST https://api.hubapi.com/crm/v3/objects/contacts',
		body: { properties: { phone, email, firstname: 'Ada', lastname: 'Lovelace' } },
	};
	// https://developers.hubspot.com/docs/api-reference/legacy/crm/activities/calls/guide (194 is a
	// call's association with a contact)
	const log = {
		request: 'POST https://api.hubapi.com/crm/v3/objects/calls',
		body: {
			properties: {
				hs_timestamp: '2026-03-05T10:03:04.000Z',
				hs_call_body: notes,
				hs_call_duration: '184000',
				hs_call_from_number: phone,
				hs_call_to_number: '+14155550100',
				hs_call_recording_url: 'https://media.example.com/recordings/1.mp3',
				hs_call_status: 'COMPLETED',
			},
			associations: [
				{
					to: { id: '501' },
					types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 194 }],
				},
			],
		},
	};

	const event = callFrom(phone, 'Ada Lovelace', email);
	const first = await call(event);
	expect(sent(first)).toEqual([find, create, log]);
	expect(sent(await call(event))).toEqual([find, log]);
	for (const { headers } of first) expect(headers.authorization).toBe(`Bearer ${appToken}`);

	const several = sent(await call(callFrom('+14155550177', 'Grace Hopper'), event));
	expect(requestsOf(several)).toEqual(requestsOf([find, find, log, create, log]));
	expect(several[2]).toEqual(log);
	expect(several[4]?.body).toMatchObject({ associations: [{ to: { id: '502' } }] });

	for (const each of asWritten) {
		expect(sent(await call(callFrom(each, 'Ada Lovelace', email)))[0]).toEqual(find);
	}
	const [findNational] = await call(callFrom(national));
	expect(findNational?.body).toMatchObject({
		filterGroups: expect.arrayContaining([
			equal('hs_searchable_calculated_phone_number', '4155550123'),
		]) as object,
	});

	const [, unknown] = await call(callFrom('+14155550199', ''));
	expect(unknown?.body).toEqual({ properties: { phone: '+14155550199' } });
	expect(await call(...withheld)).toEqual([]);
});

test('Pipedrive: a call is logged on the person with its number', async () => {
	const apiToken = 'token-of-the-test';
	const call = await publishExample('call-to-pipedrive', 'pipedriveApi', { apiToken });

	// n8n's credential sends the token here. Pipedrive takes it, but documents a header:
	// https://pipedrive.readme.io/docs/core-api-concepts-authentication
	const query = { api_token: apiToken };
	// https://developers.pipedrive.com/docs/api/v1/Persons#searchPersons (version 2)
	const find = {
		request: 'GET https://api.pipedrive.com/api/v2/persons/search',
		query: { ...query, term: phone, fields: 'phone', exact_match: 'true', limit: '1' },
	};
	// https://developers.pipedrive.com/docs/api/v1/Persons#addPerson (version 2)
	const create = {
		request: 'POST https://api.pipedrive.com/api/v2/persons',
		query,
		body: {
			name: 'Ada Lovelace',
			phones: [{ value: phone, primary: true, label: 'work' }],
			emails: [{ value: email, primary: true, label: 'work' }],
		},
	};
	// https://developers.pipedrive.com/docs/api/v1/Activities#addActivity (version 2: `person_id` is
	// read-only, and set through the primary participant)
	const log = {
		request: 'POST https://api.pipedrive.com/api/v2/activities',
		query,
		body: {
			subject: 'Call with Ada Lovelace',
			type: 'call',
			done: true,
			due_date: '2026-03-05',
			note: `${notes} (184 seconds)`,
			participants: [{ person_id: 701, primary: true }],
		},
	};

	const event = callFrom(phone, 'Ada Lovelace', email);
	expect(sent(await call(event))).toEqual([find, create, log]);
	expect(sent(await call(event))).toEqual([find, log]);

	const several = sent(await call(callFrom('+14155550177', 'Grace Hopper'), event));
	expect(requestsOf(several)).toEqual(requestsOf([find, find, log, create, log]));
	expect(several[2]).toEqual(log);
	expect(several[4]?.body).toMatchObject({ participants: [{ person_id: 702 }] });

	for (const each of asWritten) expect(sent(await call(callFrom(each)))[0]).toEqual(find);
	const [findNational] = await call(callFrom(national));
	expect(findNational?.query).toMatchObject({ term: '4155550123' });

	const [, unknown] = await call(callFrom('+14155550199', ''));
	expect(unknown?.body).toMatchObject({ name: '+14155550199', emails: [] });
	expect(await call(...withheld)).toEqual([]);
});

test('Salesforce: a call is logged on the contact with its number', async () => {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', {
		modulusLength: 2048,
		privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
		publicKeyEncoding: { type: 'spki', format: 'pem' },
	});
	const login = { clientId: 'consumer-key', username: 'admin@example.com' };
	const call = await publishExample(
		'call-to-salesforce',
		'salesforceJwtApi',
		{ environment: 'production', ...login, privateKey },
		{ authentication: 'jwt' },
	);

	const data = 'https://acme.my.salesforce.com/services/data/v59.0';
	// https://developer.salesforce.com/docs/platform/api-rest/guide/resources-query
	// https://developer.salesforce.com/docs/platform/salesforce-soql-sosl/guide/sforce-api-calls-soql-select-agg-functions.html
	const find = {
		request: `GET ${data}/query`,
		query: {
			q:
				"SELECT MIN(Id) contactId FROM Contact WHERE Phone IN ('+14155550123', '(415) 555-0123') " +
				"OR MobilePhone IN ('+14155550123', '(415) 555-0123') " +
				"OR Email = 'ada.o\\'neil@example.com'",
		},
	};
	// https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_contact.htm
	const create = {
		request: `POST ${data}/sobjects/contact`,
		body: { LastName: "O'Neil", FirstName: 'Ada', Phone: phone, Email: "ada.o'neil@example.com" },
	};
	// https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_task.htm
	const log = {
		request: `POST ${data}/sobjects/task`,
		body: {
			Status: 'Completed',
			TaskSubtype: 'Call',
			WhoId: '003RO0000035WQ0YAM',
			Subject: "Call with Ada O'Neil",
			ActivityDate: '2026-03-05',
			Description: `${notes} (184 seconds)`,
		},
	};

	const event = callFrom(phone, "Ada O'Neil", "ada.o'neil@example.com");
	const [signIn, ...first] = await call(event);
	expect(sent(first)).toEqual([find, create, log]);
	for (const { headers } of first) expect(headers.authorization).toBe('Bearer session-of-the-test');
	expect(sent(await call(event))).toEqual([find, log]);

	// https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_jwt_flow.htm
	const { grant_type, assertion } = signIn?.body as Record<string, string>;
	expect(signIn?.path).toBe('/services/oauth2/token');
	expect(grant_type).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
	const verify = createVerifier({ key: publicKey, algorithms: ['RS256'] });
	expect(verify(assertion as string)).toMatchObject({
		iss: login.clientId,
		sub: login.username,
		aud: 'https://login.salesforce.com',
	});

	const several = sent(await call(callFrom('+14155550177', 'Grace Hopper'), event));
	expect(requestsOf(several)).toEqual(requestsOf([find, find, log, create, log]));
	expect(several[2]).toEqual(log);
	expect(several[4]?.body).toMatchObject({ WhoId: '003RO0000035WQ1YAM' });

	for (const each of asWritten) {
		const found = sent(await call(callFrom(each, "Ada O'Neil", "ada.o'neil@example.com")));
		expect(found).toEqual([find, log]);
	}
	const [findNational] = await call(callFrom(national));
	expect(findNational?.query.q).toContain("Phone IN ('4155550123', '(415) 555-0123')");

	const [, unknown] = await call(callFrom('+14155550199', ''));
	expect(unknown?.body).toMatchObject({ LastName: '+14155550199', Phone: '+14155550199' });
	expect(await call(...withheld)).toEqual([]);
});
