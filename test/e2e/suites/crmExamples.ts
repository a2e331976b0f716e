import { readCallDetails } from '../../../nodes/VoiceAgent/callDetails/callDetails';
import { namedDialects } from '../../../sandbox/dialects';
import type { Stack } from '../../../sandbox/stack/stack';
import { judge, type Payload, readPayloads } from '../../support/callPayloads';
import { customerTable } from '../../support/crms/dataTable';
import type { Table } from '../../support/dataTables';
import {
	type Case,
	casesOf,
	decoys,
	knowledge,
	outcomeOf,
	written,
} from '../../support/exampleCases';
import { type PublishedExample, publishExample } from '../../support/publishedExample';
import {
	dataTableExample,
	hubspotExample,
	pipedriveExample,
	type RecordingExample,
	salesforceCrm,
	salesforceExample,
	type Sent,
	sheets,
	sheetsExample,
} from '../../support/recordingExamples';
import type { StandIn } from '../../support/standIn';
import { type Service, sharedN8n, standInFor, startService } from '../harness';

/** In `npm test` those of a few services, with every state of the person; `npm run test:examples` has all. */
const few = /^(Aircall|Vapi|Voiso)$/;
const chosen = readPayloads('tuning').filter(
	({ service }) => process.env.EXAMPLES === 'all' || few.test(service),
);
/** Whether the customer has a British number; all others have a US number. */
const isBritish = ({ body }: Payload) => JSON.stringify(body).includes('2079460321');
const payloads = chosen.filter((payload) => !isBritish(payload));
const british = chosen.filter(isBritish);

const payload = (service: string, variant: RegExp) =>
	readPayloads('tuning').find(
		(one) => one.service === service && variant.test(one.variant),
	) as Payload;
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
	// What nothing outside the CRM can rule out; told in the notes.
	'calls made twice by two deliveries at the same moment': 0,
};

let standIn: StandIn;
let stack: Stack;
let service: Service;
let customers: Table;
let calls: Table;
const crmExamples = [hubspotExample, pipedriveExample, salesforceExample, sheetsExample];
const examples = [dataTableExample(customerTable(() => ({ customers, calls }))), ...crmExamples];
standInFor(Object.fromEntries(examples.flatMap(({ crm }) => Object.entries(crm.hosts))));
beforeAll(async () => {
	({ stack, standIn } = sharedN8n());
	service = await startService(stack, namedDialects.assumed);
});
afterAll(async () => {
	await service?.sandbox.stop();
	const lines = Object.entries(counts).map(([what, count]) => `  ${what}: ${count}\n`);
	process.stdout.write(`Examples that record calls\n${lines.join('')}`);
});

async function publish(example: RecordingExample): Promise<PublishedExample> {
	const published = await publishExample({ stack, service, standIn }, example);
	if (published.customers) [customers, calls] = [published.customers, published.done];
	return {
		...published,
		async deliver(body, headers) {
			counts.runs++;
			return await published.deliver(body, headers);
		},
	};
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

describe.each(examples)('$name', (example) => {
	const { crm } = example;
	let workflow: PublishedExample;
	beforeAll(async () => {
		workflow = await publish(example);
	});
	afterAll(() => workflow?.unpublish());
	beforeEach(() => workflow.done.clear());

	/** Delivers a payload twice, and once more as after a crash. */
	const deliverAll =
		(countryCode: string) =>
		async ({ payload: { body, headers, expected }, known }: Case) => {
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
			const isMissing = expected.person === 'found' ? !logged[0]?.personId : logged.length === 0;
			if (first.ended === 'green' && isMissing) counts['runs green without the record']++;

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
				expect(first.requests).toHaveLength(example.find(call, countryCode).length);
				expect([after, await crm.calls()]).toEqual([before, []]);
				expect(await workflow.done.rows()).toEqual([]);
				return;
			}

			expect([first.ended, second.ended]).toEqual(['green', 'green']);
			const find =
				call.customer.phone || call.customer.email ? example.find(call, countryCode) : [];
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
		};
	test.each(casesOf(payloads))('$title, where the CRM knows $known', deliverAll('1'));

	const { writes } = example;
	const failures = (['create', 'log'] as const).flatMap((step) =>
		(['refused', 'lost'] as const).map((how) => ({ step, how })),
	);
	// A data table of n8n's own refuses nothing.
	for (const { step, how } of writes ? failures : []) {
		test(`a request to ${step} that is ${how} is not sent again, and the next delivery logs the call once`, async () => {
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
		});
	}

	test('two deliveries of a call at the same moment make it at least once', async () => {
		await crm.know(decoys);
		const both = [workflow.deliver(vapi.body), workflow.deliver(vapi.body)];
		const runs = await Promise.all(both);
		if (runs.some(({ ended }) => ended !== 'green')) await workflow.deliver(vapi.body);
		const made = (await crm.calls()).length;
		expect(made).toBeGreaterThan(0);
		counts['calls made twice by two deliveries at the same moment'] += made - 1;
	});

	test('where the event has no id, its content tells the calls apart', async () => {
		await crm.know(decoys);
		const call = { event: 'call.completed', direction: 'inbound', from: '+14155550187' };
		for (const summary of ['First.', 'Second.']) {
			for (let times = 1; times <= 2; times++) {
				const { ended } = await workflow.deliver({ ...call, to: '+14155550100', summary });
				expect(ended).toBe('green');
			}
		}
		expect(await crm.calls()).toHaveLength(2);
		expect(Object.keys(await crm.people())).toHaveLength(decoys.length + 1);
	});

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

	describe('from Britain', () => {
		beforeAll(() => workflow.fillIn({ countryCode: '+44' }));
		test.each(casesOf(british))('$title, where the CRM knows $known', deliverAll('44'));
	});
});

test('an event of nobody is done once its fields are named', async () => {
	const { crm } = hubspotExample;
	const workflow = await publish(hubspotExample);
	await crm.know(decoys);
	expect((await workflow.deliver(nobody.body)).ended).toMatch(/^red/);
	await workflow.fillIn({ 'callDetails.customer.phone': '={{ $json.data.payload.from }}' });
	await workflow.done.clear();
	expect((await workflow.deliver(nobody.body)).ended).toBe('green');
	expect(await crm.calls()).toMatchObject([{ personId: expect.any(String) as string }]);
	await workflow.unpublish();
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
	for (const workflow of workflows) await workflow.unpublish();
});
