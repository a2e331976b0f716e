/** The README's way to the first success, with the mouse and the keyboard, from a new n8n. */
import { type Email, type Mailbox, startMailbox } from '../support/others/mailbox';
import { appHosts, takeTexts } from '../support/others/apps';
import { sheets } from '../support/running/recordingExamples';
import { type StandIn, startStandIn } from '../support/others/standIn';
import { until } from '../../sandbox/stack/until';
import { actions, countActions, editor, logIn, page, scene, step, useScene } from './scene';

const call = {
	...{ direction: 'inbound', from: '+14155550187', to: '+14155550100', duration_seconds: 61 },
	...{ customer_name: 'Grace Hopper', outcome: 'booked', summary: 'Grace booked a demo.' },
};

let standIn: StandIn;
let mailbox: Mailbox;
let begin: number;

beforeAll(async () => {
	standIn = await startStandIn(appHosts);
	mailbox = await startMailbox();
});
afterAll(async () => {
	await mailbox?.stop();
	await standIn?.stop();
});
useScene({ env: () => standIn.env }, async () => {
	await countActions();
	await logIn();
});

/** Pastes an example into a new workflow, as the README says. */
async function pasteExample(file: string): Promise<void> {
	begin = Date.now();
	await editor.pasteExample(file);
	await editor.nodeOnCanvas('Voice Agent Trigger').waitFor();
}

/** Creates the credential of an opened node in its window. */
async function connect(type: string, fields: Record<string, string>, switches: string[] = []) {
	const dialog = await editor.openNewCredential(type);
	for (const name of switches) await editor.parameter(name).click();
	await editor.saveCredential(fields);
	await dialog.waitFor({ state: 'hidden' });
}

async function connectTrigger(): Promise<void> {
	await editor.openNode('Voice Agent Trigger');
	await connect('Voice Agent account', scene.sandbox.credential);
	await editor.closeNode();
}

/** Executes the workflow once, publishes it, and calls. */
async function tryAndPublish(): Promise<void> {
	const published = scene.sandbox.endpoints().length + 1;
	await page.getByTestId('execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').first().waitFor();
	await editor.publish();
	await until('the webhook', 60, () => scene.sandbox.endpoints().length === published);
	scene.sandbox.emit('call.completed', { call_id: 'call_1', ...call });
}

async function report(title: string): Promise<void> {
	const { clicks, texts } = await actions();
	const seconds = Math.round((Date.now() - begin) / 1000);
	// On the page of the example: Ctrl+A and Ctrl+C.
	console.log(
		`${title}: ${clicks} clicks, ${texts} texts typed, 3 shortcuts to copy and paste the example, ${seconds} s`,
	);
}

step('each call becomes a row of a data table', async () => {
	await pasteExample('calls-to-data-table-log.json');
	await connectTrigger();
	await tryAndPublish();
	await report('A row of a data table');
	await page.goto(`${scene.n8n.url}/home/datatables`);
	await page.getByTestId('data-table-card').click();
	const table = page.getByTestId('data-table-grid');
	await table.getByText('Grace Hopper').waitFor();
});

step('each call becomes an e-mail', async () => {
	await pasteExample('call-to-email.json');
	// n8n has chosen the credential of the trigger.
	await editor.openNode('Send Email');
	const { host, port } = mailbox.credential;
	await connect('SMTP account', { host, port: String(port) }, ['secure', 'disableStartTls']);
	await editor.parameter('fromEmail').locator('input').fill('n8n@example.com');
	await editor.parameter('toEmail').locator('input').fill('office@example.com');
	await editor.closeNode();
	await tryAndPublish();
	await report('An e-mail');
	const emails: Email[] = [];
	await until('the e-mail', 30, () => emails.push(...mailbox.take()) === 2);
	expect(emails[0]?.subject).toMatch(/^Test: Call with /);
	expect(emails.at(-1)).toMatchObject({
		to: 'office@example.com',
		subject: 'Call with Grace Hopper, 1 min: booked',
		text: expect.stringContaining('Grace booked a demo.') as string,
	});
});

step('each call becomes a row of a Google sheet', async () => {
	await sheets.reset([]);
	// The sign-in at Google is not walked through.
	await scene.n8n.api.createCredential('Google', 'googleSheetsOAuth2Api', {
		...{ clientId: 'of-the-test', clientSecret: 'of-the-test' },
		oauthTokenData: { access_token: 'token-of-the-test', token_type: 'Bearer' },
	});
	await pasteExample('calls-to-google-sheets-log.json');
	await editor.openNode('Save row');
	await page.getByTestId('resource-locator-documentId').getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').getByText('Calls of the test').click();
	await editor.closeNode();
	await tryAndPublish();
	await report('A row of a Google sheet');
	await until('the rows', 30, () => sheets.rows('Call log').length === 2);
	expect(sheets.rows('Call log').at(-1)).toMatchObject({ customer_name: 'Grace Hopper' });
});

step('each call becomes a message in Telegram', async () => {
	await pasteExample('call-to-telegram.json');
	await editor.openNode('Send message');
	await connect('Telegram account', { accessToken: '1:of-the-test' });
	await editor.parameter('chatId').locator('input').fill('42');
	await editor.closeNode();
	await tryAndPublish();
	await report('A message in Telegram');
	const texts: string[] = [];
	await until('the message', 30, () => texts.push(...takeTexts()) === 2);
	expect(texts).toEqual([
		expect.stringMatching(/^<b>Test: Call with /),
		expect.stringMatching(/^<b>Call with Grace Hopper, 1 min: booked/),
	]);
});
