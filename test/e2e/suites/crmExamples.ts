import type { IDataObject } from 'n8n-workflow';
import { readCallDetails } from '../../../nodes/VoiceAgent/callDetails/callDetails';
import { defaultDialect } from '../../../sandbox/dialects';
import { sampleData } from '../../../sandbox/service/events';
import { isLacking } from '../../../sandbox/stack/features';
import { chosenLine } from '../../../sandbox/stack/install-n8n';
import type { Stack } from '../../../sandbox/stack/stack';
import { until } from '../../../sandbox/stack/until';
import { judge, readPayloads } from '../../support/callPayloads';
import { LOGGING_DIALECT } from '../../support/caughtUpEvents';
import { type CrmContent, crmContents, decoys, outcomeOf } from '../../support/exampleCases';
import { type PublishedExample, publishExample } from '../../support/publishedExample';
import { type RecordingExample, recordingExamples } from '../../support/recordingExamples';
import type { StandIn } from '../../support/standIn';
import { type Service, sharedN8n, addStandIns, startService } from '../harness';

/** The services whose payloads `npm test` uses; `EXAMPLES=all` uses all. */
const few = /^(Aircall|Vapi|Voiso)$/;
const payloads = readPayloads('tuning').filter(
	({ service }) => process.env.EXAMPLES === 'all' || few.test(service),
);

/** The counts of faults, which have to be 0. */
const faults = {
	'executions that end green without a record': 0,
	'wrong persons': 0,
	'erased or outdated values': 0,
	'duplicates by redelivery': 0,
};
/** The expected and actual rows and executions of each example. */
const tallies: Record<string, Record<string, { expected: number; actual: number }>> = {};

let stack: Stack;
let standIn: StandIn;
let service: Service;
const examples = recordingExamples.filter(({ needs }) => !needs || !isLacking(chosenLine(), needs));
addStandIns(Object.assign({}, ...examples.map(({ crm }) => crm?.hosts)) as object as never);
beforeAll(async () => {
	({ stack, standIn } = sharedN8n());
	service = await startService(stack, { ...defaultDialect, ...LOGGING_DIALECT });
});
afterAll(async () => {
	await service?.sandbox.stop();
	const lines = Object.entries(tallies).flatMap(([name, tally]) => [
		name,
		...Object.entries(tally).map(
			([what, { expected, actual }]) => `  ${what}: ${actual} of ${expected}`,
		),
	]);
	for (const [what, count] of Object.entries(faults)) lines.push(`${what}: ${count}`);
	process.stdout.write(`Examples that record calls\n${lines.join('\n')}\n`);
});

/** Adds expected and actual counts to the printed table. */
function count(example: RecordingExample, what: string, expected: number, actual: number): void {
	const tally = ((tallies[example.name] ??= {})[what] ??= { expected: 0, actual: 0 });
	tally.expected += expected;
	tally.actual += actual;
}

/** Counts the values of a record that were erased. */
function countErased(before: object, after: object = {}): void {
	for (const [field, value] of Object.entries(before)) {
		const isEmpty = (text: unknown) => text === null || text === undefined || text === '';
		if (!isEmpty(value) && isEmpty((after as IDataObject)[field])) {
			faults['erased or outdated values']++;
		}
	}
}

