import type { IDataObject } from 'n8n-workflow';
import { changeTrigger } from '../../../sandbox/stack/example';
import type { FeatureName } from '../../../sandbox/stack/features';
import { isRunnable, shortened, testNeeding } from '../../compat/needs';
import { accounts } from '../../support/others/accounts';
import { airtableRows, appHosts, slack, takeTexts } from '../../support/others/apps';
import { tableNamed } from '../../support/n8n/dataTables';
import { type Mailbox, startMailbox } from '../../support/others/mailbox';
import { sheets } from '../../support/running/recordingExamples';
import { kindsOfCalls } from '../../support/running/recordingRuns';
import { until } from '../../../sandbox/stack/until';
import { addStandIns, publishWorkflow, setUp, stack, useService } from '../harness';

addStandIns(appHosts);

useService();
let mailbox: Mailbox;
beforeAll(async () => {
	mailbox = await startMailbox();
	Object.assign(accounts.emailSend?.[1] ?? {}, mailbox.credential);
	await sheets.reset([]);
});
afterAll(() => mailbox?.stop());

/**
 * Delivers a call of each kind, and compares what a person then finds.
 *
 * @param later what a later event of a call makes
 */
async function expectKinds(
	deliver: (body: object) => Promise<number>,
	find: () => string[] | Promise<string[]>,
	made: RegExp[],
	{ later = made, ...more }: { later?: RegExp[]; outcome?: string; extracted_data?: object } = {},
): Promise<void> {
	for (const [kind, body] of kindsOfCalls) {
		const status = await deliver({ ...body, ...more });
		const found = await find();
		const text = found.join('; ');
		const expected = (kind === 'second event' ? later : made).map(
			(one) => expect.stringMatching(one) as string,
		);
		expect([kind, status, found]).toEqual([kind, 200, expected]);
		expect([kind, /Test: |test true/.test(text)]).toEqual([kind, kind === 'test' && text !== '']);
	}
}

