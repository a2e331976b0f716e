/** The examples that record each call on its customer, in a CRM or a table. */
import type { IDataObject } from 'n8n-workflow';
import type { WorkflowJson } from '../../../sandbox/stack/n8n-api';
import { isRunnable, shortened, testNeeding } from '../../compat/needs';
import type { CrmRecord } from '../../support/crms/crm';
import { read } from '../../support/documents';
import {
	deliverAll,
	expectEachKind,
	type PublishedExample,
	publishExample,
} from '../../support/running/publishedExample';
import { type RecordingExample, recordingExamples } from '../../support/running/recordingExamples';
import { type RecordingRun, recordingRuns, twins } from '../../support/running/recordingRuns';
import { addStandIns, standIn, useService } from '../harness';

const examples = shortened(recordingExamples, 2).filter(({ needs }) => isRunnable(needs));
addStandIns(Object.assign({}, ...examples.map(({ crm }) => crm?.hosts)) as object as never);
useService();

/** Rows as expected, of which a cell may be a pattern; the actual ones; and how many more there may be. */
type Rows = [expected: object[], actual: object[], spare?: number];

const isHubspot = ({ name }: RecordingExample) => name === 'call-to-hubspot';
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

/** When a call began, or its ID in the text where a record has no time. Tasks come last. */
const timeOf = ({ person, at, text = '' }: CrmRecord) =>
	person ? (at ?? /call_\d+/.exec(text)?.[0] ?? '') : 'z';

/** The expected and actual rows of a table, or people and records of a CRM. */
async function rowsOf({ crm, known = [], rows, spare }: RecordingRun, actual: PublishedExample) {
	const people = await actual.crm.people();
	const ids = Object.keys(people);
	// The HTTP Request node sends the requests of several items at once.
	const records = actual.crm.records?.().sort((one, two) => timeOf(one).localeCompare(timeOf(two)));
	if (!records) {
		const asked = (crm?.records ?? []).flatMap(({ whose }) => (whose ? [{ reason: whose }] : []));
		return [
			[rows ?? [], Object.values(people), spare],
			[asked, (await actual.crm.asked?.()) ?? []],
		] satisfies Rows[];
	}
	const expected = (crm?.records ?? []).map(({ person, ...texts }) => ({
		...texts,
		person: person === 'any' ? /./ : ids[person ?? -1],
	}));
	const made = [...known, ...Array<object>(crm?.made ?? 0)].map(() => ({}));
	return [
		[expected, records],
		[made, ids.map(() => ({})), spare],
	] satisfies Rows[];
}

describe.each(examples)('$name', (example) => {
	const isCrm = 'records' in (example.crm ?? {});
	let workflow: PublishedExample;
	beforeAll(async () => {
		workflow = await publishExample(example);
	});
	afterAll(() => workflow?.unpublish());
	beforeEach(async () => await workflow.crm.reset([]));

	/** Delivers a run, and expects its ends and rows without a fault, but for calls that are logged again. */
	async function expectRecorded(run: RecordingRun) {
		await workflow.crm.reset(run.known ?? []);
		const ends = await deliverAll(workflow, run);
		const rows = await rowsOf(run, workflow);
		const faults = countFaults(rows);
		const twice = (isCrm && run.crm?.again) || 0;
		// The ends and rows are there to be seen beside the faults.
		expect({ faults, ends, rows }).toEqual({
			faults: { ...countFaults([]), twice },
			ends: ends.map(() => 'green'),
			rows,
		});
	}

	const runs = Object.entries(recordingRuns).filter(([, { rows, crm }]) => (isCrm ? crm : rows));
	test.each(runs)('%s', async (_title, run) => await expectRecorded(run));

	test('each kind of call adds something that a person finds', async () => {
		await expectEachKind(workflow, example.name);
	});

	const newCustomer = recordingRuns['a new customer beside similar ones'] as RecordingRun;
	const event = {
		...(newCustomer.deliveries[0] as IDataObject),
		customer_name: "Ada O'Hara Lovelace",
	};

	// A data table refuses no write.
	(example.crm ? test : test.skip)('a refused write is made up once', async () => {
		standIn.refuseNext(/POST .*(activit|call|note|task|append)\w*$/i);
		expect(await workflow.deliver(event)).toMatch(/^red: /);
		expect(await workflow.deliver(event)).toBe('green');
		const people = Object.keys(await workflow.crm.people());
		expect(people).toHaveLength(1);
		const [made] = Object.values(await workflow.crm.people()) as Array<Record<string, string>>;
		// Pipedrive and HighLevel split the name themselves.
		const fields = Object.keys(made ?? {}).filter((field) =>
			/^(first|last|customer)?_?name$/i.test(field),
		);
		const names = fields.sort().map((field) => made?.[field]);
		expect(names.filter(Boolean).join(' ')).toBe("Ada O'Hara Lovelace");
		expect(workflow.crm.records?.() ?? [{ person: people[0] }]).toMatchObject([
			{ person: people[0] },
		]);
	});

	test('a pasted webhook leaves the same', async () => {
		await workflow.paste();
		await expectRecorded(newCustomer);
	});
});

