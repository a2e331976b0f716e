import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { type CallDetails, readCallDetails } from '../../nodes/VoiceAgent/trigger/callDetails';
import { namedDialects } from '../../sandbox/dialects';
import { importExample, importMainExample } from '../../sandbox/stack/example';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { judge, type Payload, readPayloads } from '../support/callPayloads';
import { customerTable, type KnownPerson } from '../support/crms';
import { type Table, tableNamed } from '../support/dataTables';
import {
	dataTableExample,
	hubspotExample,
	pipedriveExample,
	type RecordingExample,
	type Sent,
	salesforceCrm,
	salesforceExample,
	sent,
	sheets,
	sheetsExample,
	timezone,
} from '../support/recordingExamples';
import { type StandIn, startStandIn } from '../support/standIn';
import { post, type Service, startService } from './harness';

const minute = 60_000;
jest.setTimeout(minute);

/** In `npm test` those of a few services, with every state of the person; `npm run test:examples` has all. */
const payloads = readPayloads('documented').filter(
	({ service }) => process.env.EXAMPLES === 'all' || /^(Aircall|Telnyx|Vapi)$/.test(service),
);

/** What the CRM knows of the person before the call. */
const knowledge = {
	nobody: () => [],
	'their number': ({ phone }) => [{ name: 'Grace Hopper', phone: phone ?? undefined }],
	'their number, as a person writes it': ({ phone }) => [
		{ name: 'Grace Hopper', phone: phone ? written(phone) : undefined },
	],
	'two with the number': ({ phone, email }) => [
		{ name: 'Grace Hopper', phone: phone ?? undefined, email: email ?? undefined },
		{ name: 'Vincent Hopper', phone: phone ? written(phone) : undefined, email: 'v@example.com' },
	],
	'their e-mail': ({ email }) => [{ name: 'Grace Hopper', email: email?.toUpperCase() }],
	'their mobile number, without the country': ({ phone }) => [
		{ name: 'Grace Hopper', mobile: phone?.replace(/^\+1/, '') },
	],
} satisfies Record<string, (customer: CallDetails['customer']) => KnownPerson[]>;
type Knowledge = keyof typeof knowledge;

/** The number `+14155550187` as `(415) 555-0187`. */
const written = (phone: string) => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');

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
			if (!customer.phone) return { person: 'new', ends: 'logged' };
			return { person: undefined, ends: 'ambiguous' };
		default:
			return { person: customer.phone ? first : 'new', ends: 'logged' };
	}
}

const payload = (service: string, variant: RegExp) =>
	payloads.find((one) => one.service === service && variant.test(one.variant)) as Payload;
const vapi = payload('Vapi', /^inbound/);
const aircallIn = payload('Aircall', /^inbound, answered/);
const aircallOut = payload('Aircall', /^outbound/);
const withheld = payload('Aircall', /anonymous/);
const nobody = payload('Telnyx', /^call.hangup/);

const counts = {
	runs: 0,
	'runs green without the record': 0,
	'lost values': 0,
	duplicates: 0,
	'wrong persons': 0,
};

let standIn: StandIn;
let stack: Stack;
let service: Service;
let customers: Table;
let calls: Table;
const crmExamples = [hubspotExample, pipedriveExample, salesforceExample, sheetsExample];
const examples = [dataTableExample(customerTable(() => ({ customers, calls }))), ...crmExamples];
beforeAll(async () => {
	standIn = await startStandIn(Object.assign({}, ...examples.map(({ crm }) => crm.hosts)));
	stack = await startStack({ env: standIn.env });
	service = await startService(stack, namedDialects.assumed);
}, 15 * minute);
afterAll(async () => {
	await service?.sandbox.stop();
	await stack?.stop();
	await standIn?.stop();
	const lines = Object.entries(counts).map(([what, count]) => `  ${what}: ${count}\n`);
	process.stdout.write(`Examples that record calls\n${lines.join('')}`);
});