describe.each(examples.filter(({ table }) => table))('$name', (example) => {
	let workflow: PublishedExample;
	beforeAll(async () => {
		workflow = await publishExample({ stack, service }, example);
	});
	afterAll(() => workflow?.unpublish());
	beforeEach(() => workflow.clearCalls());

	const kinds = Object.keys(crmContents) as CrmContent[];
	let next = 0;
	const cases = payloads.map((payload) => {
		const isFound = readCallDetails(payload.body).person === 'found';
		const known = (isFound ? kinds[next++ % kinds.length] : 'no match') as CrmContent;
		return { payload, known, title: `${payload.service}, ${payload.variant}` };
	});

	test.each(cases)('$title, where the CRM has $known', async ({ payload, known }) => {
		const { crm } = workflow;
		const { body, headers, expected } = payload;
		const call = readCallDetails(body);
		const outcome = outcomeOf(call, known, example.finds);
		const isGreen = outcome.ends === 'logged' || outcome.ends === 'no customer';
		await crm.reset([...decoys, ...crmContents[known](call.customer)]);
		const before = structuredClone(await crm.people());
		const ids = Object.keys(before);

		const ended = [await workflow.deliver(body, headers)];
		const [logged, calls] = [await crm.logged(), await workflow.calls()];
		const people = structuredClone(await crm.people());
		ended.push(await workflow.deliver(body, headers));

		const made = Object.keys(people).filter((id) => !ids.includes(id));
		const isNew = outcome.ends === 'logged' && outcome.person === 'new';
		const person =
			outcome.ends !== 'logged' ? undefined : isNew ? made[0] : ids[outcome.person as number];
		const green = ended.filter((end) => end === 'green').length;
		count(example, 'green executions', isGreen ? 2 : 0, green);
		count(example, 'new customers', isNew ? 1 : 0, made.length);
		count(example, 'calls on a customer', person ? 1 : 0, logged.length);
		count(example, 'rows of calls', isGreen ? 1 : 0, calls.length);
		for (const id of ids) countErased(before[id] ?? {}, people[id]);
		const isMissing = calls.length === 0 || (call.person === 'found' && logged.length === 0);
		if (ended[0] === 'green' && isMissing) {
			faults['executions that end green without a record']++;
		}
		if (
			judge('customerPhone', expected.customerPhone, call.customer.phone) === 'wrong' ||
			logged.some((id) => id !== person) ||
			ids.some((id) => id !== person && JSON.stringify(before[id]) !== JSON.stringify(people[id]))
		) {
			faults['wrong persons']++;
		}
		faults['duplicates by redelivery'] +=
			(await workflow.calls()).length - calls.length + (await crm.logged()).length - logged.length;

		const error =
			{
				unknown:
					known === 'two people with the number'
						? /^red: (Several|.*Call Details Mapping)/
						: /^red: .*Call Details Mapping.* customer\.phone/,
				several: /^red: Several/,
			}[outcome.ends as 'unknown'] ?? /^green$/;
		expect(ended).toEqual([expect.stringMatching(error), expect.stringMatching(error)]);
		expect(logged).toEqual(person ? [person] : []);
		expect(calls.map(({ call_id }) => call_id)).toEqual(isGreen ? [call.id] : []);
		expect(await crm.people()).toEqual(people);
	});

	/** @returns an event of the same customer, at an hour of the same day */
	const eventAt = (hour: number, more: IDataObject = {}) => ({
		event: 'call.completed',
		call_id: `call_at_${hour}`,
		...{ direction: 'inbound', from: '+14155550187', to: '+14155550100' },
		started_at: `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`,
		...more,
	});
	const full = {
		customer_name: 'Ada Lovelace',
		customer_email: 'ada@example.com',
		outcome: 'sold',
	};

	test('events out of order, and events without values, erase and outdate no value', async () => {
		const { crm } = workflow;
		await crm.reset(decoys);
		const bodies = [
			eventAt(12, { ...full, summary: 'The newest.', duration_seconds: 60 }),
			eventAt(9, { summary: 'An older one.', outcome: 'lost', customer_name: 'Eve' }),
			eventAt(12, { summary: 'The newest, in other words.' }),
			eventAt(15),
		];
		let row: IDataObject = {};
		for (const [index, body] of bodies.entries()) {
			expect(await workflow.deliver(body)).toBe('green');
			const now = Object.values(await crm.people()).at(-1) as IDataObject;
			countErased(row, now);
			const { last_call_id: id, last_call_at: at, ...rest } = now;
			if (index > 0 && rest.last_summary !== row.last_summary)
				faults['erased or outdated values']++;
			if (id) expect([id, at]).toEqual([bodies[index === 3 ? 3 : 0]?.call_id, expect.anything()]);
			if (index > 0) expect(rest).toMatchObject(row);
			row = { ...rest };
			const calls = await workflow.calls();
			expect(calls.find(({ call_id }) => call_id === 'call_at_12')?.summary).toBe('The newest.');
		}
		expect((await workflow.calls()).length).toBe(3);
		expect(Object.keys(await crm.people())).toHaveLength(decoys.length + 1);
	});

	test('a new customer has a first and a last name', async () => {
		const { crm } = workflow;
		await crm.reset(decoys);
		const caller = { from: '+14155557777', customer_name: 'Ada King Lovelace' };
		expect(await workflow.deliver(eventAt(12, caller))).toBe('green');
		const made = Object.values(await crm.people()).at(-1) as Record<string, string>;
		// Pipedrive splits the name itself.
		const names = [made.name, made.firstname, made.FirstName, made.lastname, made.LastName];
		expect(names.filter(Boolean).join(' ')).toBe('Ada King Lovelace');
	});

	const write = /POST .*(activities|engagements|task|Calls.*append)$/;
	// A data table refuses no write.
	(example.crm ? test : test.skip)(
		'a call that the CRM refused is recorded once by later deliveries',
		async () => {
			const { crm } = workflow;
			await crm.reset(decoys);
			standIn.refuseNext(write);
			expect(await workflow.deliver(eventAt(12, full))).toMatch(/^red: /);
			expect(await workflow.calls()).toEqual([]);
			for (let times = 1; times <= 2; times++) {
				expect(await workflow.deliver(eventAt(12, full))).toBe('green');
			}
			expect(await crm.logged()).toEqual(Object.keys(await crm.people()).slice(decoys.length));
			expect(await workflow.calls()).toHaveLength(1);
		},
	);

	test('two simultaneous deliveries of an event record its call once', async () => {
		await workflow.crm.reset(decoys);
		const deliver = () => workflow.deliver(eventAt(12), { 'x-delivery-id': 'twice' });
		expect(await Promise.all([deliver(), deliver()])).toEqual(['green', 'green']);
		expect(await workflow.calls()).toHaveLength(1);
	});

	test('a delivery of several events fails and writes no record', async () => {
		await workflow.crm.reset(decoys);
		expect(await workflow.deliver([eventAt(9), eventAt(12)])).toMatch(/^red: /);
		expect(await workflow.calls()).toEqual([]);
		expect(Object.keys(await workflow.crm.people())).toHaveLength(decoys.length);
	});
});