test("HubSpot's call has its numbers, its times and its recording, and its task the candidates", async () => {
	const workflow = await publishExample(examples.find(isHubspot) as RecordingExample);
	await workflow.crm.reset([
		...twins,
		{ name: 'Bob', phone: '+4930123456', mobile: '+14155550155' },
	]);
	const ends = { direction: 'outbound', from: '+14155550100', duration_seconds: 60 };
	const call = { event: 'call.completed', ...ends, summary: 'A <b> & more', call_id: 'call_1' };
	const url = 'https://example.com/1.mp3';
	for (const body of [
		{ ...call, to: '+14155550155', recording_url: url },
		{ ...call, call_id: 'call_2', to: '+14155550155', recording_url: url.replace('s', '') },
		{ ...call, call_id: 'call_3', to: twins[0]?.phone },
	])
		expect(await workflow.deliver(body)).toBe('green');
	const more = {
		...{ hs_call_status: 'COMPLETED', hs_call_direction: 'OUTBOUND', hs_call_duration: 60_000 },
		...{ hs_call_from_number: '+14155550100', hs_call_to_number: '+14155550155' },
	};
	const text = expect.stringMatching(/A &lt;b> &amp; more<br>/) as string;
	expect(workflow.crm.records?.()).toMatchObject([
		{ person: '503', text, more: { ...more, hs_call_recording_url: url } },
		{ person: '503', text, more },
		{ candidates: ['501', '502'] },
	]);
	await workflow.unpublish();
});

/** Adds the nodes of the page about CRMs, connected as it says. */
function logOnce({ nodes, connections, ...workflow }: WorkflowJson): WorkflowJson {
	const added = JSON.parse(read('docs/log-each-call-once.json')) as WorkflowJson;
	const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
	const remembered = { main: [[to('Remember call')]] };
	const ofTrigger = connections['Voice Agent Trigger'] ?? {};
	const all = {
		...connections,
		'Voice Agent Trigger': { main: [[to('Logged calls'), to('Is it new?')]] },
		'Is it new?': ofTrigger,
		...{ 'Log call': remembered, 'Ask whose call': remembered },
	};
	return { ...workflow, nodes: [...nodes, ...added.nodes], connections: all };
}

const testOnce = testNeeding('Tables made by the Data Table node');
testOnce('with three more nodes, a CRM gets each call once', async () => {
	const example = examples.find(isHubspot) as RecordingExample;
	const workflow = await publishExample(example, logOnce);
	const title = 'a new, a known, an unclear and a hidden number in one delivery';
	const run = recordingRuns[title] as RecordingRun;
	await workflow.crm.reset(run.known ?? []);
	standIn.refuseNext(/POST .*calls$/);
	const again = { ...run, deliveries: [...run.deliveries, structuredClone(run.deliveries).flat()] };
	const ends = await deliverAll(workflow, again as RecordingRun);
	const faults = countFaults(await rowsOf(run, workflow));
	expect({ ends, faults }).toEqual({ ends: ['green', 'green'], faults: countFaults([]) });
	await workflow.unpublish();
});