/** Imports an example with what a person chooses in it. */
async function imported({ name, credential, parameters = {} }: RecordingExample): Promise<string> {
	const { api } = stack.n8n;
	const voiceAgent = service.credentials.authorization.id;
	if (!credential) {
		const table = `Customers of test ${randomUUID()}`;
		const { workflowId } = await importMainExample(api, voiceAgent, table);
		customers = tableNamed(api, table);
		calls = tableNamed(api, workflowId);
		return workflowId;
	}
	const id = await api.createCredential(name, credential.type, credential.fields);
	const chosen = { credentials: { [credential.type]: { id, name } }, parameters };
	return await importExample(api, name, voiceAgent, {
		'n8n-nodes-base.httpRequest': chosen,
		'n8n-nodes-base.salesforce': chosen,
		'n8n-nodes-base.googleSheets': chosen,
	});
}

/** Puts a value into a field of the node that says what is a person's to fill in. */
function fillIn({ nodes }: WorkflowJson, field: string, value: string): void {
	const node = nodes.find(({ name }) => name === 'Call');
	const { assignments } = node?.parameters.assignments as { assignments: INodeParameters[] };
	const assignment = assignments.find(({ name }) => name === field);
	if (assignment) assignment.value = value;
}

/** Imports an example, and publishes it for every event. */
async function publish(example: RecordingExample) {
	const { api } = stack.n8n;
	const workflowId = await imported(example);
	const { nodes, settings, ...rest } = await api.workflow(workflowId);
	const trigger = nodes.find(({ type }) => type.endsWith('.voiceAgentTrigger'));
	if (trigger) trigger.parameters.events = [];
	fillIn(
		{ nodes, ...rest },
		'spreadsheet',
		'https://docs.google.com/spreadsheets/d/1SheetOfTheTest-0123456789abcdefghijklmnopqrs',
	);
	await api.updateWorkflow(workflowId, { nodes, settings: { ...settings, timezone } });
	await api.publish(workflowId);
	const endpoint = service.sandbox.endpoints().at(-1);
	const done = tableNamed(api, workflowId);
	return {
		/** Delivers a body, and tells how the run ended: `green`, or `red` and why. */
		async deliver(body: object, headers?: Record<string, string>) {
			counts.runs++;
			const { status } = await post(stack, endpoint?.url ?? '', body, headers);
			const ended = status === 200 ? 'green' : `red: ${await lastError(workflowId)}`;
			const requests = sent(standIn.take()).filter(
				({ request }) => !/\/token$/.test(request) && !example.reads?.test(request),
			);
			return { ended, requests };
		},
		done,
		unpublish: async () => await api.unpublish(workflowId),
	};
}

async function lastError(workflowId: string): Promise<string | undefined> {
	const [latest] = await stack.n8n.api.executions(workflowId);
	const { data } = await stack.n8n.api.finishedExecution(latest?.id ?? '');
	return data.resultData.error?.message;
}

/** Counts what of the records before is there no more; what an event tells may take its place. */
function countLost(before: object, after: object = {}, told: object = {}): void {
	for (const [field, value] of Object.entries(before)) {
		const now = (after as Record<string, unknown>)[field];
		const isKept = JSON.stringify(now) === JSON.stringify(value);
		const isTold = now !== null && now !== undefined && now !== '' && field in told;
		if (!isKept && !isTold) counts['lost values']++;
	}
}

/** The cases of an example: each payload, and in turn what the CRM knows. */
function casesOf(all: Payload[]) {
	const kinds = Object.keys(knowledge) as Knowledge[];
	let next = 0;
	return all.map((payload) => {
		const { customer } = readCallDetails(payload.body);
		const isFound = customer.phone !== null || customer.email !== null;
		const known = (isFound ? kinds[next++ % kinds.length] : 'nobody') as Knowledge;
		return { payload, known, title: `${payload.service}, ${payload.variant}` };
	});
}

