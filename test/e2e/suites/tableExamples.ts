import type { IDataObject } from 'n8n-workflow';
import { readCallDetails } from '../../../nodes/VoiceAgent/callDetails/callDetails';
import { defaultDialect } from '../../../sandbox/dialects';
import type { Stack } from '../../../sandbox/stack/stack';
import { readPayloads } from '../../support/callPayloads';
import { LOGGING_DIALECT } from '../../support/caughtUpEvents';
import { type CrmContent, crmContents, decoys, outcomeOf } from '../../support/exampleCases';
import { deliverAll, type PublishedExample, publishExample } from '../../support/publishedExample';
import { recordingExamples } from '../../support/recordingExamples';
import type { StandIn } from '../../support/standIn';
import { tableRuns } from '../../support/tableRuns';
import { type Service, sharedN8n, startService } from '../harness';

type Rows = IDataObject[];

/** The faults of a run: how many rows or cells are not as expected. */
const noFaults = { wrong: 0, missing: 0, erased: 0, twice: 0 };
const lines: string[] = [];

/** The services whose payloads `npm test` uses; `EXAMPLES=all` uses all. */
const few = /^(Aircall|Vapi|Voiso)$/;
const payloads = readPayloads('tuning').filter(
	({ service: name }) => process.env.EXAMPLES === 'all' || few.test(name),
);
const kinds = Object.keys(crmContents) as CrmContent[];

let stack: Stack;
let standIn: StandIn;
let service: Service;
beforeAll(async () => {
	({ stack, standIn } = sharedN8n());
	service = await startService(stack, { ...defaultDialect, ...LOGGING_DIALECT });
});
afterAll(async () => {
	await service?.sandbox.stop();
	process.stdout.write(`Examples with tables: records ${Object.keys(noFaults).join(', ')}\n`);
	process.stdout.write(`${lines.join('\n')}\n`);
});

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** Counts the faults of rows. */
function faultsOf(expected: Rows, actual: Rows, spare = 0) {
	const faults = { ...noFaults };
	faults.missing = Math.max(0, expected.length - actual.length);
	faults.twice = Math.max(0, actual.length - expected.length - spare);
	for (const [index, row] of expected.entries()) {
		for (const [column, value] of Object.entries(row)) {
			const found = actual[index]?.[column];
			if (isEmpty(found) && isEmpty(value)) continue;
			if (isEmpty(found)) faults.erased++;
			else if (found !== value) faults.wrong++;
		}
	}
	return faults;
}

const byId = (one: IDataObject, two: IDataObject) =>
	(one.call_id as string).localeCompare(two.call_id as string);

describe.each(recordingExamples.filter(({ table }) => !table))('$name', (example) => {
	let workflow: PublishedExample;
	beforeAll(async () => {
		workflow = await publishExample({ stack, service }, example);
	});
	afterAll(() => workflow?.unpublish());

	test.each(Object.entries(tableRuns))('%s', async (title, run) => {
		await workflow.crm.reset(run.known ?? []);
		await workflow.clearCalls();
		const ended = await deliverAll(workflow, run);
		const customers = Object.values(await workflow.crm.people()) as Rows;
		const calls = (await workflow.calls()).sort(byId);

		const faults = [
			faultsOf(run.customers, customers, run.spare),
			faultsOf([...run.calls].sort(byId), calls),
		];
		const counts = Object.keys(noFaults).map((kind) =>
			faults.reduce((sum, each) => sum + each[kind as 'wrong'], 0),
		);
		lines.push(`  ${counts.join(' ')}  ${example.name}: ${title}`);
		for (const { event, end } of ended) {
			const isStopped = run.stops?.includes(event);
			expect(end).toMatch(isStopped ? /^red: .*Call Details Mapping.*customer\.phone/ : /^green$/);
		}
		// The rows are there to be seen beside the faults.
		const rows = { customers, calls };
		expect({ faults, rows }).toEqual({ faults: [noFaults, noFaults], rows });
	});

	const cases = payloads.map((payload, index) => {
		const isFound = readCallDetails(payload.body).person === 'found';
		const known = isFound ? (kinds[index % kinds.length] as CrmContent) : 'no match';
		return { payload, known, title: `${payload.service}, ${payload.variant}` };
	});
	test.each(cases)('$title, where the table has $known', async ({ payload, known }) => {
		const { crm } = workflow;
		const call = readCallDetails(payload.body);
		const outcome = outcomeOf(call, known, example.finds);
		await crm.reset([...decoys, ...crmContents[known](call.customer)]);
		await workflow.clearCalls();
		const ids = Object.keys(await crm.people());
		const end = outcome.ends === 'unknown' ? /^red: .*Call Details Mapping/ : /^green$/;
		for (let times = 0; times < 2; times++) {
			expect(await workflow.deliver(payload.body, payload.headers)).toMatch(end);
			const made = Object.keys(await crm.people()).slice(ids.length);
			const person =
				outcome.ends === 'logged' ? [outcome.person === 'new' ? made[0] : ids[outcome.person]] : [];
			expect(await crm.logged()).toEqual(person);
			expect(made).toHaveLength(outcome.ends === 'logged' && outcome.person === 'new' ? 1 : 0);
			const calls = (await workflow.calls()).map(({ call_id }) => call_id);
			expect(calls).toEqual(outcome.ends === 'unknown' ? [] : [call.id]);
		}
	});

	// A data table refuses no write.
	(example.crm ? test : test.skip)('a refused row is written by a later delivery', async () => {
		const [event] = tableRuns['a summary after the end']?.events.flat() ?? [];
		for (const sheet of ['Calls', 'Customers']) {
			await workflow.crm.reset([]);
			standIn.refuseNext(new RegExp(`POST .*${sheet}.*append$`));
			expect(await workflow.deliver(event ?? {})).toMatch(/^red: /);
			for (let times = 0; times < 2; times++) {
				expect(await workflow.deliver(event ?? {})).toBe('green');
			}
			expect(await workflow.calls()).toHaveLength(1);
			expect(await workflow.crm.logged()).toHaveLength(1);
		}
	});

	test('a delivery of several events fails and writes no record', async () => {
		await workflow.crm.reset([]);
		await workflow.clearCalls();
		const [event] = tableRuns['missing values']?.events.flat() ?? [];
		expect(await workflow.deliver([event, { ...event, call_id: 'b' }])).toMatch(/^red: Several/);
		expect([await workflow.calls(), await workflow.crm.people()]).toEqual([[], {}]);
	});
});
