/** The examples that record each call, with a CRM or with tables. */
import type { IDataObject } from 'n8n-workflow';
import { sampleData } from '../../../sandbox/service/events';
import { isLacking } from '../../../sandbox/stack/features';
import { chosenLine } from '../../../sandbox/stack/install-n8n';
import { until } from '../../../sandbox/stack/until';
import { LOGGING_DIALECT } from '../../support/caughtUpEvents';
import type { CrmRecord } from '../../support/crms/crm';
import { deliverAll, type PublishedExample, publishExample } from '../../support/publishedExample';
import { recordingExamples } from '../../support/recordingExamples';
import { decoys, type RecordingRun, recordingRuns, soldCall } from '../../support/recordingRuns';
import { addStandIns, service, stack, standIn, useService } from '../harness';

const examples = recordingExamples.filter(({ needs }) => !needs || !isLacking(chosenLine(), needs));
addStandIns(Object.assign({}, ...examples.map(({ crm }) => crm?.hosts)) as object as never);
useService(LOGGING_DIALECT);
const lines = ['Records of the examples: wrong, missing, erased, twice'];
afterAll(() => void process.stdout.write(`${lines.join('\n')}\n`));

/** Rows as expected, of which a cell may be a pattern; the actual ones; and how many more there may be. */
type Rows = [expected: object[], actual: object[], spare?: number];

const isEmpty = (cell: unknown) => cell === null || cell === undefined || cell === '';
const isAs = (expected: unknown, cell: unknown) =>
	expected instanceof RegExp
		? expected.test(typeof cell === 'string' ? cell : '')
		: cell === expected || (isEmpty(cell) && isEmpty(expected));

/** Counts the rows and cells that are not as expected. */
function countFaults(tables: Rows[]) {
	const faults = { wrong: 0, missing: 0, erased: 0, twice: 0 };
	for (const [expected, actual, spare = 0] of tables) {
		faults.missing += Math.max(0, expected.length - actual.length);
		faults.twice += Math.max(0, actual.length - expected.length - spare);
		for (const [index, row] of expected.entries()) {
			const found = (actual[index] ?? {}) as IDataObject;
			for (const [column, cell] of Object.entries(row)) {
				if (!isAs(cell, found[column])) faults[isEmpty(found[column]) ? 'erased' : 'wrong']++;
			}
		}
	}
	return faults;
}

const byId = (one: IDataObject, two: IDataObject) =>
	(one.call_id as string).localeCompare(two.call_id as string);

function rowsOfTables(
	{ tables, spare }: RecordingRun,
	customers: object[],
	calls: IDataObject[],
): Rows[] {
	return [
		[tables!.customers, customers, spare],
		[[...tables!.calls].sort(byId), calls.sort(byId)],
	];
}

function rowsOfCrm(
	{ crm, known = [], spare }: RecordingRun,
	ids: string[],
	records: CrmRecord[],
): Rows[] {
	const expected = crm!.calls.map(({ person, whose = /^$/, ...values }) => {
		return { ...values, whose, person: person === 'any' ? /./ : ids[person ?? -1] };
	});
	const people = [...known, ...Array<object>(crm!.made).fill({})].map(() => ({}));
	return [
		[expected, records],
		[people, ids.map(() => ({})), spare],
	];
}

describe.each(examples)('$name', (example) => {
	const isTable = !example.table;
	let workflow: PublishedExample;
	beforeAll(async () => {
		workflow = await publishExample(example);
	});
	afterAll(() => workflow?.unpublish());
	beforeEach(async () => {
		await workflow.crm.reset([]);
		await workflow.clearCalls();
	});

	const runs = Object.entries(recordingRuns).filter(([, { tables, crm }]) =>
		isTable ? tables : crm,
	);
	test.each(runs)('%s', async (title, run) => {
		const { crm } = workflow;
		await crm.reset(run.known ?? []);
		for (const { event, end } of await deliverAll(workflow, run)) {
			const isStopped = run.stops?.includes(event);
			expect(end).toMatch(isStopped ? /^red: .*Call Details Mapping.*customer\.phone/ : /^green$/);
		}
		const people = await crm.people();
		const rows = isTable
			? rowsOfTables(run, Object.values(people), await workflow.calls())
			: rowsOfCrm(run, Object.keys(people), crm.records?.() ?? []);
		const faults = countFaults(rows);
		lines.push(`  ${Object.values(faults).join(' ')}  ${example.name}: ${title}`);
		// The rows are there to be seen beside the faults.
		expect({ faults, rows }).toEqual({ faults: countFaults([]), rows });
	});

	const [event = {}] = recordingRuns['a mobile number']?.events.flat() ?? [];

	test('a delivery of several events fails and writes no record', async () => {
		expect(await workflow.deliver([event, { ...event, call_id: 'b' }])).toMatch(/^red: /);
		expect([await workflow.calls(), await workflow.crm.people()]).toEqual([[], {}]);
	});

	const refusals = isTable
		? [/POST .*Calls.*append$/, /POST .*Customers.*append$/]
		: [/POST .*(activities|engagements|task)$/, /PATCH /];
	// A data table refuses no write.
	const testRefusal = example.crm ? test : test.skip;
	testRefusal.each(refusals)('a refused write (%s) is made up once', async (write) => {
		standIn.refuseNext(write);
		expect(await workflow.deliver(event)).toMatch(/^red: /);
		for (let times = 0; times < 2; times++) expect(await workflow.deliver(event)).toBe('green');
		expect(await workflow.calls()).toHaveLength(1);
		expect(await workflow.crm.logged()).toEqual(Object.keys(await workflow.crm.people()));
		expect(workflow.crm.records?.() ?? [soldCall]).toMatchObject([soldCall]);
	});

	const { nationalNumber } = example;
	(nationalNumber ? test : test.skip)('a customer is found by a national number', async () => {
		const { crm } = workflow;
		await crm.reset([...decoys, { name: 'Grace Hopper', phone: nationalNumber }]);
		const ids = Object.keys(await crm.people());
		expect(await workflow.deliver(event)).toBe('green');
		expect(await crm.logged()).toEqual(ids.slice(-1));
	});

	(nationalNumber ? test : test.skip)('a new customer has a first and a last name', async () => {
		expect(await workflow.deliver({ ...event, customer_name: "Ada O'Hara Lovelace" })).toBe(
			'green',
		);
		const [made] = Object.values(await workflow.crm.people()) as Array<Record<string, string>>;
		// Pipedrive splits the name itself.
		const names = [made?.name, made?.firstname, made?.FirstName, made?.lastname, made?.LastName];
		expect(names.filter(Boolean).join(' ')).toBe("Ada O'Hara Lovelace");
	});
});

test('each example records a call that only a poll found', async () => {
	const workflows: PublishedExample[] = [];
	for (const example of examples) {
		const workflow = await publishExample(example);
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