describe.each(examples)('$name', (example) => {
	const { crm } = example;
	let workflow: Awaited<ReturnType<typeof publish>>;
	beforeAll(async () => {
		workflow = await publish(example);
	});
	afterAll(() => workflow?.unpublish());
	beforeEach(() => workflow.done.clear());

	test.each(casesOf(payloads))(
		'$title, where the CRM knows $known',
		async ({ payload: { body, headers, expected }, known }) => {
			const call = readCallDetails(body);
			const outcome = outcomeOf(call, known);
			await crm.know([...decoys, ...knowledge[known](call.customer)]);
			const before = structuredClone(await crm.people());
			const ids = Object.keys(before);

			const first = await workflow.deliver(body, headers);
			const logged = await crm.calls();
			const second = await workflow.deliver(body, headers);

			const after = structuredClone(await crm.people());
			const personId =
				outcome.person === 'new'
					? Object.keys(after).find((id) => !ids.includes(id))
					: ids[outcome.person ?? -1];
			for (const id of ids) {
				countLost(before[id] ?? {}, after[id], id === personId ? example.record?.(call) : {});
			}
			counts.duplicates += Math.max(0, (await crm.calls()).length - 1);
			counts.duplicates += Math.max(0, Object.keys(after).length - ids.length - 1);
			if (
				judge('customerPhone', expected.customerPhone, call.customer.phone) === 'wrong' ||
				judge('customerEmail', expected.customerEmail, call.customer.email) === 'wrong' ||
				(logged.length > 0 && logged[0]?.personId !== personId)
			) {
				counts['wrong persons']++;
			}
			if (outcome.ends !== 'told' && first.ended === 'green' && logged.length === 0) {
				counts['runs green without the record']++;
			}

			if (outcome.ends === 'told') {
				expect(first.ended).toMatch(/^red: Who was on the line can't be told .*"Call"/);
				expect(second.ended).toBe('green');
				expect([...first.requests, ...second.requests]).toEqual([]);
				expect(await workflow.done.rows()).toMatchObject([{ status: 'no person' }]);
				expect([after, await crm.calls()]).toEqual([before, []]);
				return;
			}
			if (outcome.ends === 'ambiguous') {
				expect(first.ended).toMatch(/^red: Several .* fit /);
				expect(second.ended).toBe(first.ended);
				expect(first.requests).toHaveLength(example.find(call).length);
				expect([after, await crm.calls()]).toEqual([before, []]);
				expect(await workflow.done.rows()).toEqual([]);
				return;
			}

			expect([first.ended, second.ended]).toEqual(['green', 'green']);
			const find = call.customer.phone || call.customer.email ? example.find(call) : [];
			// Searches of one node are sent at once, in any order.
			expect(first.requests.slice(0, find.length)).toEqual(expect.arrayContaining(find));
			const change =
				outcome.person === 'new'
					? example.create(call)
					: personId
						? (example.update?.(call, personId) ?? [])
						: [];
			expect(first.requests.slice(find.length)).toEqual([
				...change,
				...example.ask(call, personId),
				...example.log(call, personId),
			]);
			expect(second.requests).toEqual([]);
			expect(logged).toHaveLength(1);
			if (call.id) expect(logged).toEqual([{ personId, callId: call.id }]);
			if (personId && example.record) {
				expect(after[personId]).toMatchObject({ ...before[personId], ...example.record(call) });
			}
			expect(await workflow.done.rows()).toMatchObject([
				{ status: expect.stringMatching(personId ? /^logged$/ : /^logged/) as string },
			]);

			// As after a crash between the log and what remembers it.
			await workflow.done.clear();
			expect((await workflow.deliver(body, headers)).ended).toBe('green');
			expect(await crm.calls()).toEqual(logged);
			expect(Object.keys(await crm.people())).toEqual(Object.keys(after));
		},
	);

	const { writes } = example;
	const failures = (['create', 'log'] as const).flatMap((step) =>
		(['refused', 'lost'] as const).map((how) => ({ step, how })),
	);
	(writes ? test.each(failures) : test.skip.each(failures))(
		'a request to $step that is $how is not sent again, and the next delivery logs the call once',
		async ({ step, how }) => {
			const { body } = vapi;
			const call = readCallDetails(body);
			await crm.know(decoys);
			const isIt = ({ request }: Sent) => writes?.[step].test(request);
			standIn.failNext(writes?.[step] ?? /^$/, how);
			const first = await workflow.deliver(body);
			expect(first.ended).toMatch(/^red: /);
			expect(first.requests.filter(isIt)).toHaveLength(1);
			expect((await workflow.deliver(body)).ended).toBe('green');
			expect((await workflow.deliver(body)).requests).toEqual([]);

			const people = Object.keys(await crm.people());
			expect(people).toHaveLength(decoys.length + 1);
			expect(await crm.calls()).toEqual([{ personId: people.at(-1), callId: call.id }]);
		},
	);

	test('calls that come together are kept one by one, before the one of nobody stops the run', async () => {
		await crm.know(decoys);
		const bodies = [vapi.body, aircallOut.body, withheld.body, nobody.body];
		const first = await workflow.deliver(bodies);
		expect(first.ended).toMatch(/^red: Who was on the line/);
		expect((await workflow.deliver(bodies)).ended).toBe('green');
		const people = Object.keys(await crm.people());
		expect(people).toHaveLength(decoys.length + 1);
		expect((await crm.calls()).map(({ callId }) => callId)).toEqual(
			bodies.slice(0, 3).map((body) => readCallDetails(body).id),
		);
	});
});

test('HubSpot: a contact that has the e-mail as another one of theirs is taken', async () => {
	const { crm } = hubspotExample;
	const workflow = await publish(hubspotExample);
	await crm.know([{ name: 'Grace Hopper', email: 'old@example.com' }]);
	const [contact] = Object.values(await crm.people()) as Array<Record<string, string>>;
	const { customer } = readCallDetails(aircallIn.body);
	// Where HubSpot's search does not show it, the creation does.
	Object.assign(contact ?? {}, { hs_additional_emails: customer.email });
	expect((await workflow.deliver(aircallIn.body)).ended).toBe('green');
	expect(await crm.calls()).toMatchObject([{ personId: '501' }]);
	expect(Object.keys(await crm.people())).toEqual(['501']);
	await workflow.unpublish();
});

test('Salesforce: an open lead is taken, a converted one is not', async () => {
	const { crm } = salesforceExample;
	const workflow = await publish(salesforceExample);
	const { customer } = readCallDetails(vapi.body);
	const lead = { name: 'Grace Hopper', phone: written(customer.phone ?? '') };
	const callOf = async (known: () => void) => {
		await crm.know([]);
		known();
		await workflow.done.clear();
		expect((await workflow.deliver(vapi.body)).ended).toBe('green');
		const people = Object.keys(await crm.people());
		return { people, call: (await crm.calls())[0] };
	};
	const open = await callOf(() => salesforceCrm.knowLeads([lead], false));
	expect(open.people).toHaveLength(1);
	expect(open.call?.personId).toBe(open.people[0]);
	const converted = await callOf(() => salesforceCrm.knowLeads([lead], true));
	expect(converted.people).toHaveLength(2);
	expect(converted.call?.personId).toBe(converted.people[1]);
	await workflow.unpublish();
});

test('Google Sheets: empty sheets get their columns', async () => {
	const workflow = await publish(sheetsExample);
	Object.assign(sheets.sheets, { Customers: [], Calls: [] });
	expect((await workflow.deliver(aircallIn.body)).ended).toBe('green');
	expect((await workflow.deliver(aircallOut.body)).ended).toBe('green');
	const call = readCallDetails(aircallOut.body);
	expect(await sheetsExample.crm.people()).toEqual({
		2: expect.objectContaining({ phone: call.customer.phone, last_call_id: call.id }) as object,
	});
	expect(await sheetsExample.crm.calls()).toHaveLength(2);
	await workflow.unpublish();
});

test.each(examples)('$name can be imported twice, and both published', async (example) => {
	const workflows = [await publish(example), await publish(example)];
	const urls = service.sandbox.endpoints().map(({ url }) => url.split('?')[0]);
	expect(new Set(urls).size).toBe(2);
	for (const { unpublish } of workflows) await unpublish();
});
