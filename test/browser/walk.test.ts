import type { Page } from 'playwright-core';
import { openPage, steps, takePicture } from './browser';
import { Editor } from './editor';
import { type Scene, startScene } from './scene';

const minute = 60_000;

let scene: Scene;
let page: Page;
let editor: Editor;
let sandboxPage: Page;

beforeAll(async () => {
	scene = await startScene();
	await scene.n8n.api.createDataTable('Customers', {
		phone: 'string',
		name: 'string',
		last_outcome: 'string',
		last_summary: 'string',
	});
	page = await openPage(scene.browser);
	sandboxPage = await openPage(scene.browser);
	await sandboxPage.goto(scene.sandbox.pageUrl);
}, 15 * minute);

afterAll(async () => await scene?.stop(), minute);

const step = steps(() => page);

step('logs in and starts a new workflow', async () => {
	editor = await Editor.logIn(page, scene.n8n);
	await editor.openWorkflow();
});

step('finds the trigger by typing "voice"', async () => {
	await page.getByTestId('canvas-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('voice');
	await editor.itemOfPanel('Voice Agent').waitFor();
	await takePicture(page, 'images/find.png');
	await editor.addNode('voice', 'Voice Agent', 'On new Voice Agent event');
});

step('is told what is wrong with a bad key, and that a good one is right', async () => {
	const dialog = page.getByTestId('editCredential-modal');
	const save = () => page.getByTestId('credential-save-button').getByRole('button').click();
	const key = dialog.getByTestId('parameter-input-apiKey').locator('input');

	await page.getByTestId('node-credentials-empty-state').click();
	// It is named by n8n, and cannot be saved before.
	await dialog.getByTestId('inline-edit-preview').getByText('Voice Agent account').waitFor();
	await dialog.getByTestId('parameter-input-baseUrl').locator('input').fill(scene.sandbox.baseUrl);
	await key.fill('svc_live_mistyped');
	await save();
	await dialog.getByText('More details').click();
	await dialog.getByText('The API key was not accepted').waitFor();
	await takePicture(page, 'images/credential.png');

	await key.fill(scene.sandbox.adminKey);
	await save();
	await dialog.waitFor({ state: 'hidden' });
	await page.getByTestId('credential-edit-button').click();
	await dialog.getByText('Connection tested successfully').waitFor();
	await dialog.getByRole('button', { name: 'Close' }).click();
	await dialog.waitFor({ state: 'hidden' });
});

step("picks events from the service's catalog", async () => {
	// n8n asked for the list with the bad key, and does not ask again by itself.
	const events = page.getByTestId('parameter-item').filter({ has: editor.parameter('events') });
	await events.hover();
	await events.getByTestId('action-toggle').click();
	await page.getByText('Refresh List').click();

	await editor.parameter('events').getByText('call.completed').click();
	await page.getByRole('option').first().waitFor();
	expect(await page.getByRole('option').allInnerTexts()).toContain('call.transcribed');
	await takePicture(page, 'images/events.png');
	await page.getByRole('option', { name: 'call.failed' }).click();
	await page.keyboard.press('Escape');
	expect(await editor.parameter('events').innerText()).toMatch(/call\.completed\s+call\.failed/);
});

step('sees sample data without a phone call', async () => {
	await page.getByTestId('trigger-execute-button').getByText('Execute step').click();
	const output = page.getByTestId('output-panel');
	await output.getByText('Ada Lovelace').first().waitFor();
	await page.getByTestId('trigger-execute-button').getByText('Execute step').waitFor();
	await output.getByTestId('radio-button-schema').click();
	await takePicture(page, 'images/sample.png');
	await editor.closeNode();
	// n8n shows the sample first, and then unsubscribes.
	await sandboxPage.getByText('None yet. Publish a workflow').waitFor();
	expect(scene.sandbox.endpoints()).toEqual([]);
});

step("drags the sample's fields into a CRM record", async () => {
	await page.getByTestId('canvas-handle-plus').click();
	await editor.addNode('data table', 'Data table', /^Upsert row/);
	await page.getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').getByText('Customers').click();
	await page.getByTestId('fixed-collection-add').click();
	await editor.parameter('keyName').click();
	await page.getByRole('option', { name: 'phone' }).click();

	await drag('phone', 'keyValue', '$json.data.customer.phone');
	await drag('phone', 'phone', '$json.data.customer.phone');
	await drag('Ada Lovelace', 'name', '$json.data.customer.name');
	await drag('outcome', 'last_outcome', '$json.data.outcome');
	await drag('summary', 'last_summary', '$json.data.summary');

	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('output-panel').getByText('1 item').waitFor();
	await takePicture(page, 'images/map.png');
	await editor.closeNode();
});

/** Drags a field of the input, known by a text in it, to a parameter. */
async function drag(field: string, parameter: string, expression: string): Promise<void> {
	const target = editor.parameter(parameter);
	await target.scrollIntoViewIfNeeded();
	await page
		.getByTestId('run-data-schema-item')
		.filter({ hasText: field })
		.last()
		.getByTestId('run-data-schema-node-name')
		.hover();
	await page.mouse.down();
	// The first move begins the dragging, and the target counts from the second on.
	await target.hover({ force: true });
	await target.hover({ force: true, position: { x: 40, y: 10 } });
	await page.mouse.up();
	await target.getByText(expression).waitFor();
}

step('publishes, which registers one endpoint at the service', async () => {
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	const done = page.getByTestId('activation-modal');
	await done.getByText('Every chosen event now starts your workflow.').waitFor();
	await done.getByRole('button', { name: 'Got it' }).click();

	const endpoint = sandboxPage.locator('#endpoints').getByRole('listitem');
	await endpoint.getByText('call.completed, call.failed').waitFor();
	expect(await endpoint.count()).toBe(1);
});

step('simulates a call, and finds its record in the CRM', async () => {
	await sandboxPage.getByRole('textbox', { name: "Customer's name" }).fill('Grace Hopper');
	await sandboxPage.getByRole('button', { name: 'Simulate a call' }).click();
	await sandboxPage.locator('#deliveries').getByText('Delivered, 200').nth(1).waitFor();

	const { pathname } = new URL(page.url());
	await page.getByTestId('radio-button-executions').click();
	const newest = page
		.getByTestId('current-executions-list')
		.locator('[data-test-id^=execution-details]')
		.first();
	await newest.getByText('Succeeded').waitFor();
	await editor.iconOf('Upsert row(s)').waitFor();
	await page.getByTestId('edge-label').getByText('1 item').waitFor();
	await takePicture(page, 'images/execution.png');

	await page.goto(`${scene.n8n.url}/home/datatables`);
	await page.getByTestId('data-table-card').click();
	const record = page.getByTestId('data-table-grid');
	await record.getByText('Grace Hopper').waitFor();
	await takePicture(record.locator('.ag-root-wrapper'), 'images/record.png');
	await page.goto(scene.n8n.url + pathname);
});

step('unpublishes, which removes the endpoint', async () => {
	await page.getByTestId('version-menu-button').click();
	await page.getByRole('menuitem', { name: 'Unpublish' }).click();
	await page
		.getByTestId('workflow-history-version-unpublish-modal')
		.getByRole('button', { name: 'Unpublish' })
		.click();
	await sandboxPage.getByText('None yet. Publish a workflow').waitFor();
	expect(scene.sandbox.endpoints()).toEqual([]);
});