/** Names a text by its title, and JSON by what the app makes of it. */
const titleOf = (made: string) => (text: string) => {
	const [title = text] =
		/(Not in the calendar: |Test: )*Call(?! ID|: \d)[^\n"*<\\]*/.exec(text) ?? [];
	return `${text.startsWith('{') ? made : 'message'}: ${title.trim()}`;
};

const ends = { direction: 'inbound', from: '+14155550187', to: '+14155550100' };
const callOf = (call_id: string, more: IDataObject = {}): IDataObject => ({
	...{ event: 'call.completed', call_id, ...ends, customer_name: 'Ada Lovelace' },
	...{ started_at: '2026-11-20T12:00:00.000Z', duration_seconds: 61, outcome: 'booked' },
	...{ summary: 'Ada booked a <demo> & paid.', ...more },
});
const ofNobody = { event: 'call.completed', direction: 'inbound', from: 'anonymous' };
const escaped = 'Ada booked a &lt;demo> &amp; paid.';

interface Starter {
	/** The texts of new messages. */
	read: () => string[];
	/** The summary of a call, if the app's texts escape it. */
	summary?: string;
	needs?: FeatureName;
}

const takeEmails = () => mailbox.take().map(({ subject, text }) => `${subject}\n${text}`);
const messages: Record<string, Starter> = {
	'call-to-email': { read: takeEmails },
	'call-to-gmail': { read: takeTexts },
	'call-to-slack': { read: takeTexts, summary: escaped },
	'call-to-telegram': { read: takeTexts, summary: escaped },
	'calls-to-notion': { read: takeTexts, needs: 'Notion node for the present Notion API' },
};

const usable = Object.entries(messages).filter(([, { needs }]) => isRunnable(needs));
test.each(shortened(usable))('%s writes one message for each call', async (name, starter) => {
	const { read, summary = 'Ada booked a <demo> & paid.' } = starter;
	const { deliver, paste, unpublish } = await publishWorkflow(await setUp(name));
	/** Delivers, and compares the texts that came. */
	const expectTexts = async (body: object, ...expected: RegExp[]) => {
		expect(await deliver(body)).toBe(200);
		expect(read()).toEqual(expected.map((text) => expect.stringMatching(text) as string));
	};
	const twice = { 'x-delivery-id': 'twice' };
	await Promise.all([deliver(callOf('call_1'), twice), deliver(callOf('call_1'), twice)]);
	const [text, ...others] = read();
	expect(text).toContain('Call with Ada Lovelace, 1 min: booked');
	expect(text).toContain(summary);
	expect(others).toEqual([]);
	await expectTexts(
		[callOf('call_2', { customer_name: 'Bob King' }), callOf('call_3')],
		/Call with Bob King/,
		/Call with Ada Lovelace/,
	);
	const find = () => read().map(titleOf('page'));
	// Notion leaves out later events of a call.
	const later = name === 'calls-to-notion' ? [] : undefined;
	await expectKinds(deliver, find, [/: (Test: )?Call/], { later });
	await paste();
	await expectTexts(callOf('call_5'), /Call with Ada Lovelace, 1 min: booked/);
	await unpublish();
});

const rows: Record<string, { read: () => IDataObject[] | Promise<IDataObject[]> }> = {
	'calls-to-data-table-log': { read: () => tableNamed(stack.n8n.api, 'Call list').rows() },
	'calls-to-google-sheets-log': { read: () => sheets.rows('Call log') },
	'calls-to-airtable': { read: airtableRows },
};

const columns = ['call_id', 'customer_name', 'customer_phone', 'outcome', 'summary', 'test'];
/** A cell as it is shown: empty, unless it has a text or a tick. */
const cell = (row: IDataObject = {}, column: string) =>
	JSON.stringify(row[column] || '').replaceAll('"', '');

test.each(shortened(Object.entries(rows)))(
	'%s writes one row for each call',
	async (name, { read }) => {
		const { deliver, paste, unpublish } = await publishWorkflow(await setUp(name));
		const twice = { 'x-delivery-id': 'twice' };
		await Promise.all([deliver(callOf('call_1'), twice), deliver(callOf('call_1'), twice)]);
		const row = { customer_phone: ends.from, customer_name: 'Ada Lovelace', duration_minutes: 1 };
		expect(await read()).toMatchObject([{ call_id: 'call_1', ...row }]);
		const two = [callOf('call_2'), callOf('call_3', { extracted_data: { slot: 'Monday' } })];
		for (const body of [ofNobody, two]) expect(await deliver(body)).toBe(200);
		await paste();
		expect(await deliver(callOf('call_5'))).toBe(200);
		expect(await read()).toMatchObject([
			{ call_id: 'call_1', ...row },
			{ call_id: expect.stringMatching(/^[\w-]{10,}$/) as string },
			{ call_id: 'call_2', ...row },
			{ call_id: 'call_3', ...row, collected: 'Slot: Monday' },
			{ call_id: 'call_5', ...row, outcome: 'booked' },
		]);
		let known = await read();
		const find = async () => {
			const [before, after] = [known, (known = await read())];
			return after.flatMap((one, index) => {
				const shown = columns.filter((name) => cell(one, name) !== cell(before[index], name));
				const cells = shown.map((name) => `${name} ${cell(one, name)}`).join(', ');
				return cells ? [`${index < before.length ? 'changed' : 'new'} row: ${cells}`] : [];
			});
		};
		const later = [/^changed row: summary [^,]+$/];
		await expectKinds(deliver, find, [/^new row: /], { later });
		await unpublish();
	},
);

const testTasks = testNeeding('Todoist node for the present Todoist API');
testTasks('a callback request becomes one task and one message', async () => {
	const { deliver, paste, unpublish } = await publishWorkflow(await setUp('callback-requests'));
	const asked = { outcome: 'Callback_requested' };
	const title = 'Call with Ada Lovelace, 1 min: Callback requested';
	const text = (start = '') => expect.stringContaining(`${start}${title}`) as string;
	const of = (body: object) => async () => [await deliver(body), ...takeTexts()];
	const hidden = { ...ofNobody, summary: 'She asks to be called back.' };
	const ofHidden = expect.stringContaining('Call with a hidden number') as string;
	expect(await of(hidden)()).toEqual([200, ofHidden, ofHidden]);
	const several = [callOf('call_3', asked), callOf('call_4'), callOf('call_5', asked)];
	expect(await of(several)()).toEqual([200, text(), text(), text('*'), text('*')]);
	// A task is once, also if its message fails.
	slack.isUp = false;
	expect(await of(callOf('call_7', asked))()).toEqual([200, text()]);
	slack.isUp = true;
	const find = () => takeTexts().map(titleOf('task'));
	await expectKinds(deliver, find, [/^task: /, /^message: /], asked);
	await expectKinds(deliver, find, []);
	await paste();
	expect(await of(callOf('call_8', asked))()).toEqual([200, text(), text('*')]);
	await unpublish();
});

test('an appointment becomes one event of the calendar, and anything else at its place a message', async () => {
	const name = 'appointment-to-google-calendar';
	const { deliver, paste, unpublish } = await publishWorkflow(await setUp(name));
	const at = (appointment_start: string) => ({ extracted_data: { appointment_start } });
	const year = new Date().getFullYear() + 1;
	const events = [
		callOf('call_1', at(`${year}-12-01T10:00:00+01:00`)),
		callOf('call_2'),
		callOf('call_3', { extracted_data: { other: 1 } }),
		...[`01.12.${year}`, 'next Monday', `${year}`, `${year}-12-01`, '2020-01-01T10:00'].map(
			(start, index) => callOf(`other_${index}`, at(start)),
		),
	];
	expect(await deliver(events)).toBe(200);
	const [event = '', ...messages] = takeTexts();
	expect(JSON.parse(event)).toMatchObject({
		start: { dateTime: `${year}-12-01T09:00:00Z` },
		end: { dateTime: `${year}-12-01T09:30:00Z` },
		summary: 'Call with Ada Lovelace, 1 min: booked',
		description: expect.stringContaining(`Appointment start: ${year}-12-01`) as string,
	});
	const because = expect.stringContaining('This is no time in the future') as string;
	expect(messages).toEqual(Array.from({ length: 5 }, () => because));
	expect(await deliver({ ...events[0], summary: 'Again.' })).toBe(200);
	expect(takeTexts()).toEqual([expect.stringMatching(/has it already[^]*Again/)]);
	const find = () => takeTexts().map(titleOf('event'));
	const later = [/^message: Not in the calendar: Call/];
	const more = { ...at(`${year}-12-04T10:00:00Z`), later };
	await expectKinds(deliver, find, [/^event: /], more);
	await expectKinds(deliver, find, []);
	await paste();
	await deliver(callOf('call_5', at(`${year}-12-03T10:00:00Z`)));
	expect(takeTexts()).toEqual([expect.stringContaining(`"${year}-12-03T10:00:00Z"`)]);
	await unpublish();
});

test('a call that could not be recorded is reported by e-mail', async () => {
	const errorWorkflow = await setUp('error-workflow');
	if (stack.n8n.api.line !== '1.123') await stack.n8n.api.publish(errorWorkflow);
	const settings = { executionOrder: 'v1', errorWorkflow } as const;
	const failing = await setUp('calls-to-airtable', (workflow) => {
		return { ...workflow, name: 'Calls of the practice', settings };
	});
	// A field that the table lacks.
	const options = { acknowledge: 'finished', collectedColumns: 'each' };
	await changeTrigger(stack.n8n.api, failing, { options });
	const { deliver, unpublish } = await publishWorkflow(failing);
	expect(await deliver(callOf('call_1', { extracted_data: { slot: 'Monday' } }))).toBe(500);
	const [email = ''] = await until('the e-mail', 30, () => {
		const emails = takeEmails();
		return emails.length > 0 && emails;
	});
	expect(email).toMatch(/^Failed: Calls of the practice\n/);
	expect(email).toContain('collected_slot');
	expect(email).toMatch(/https?:\/\/\S+\/executions\/\d+/);
	await unpublish();
});
