import { readCallDetails } from '../../../nodes/VoiceAgent/callDetails/callDetails';
import { defaultDialect } from '../../../sandbox/dialects';
import { sampleData } from '../../../sandbox/service/events';
import { isLacking } from '../../../sandbox/stack/features';
import { chosenLine } from '../../../sandbox/stack/install-n8n';
import type { Stack } from '../../../sandbox/stack/stack';
import { until } from '../../../sandbox/stack/until';
import { judge, readPayloads } from '../../support/callPayloads';
import { LOGGING_DIALECT } from '../../support/caughtUpEvents';
import type { CrmRecord } from '../../support/crms/crm';
import { type CrmContent, crmContents, decoys, outcomeOf } from '../../support/exampleCases';
import { type CrmRun, crmRuns, sold } from '../../support/crmRuns';
import { deliverAll, type PublishedExample, publishExample } from '../../support/publishedExample';
import { recordingExamples } from '../../support/recordingExamples';
import type { StandIn } from '../../support/standIn';
import { type Service, sharedN8n, addStandIns, startService } from '../harness';

/** The services whose payloads `npm test` uses; `EXAMPLES=all` uses all. */
const few = /^(Aircall|Vapi|Voiso)$/;
const payloads = readPayloads('tuning').filter(
	({ service }) => process.env.EXAMPLES === 'all' || few.test(service),
);

/** The faults of a run: how many records or values are not as expected. */
const noFaults = { wrong: 0, missing: 0, erased: 0, twice: 0 };
const lines: string[] = [];

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
	process.stdout.write(`Examples with a CRM: records ${Object.keys(noFaults).join(', ')}\n`);
	process.stdout.write(`${lines.join('\n')}\n`);
});

/** Counts the faults of the CRM after a run. */
function faultsOf(run: CrmRun, ids: string[], records: CrmRecord[]) {
	const faults = { ...noFaults };
	const people = (run.known?.length ?? 0) + (run.made ?? 0) + (run.spare ?? 0);
	faults.missing = Math.max(0, run.records.length - records.length);
	faults.twice =
		Math.max(0, records.length - run.records.length) + Math.max(0, ids.length - people);
	for (const [index, { person, whose = /^$/, ...values }] of run.records.entries()) {
		const record = records[index];
		const expected = person === 'any' ? record?.person : ids[person ?? -1];
		if (record?.person !== expected || !whose.test(record?.whose ?? '')) faults.wrong++;
		for (const [name, value] of Object.entries(values)) {
			const found = record?.[name as 'outcome'];
			if (found !== value) faults[found ? 'wrong' : 'erased']++;
		}
	}
	return faults;
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
		const end = outcome.ends === 'unknown' ? /^red: .*Call Details Mapping/ : /^green$/;
		await crm.reset([...decoys, ...crmContents[known](call.customer)]);
		const before = await crm.people();
		const ids = Object.keys(before);
		expect(judge('customerPhone', expected.customerPhone, call.customer.phone)).not.toBe('wrong');
		for (let times = 0; times < 2; times++) {
			expect(await workflow.deliver(body, headers)).toMatch(end);
			const people = await crm.people();
			const made = Object.keys(people).slice(ids.length);
			const isNew = outcome.ends === 'logged' && outcome.person === 'new';
			const person =
				outcome.ends === 'logged' ? [isNew ? made[0] : ids[Number(outcome.person)]] : [];
			expect(made).toHaveLength(isNew ? 1 : 0);
			expect(people).toMatchObject(before);
			expect(await crm.logged()).toEqual(person);
			expect(crm.records?.()).toHaveLength(outcome.ends === 'unknown' ? 0 : 1);
			const calls = (await workflow.calls()).map(({ call_id }) => call_id);
			expect(calls).toEqual(outcome.ends === 'unknown' ? [] : [call.id]);
		}
	});

	test.each(Object.entries(crmRuns))('%s', async (title, run) => {
		const { crm } = workflow;
		await crm.reset(run.known ?? []);
		const ended = await deliverAll(workflow, run);
		const [ids, records] = [Object.keys(await crm.people()), crm.records?.() ?? []];

		const faults = faultsOf(run, ids, records);
		lines.push(`  ${Object.values(faults).join(' ')}  ${example.name}: ${title}`);
		for (const { event, end } of ended) {
			const isStopped = run.stops?.includes(event);
			expect(end).toMatch(isStopped ? /^red: .*Call Details Mapping.*customer\.phone/ : /^green$/);
		}
		// The records are there to be seen beside the faults.
		expect({ faults, records, ids }).toEqual({ faults: noFaults, records, ids });
	});

	const [event = {}] = crmRuns['a mobile number']?.events.flat() ?? [];

	test('a new customer has a first and a last name', async () => {
		const { crm } = workflow;
		await crm.reset(decoys);
		const caller = { from: '+14155557777', customer_name: 'Ada King Lovelace' };
		expect(await workflow.deliver({ ...event, ...caller })).toBe('green');
		const made = Object.values(await crm.people()).at(-1) as Record<string, string>;
		// Pipedrive splits the name itself.
		const names = [made.name, made.firstname, made.FirstName, made.lastname, made.LastName];
		expect(names.filter(Boolean).join(' ')).toBe('Ada King Lovelace');
	});

	const writes = [/POST .*(activities|engagements|task)$/, /PATCH /];
	test.each(writes)('a call that the CRM refused (%s) is completed once', async (write) => {
		const { crm } = workflow;
		await crm.reset([]);
		standIn.refuseNext(write);
		expect(await workflow.deliver(event)).toMatch(/^red: /);
		for (let times = 0; times < 2; times++) expect(await workflow.deliver(event)).toBe('green');
		expect(crm.records?.()).toMatchObject([
			{ person: Object.keys(await crm.people())[0], ...sold },
		]);
		expect(await workflow.calls()).toHaveLength(1);
	});

	test('a delivery of several events fails and writes no record', async () => {
		await workflow.crm.reset(decoys);
		expect(await workflow.deliver([event, { ...event, call_id: 'b' }])).toMatch(/^red: /);
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
	for (const workflow of workflows) {
		const ends = await until('the execution of a poll', 90, async () => {
			const all = await workflow.ends();
			return /success|error/.test(all.join()) && all;
		});
		const calls = await workflow.calls();
		expect(ends).toEqual(['trigger success']);
		expect(calls.map(({ call_id }) => call_id)).toEqual([data.call_id]);
		expect(await workflow.crm.logged()).toHaveLength(1);
		await workflow.unpublish();
	}
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
