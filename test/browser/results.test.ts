/** Pictures of what calls leave: a row of a table, a row of a sheet, an e-mail, the timeline of a contact. */
import { until } from '../../sandbox/stack/until';
import { tableNamed } from '../support/n8n/dataTables';
import { accounts, setUpExample } from '../support/others/accounts';
import { type Email, type Mailbox, startMailbox } from '../support/others/mailbox';
import { type StandIn, startStandIn } from '../support/others/standIn';
import { contacts, sheets } from '../support/running/recordingExamples';
import { pictureOf, takePicture } from './browser';
import { emailOf, pageOf, sheetOf, timelineOf } from './resultPages';
import { logIn, page, scene, step, useScene } from './scene';

const COLUMNS = ['date', 'customer_name', 'customer_phone', 'outcome', 'summary'];
const ofTwo = '+14155550187';
const ends = { direction: 'inbound', from: ofTwo, to: '+14155550100' };
const calls = [
	{
		...{ ...ends, started_at: '2026-11-23T14:20:00Z', duration_seconds: 184 },
		...{ customer_name: 'Grace Hopper', outcome: 'appointment_booked' },
		summary: 'Grace Hopper booked a cleaning for Tuesday at 10:00.',
	},
	{
		...{ ...ends, from: 'anonymous', started_at: '2026-11-23T16:05:00Z', duration_seconds: 62 },
		...{ customer_name: 'Alan Turing', outcome: 'callback_requested' },
		summary: 'Alan Turing asks to be called back tomorrow.',
	},
	{
		...{ ...ends, started_at: '2026-11-24T15:40:00Z', duration_seconds: 95 },
		...{ outcome: 'question_answered', summary: 'The caller asked for the opening hours.' },
	},
];

let standIn: StandIn;
let mailbox: Mailbox;
const emails: Email[] = [];
/** The contents of the pages, for the picture of all. */
const pages = { table: '', email: '', timeline: '' };

beforeAll(async () => {
	standIn = await startStandIn({ ...sheets.hosts, ...contacts.hosts });
	mailbox = await startMailbox();
	Object.assign(accounts.emailSend?.[1] ?? {}, mailbox.credential);
});
afterAll(async () => {
	await mailbox?.stop();
	await standIn?.stop();
});
useScene({ stack: () => standIn, height: 900 }, logIn);

/** Shows content as a page, and saves its picture. */
async function picture(name: string, content: string, kind?: string): Promise<void> {
	await page.setContent(pageOf(content, kind));
	await takePicture(`images/${name}.png`, [page.locator('body > *')], { margin: 8 });
}

step('calls arrive where four examples record them', async () => {
	const { api } = scene.n8n;
	await sheets.reset([]);
	const family = ['Grace Hopper', 'Vincent Hopper'].map((name) => ({ name, phone: ofTwo }));
	contacts.reset(family);
	const { voiceAgentApi } = await scene.createCredential();
	const log = ['data-table', 'google-sheets'].map((name) => `calls-to-${name}-log`);
	for (const name of [...log, 'call-to-email', 'call-to-hubspot'])
		await api.publish(await setUpExample(api, name, voiceAgentApi.id));
	for (const [index, call] of calls.entries()) {
		scene.sandbox.emit('call.completed', { call_id: `call_${index + 1}`, ...call });
		await scene.sandbox.settled();
	}
	await until('the e-mails', 60, () => emails.push(...mailbox.take()) === calls.length);
	expect(await tableNamed(api, 'Call list').rows()).toHaveLength(calls.length);
	expect(sheets.rows('Call log')).toHaveLength(calls.length);
	expect(contacts.records()).toHaveLength(calls.length);
});

step("the rows of n8n's own page of a table", async () => {
	await page.setViewportSize({ width: 1800, height: 900 });
	await page.goto(`${scene.n8n.url}/home/datatables`);
	await page.getByText('Call list').click();
	const table = page.getByTestId('data-table-grid');
	await table.getByText('Grace Hopper', { exact: true }).waitFor();
	const headings = COLUMNS.map((column) =>
		table.getByRole('columnheader').filter({ has: page.getByTitle(column, { exact: true }) }),
	);
	// Fits each column to its content.
	for (const each of headings)
		await each.locator('.ag-header-cell-resize').dispatchEvent('dblclick');
	const parts = [headings[0]!, headings.at(-1)!, table.getByText('The caller asked')] as const;
	await takePicture('images/result-table.png', [...parts]);
	pages.table = `<img src="data:image/png;base64,${(await pictureOf([...parts])).toString('base64')}">`;
});

step('the stand-ins show what they hold', async () => {
	await picture('result-sheet', sheetOf(sheets.rows('Call log'), COLUMNS));
	pages.email = emailOf(emails[0] as Email);
	await picture('result-email', pages.email);
	const [id = ''] = Object.keys(contacts.people());
	const ofGrace = contacts
		.records?.()
		.filter(({ person, candidates }) => person === id || candidates?.includes(id));
	pages.timeline = timelineOf('Grace Hopper', ofTwo, ofGrace ?? []);
	await picture('result-timeline', pages.timeline, 'timeline');
	const titles = ['A row of a table', 'An e-mail', "The customer's timeline in a CRM"];
	const parts = Object.values(pages).map(
		(content, index) => `<div><h2>${titles[index]}</h2>${content}</div>`,
	);
	await picture('results', parts.join(''), 'all');
});