test('each example records a call that only a poll found', async () => {
	const workflows: PublishedExample[] = [];
	for (const example of examples) {
		const workflow = await publishExample({ stack, service }, example);
		await workflow.crm.reset(decoys);
		await workflow.clearCalls();
		workflows.push(workflow);
	}
	const data = sampleData('call.completed') as { call_id: string };
	await stack.proxy.close();
	service.sandbox.emit('call.completed', data);
	await service.sandbox.settled();
	stack.proxy.open();
	for (const [index, workflow] of workflows.entries()) {
		const ends = await until('the execution of a poll', 90, async () => {
			const all = await workflow.ends();
			return /success|error/.test(all.join()) && all;
		});
		const calls = await workflow.calls();
		count(examples[index] as RecordingExample, 'calls that a poll found', 1, calls.length);
		expect(ends).toEqual(['trigger success']);
		expect(calls.map(({ call_id }) => call_id)).toEqual([data.call_id]);
		expect(await workflow.crm.logged()).toHaveLength(1);
		await workflow.unpublish();
	}
});

test('all fault counts are 0', () => {
	expect(Object.values(faults)).toEqual([0, 0, 0, 0]);
});

test.each(examples)('two copies of $name can be published', async (example) => {
	const workflows = [];
	for (let copy = 0; copy < 2; copy++) {
		workflows.push(await publishExample({ stack, service }, example));
	}
	const urls = service.sandbox.endpoints().map(({ url }) => url.split('?')[0]);
	expect(new Set(urls).size).toBe(2);
	for (const workflow of workflows) await workflow.unpublish();
});
