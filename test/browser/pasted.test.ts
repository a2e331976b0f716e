/** The README's way to the first row with a service that offers no API for webhooks, and a test of a call of it. */
import type { Page } from 'playwright-core';
import { startPastedService } from '../../sandbox/pasted';
import { tableNamed } from '../support/n8n/dataTables';
import { takePicture } from './browser';
import { editor, logIn, page, scene, step, useScene } from './scene';

/** The secret in the service's form. */
const secret = 'a long random text';
let service: Awaited<ReturnType<typeof startPastedService>>;
let servicePage: Page;

useScene({ height: 1300 }, async () => {
	service = await startPastedService(scene.certificate.ca);
	await logIn();
	servicePage = await page.context().newPage();
	await servicePage.goto(service.pageUrl);
});
afterAll(() => service?.stop());

/** Copies a URL of the opened trigger, and pastes it at the service. */
async function pasteUrl(kind: 'Test URL' | 'Production URL'): Promise<void> {
	await page.getByText(kind, { exact: true }).click();
	await editor.node.locator('.webhook-url').click();
	await servicePage.bringToFront();
	const url = servicePage.getByLabel('Webhook URL');
	await url.fill('');
	await url.press('Control+v');
	await page.bringToFront();
}

/** Lets a call end at the service. */
async function call(): Promise<void> {
	const button = servicePage.getByRole('button', { name: 'Let a call end' });
	const [answer] = await Promise.all([
		servicePage.waitForResponse(service.pageUrl),
		button.click(),
	]);
	expect(await answer.text()).toContain('n8n answered 200.');
}

step('pastes the example, and the URL of its trigger at the service', async () => {
	await page.bringToFront();
	await editor.pasteExample('calls-to-data-table-log.json');
	await editor.openNode('Voice Agent Trigger');
	await editor.parameter('registration').locator('input').click();
	await page.getByRole('option', { name: /^Pasted at the Service/ }).click();
	const urls = page.getByText('Webhook URLs', { exact: true });
	await urls.click();
	await pasteUrl('Production URL');
	const shown = `https://n8n.example.com/webhook/${crypto.randomUUID()}/webhook`;
	await editor.node
		.locator('.webhook-url')
		.evaluate((url, value) => void Object.assign(url, { innerText: value }), shown);
	await takePicture('images/pasted.png', [urls, editor.parameter('eventNames')], { margin: 9 });
	await editor.closeNode();
});

step('publishes without a credential, and the next call is a row', async () => {
	await editor.publish('Every chosen event now starts your workflow.');
	await call();
	const rows = await tableNamed(scene.n8n.api, 'Call list').rows();
	expect(rows).toMatchObject([{ customer_name: 'Ada Lovelace', customer_phone: '+14155550123' }]);
});

step('with a secret, maps a field of a test call by its value in the list', async () => {
	await editor.openNode('Voice Agent Trigger');
	const dialog = await editor.openNewCredential('Voice Agent Webhook account');
	await editor.saveCredential({ secret });
	await dialog.waitFor({ state: 'hidden' });
	await servicePage.getByLabel('Deliveries carry').selectOption({ index: 2 });
	await page.getByText('Webhook URLs', { exact: true }).click();
	await pasteUrl('Test URL');
	await page.getByTestId('trigger-execute-button').getByText('Execute step').click();
	await page.getByText('Listening for test event').waitFor();
	await call();
	await page.getByTestId('output-panel').getByText('Ada Lovelace').first().waitFor();

	await editor.addOption('Call Details Mapping');
	await page.getByTestId('fixed-collection-add').click();
	await editor.parameter('path').locator('input').click();
	await page.getByRole('option', { name: 'data.to: +14155550100' }).click();
	await pasteUrl('Production URL');
	await editor.closeNode();
});

step('publishes the change, and the next call has the chosen field', async () => {
	await editor.publishAgain();
	await call();
	const [, row] = await tableNamed(scene.n8n.api, 'Call list').rows();
	expect(row).toMatchObject({ customer_phone: '+14155550100' });
});
