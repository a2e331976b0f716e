import type { INode } from 'n8n-workflow';
import type { Locator, Page } from 'playwright-core';
import { isLacking } from '../../sandbox/stack/features';
import { read } from '../support/documents';
import { openPage, takePicture } from './browser';
import { editor, logIn, page, scene, step, useScene } from './scene';

/** The columns of the data table in place of a CRM. */
const columns = ['phone', 'name', 'last_outcome', 'last_summary'];
/** The summary in the sample. */
const summary = 'The customer asked for a demo and booked one for Tuesday at 10.';
let sandboxPage: Page;

useScene({ height: 1300 }, async () => {
	const types = columns.map((name) => ({ name, type: 'string' as const }));
	await scene.n8n.api.createDataTable('Customers', types);
	sandboxPage = await openPage(scene.browser);
	await sandboxPage.goto(scene.sandbox.pageUrl);
});

step('logs in', logIn);

step('pastes an example onto the canvas, with its note', async () => {
	const { nodes } = JSON.parse(read('examples/call-to-email.json')) as { nodes: INode[] };
	await editor.pasteExample('call-to-email.json');
	await editor.shows(nodes.length);
});

step('finds the trigger by typing "voice"', async () => {
	await editor.openWorkflow();
	await page.getByTestId('canvas-plus-button').click();
	await editor.addNode('voice', 'Voice Agent', 'On new Voice Agent event');
});

step('sees the error of an invalid key, and the success of a valid key', async () => {
	const dialog = await editor.openNewCredential('Voice Agent account');
	const { baseUrl, apiKey } = scene.sandbox.credential;
	await editor.saveCredential({ baseUrl, apiKey: 'svc_live_mistyped' });
	await dialog.getByText('More details').click();
	const isAdvised = !isLacking('Error messages of a credential itself');
	const message = isAdvised ? 'The API key was not accepted' : 'Authorization failed';
	await dialog.getByText(message).first().waitFor();

	await editor.saveCredential({ apiKey });
	await editor.reopenCredential(dialog);
	await dialog.getByText('Connection tested successfully').waitFor();
	await dialog.getByRole('button', { name: 'Close' }).click();
	await dialog.waitFor({ state: 'hidden' });
});

step("picks events from the service's catalog", async () => {
	// n8n requested the list with the invalid key, and does not repeat the request.
	const events = page.getByTestId('parameter-item').filter({ has: editor.parameter('events') });
	await events.hover();
	await events.getByTestId('action-toggle').click();
	await page.getByText('Refresh List').click();

	await editor.parameter('events').getByText('call.completed').click();
	await page.getByRole('option').first().waitFor();
	expect(await page.getByRole('option').allInnerTexts()).toContainEqual(
		expect.stringMatching(/^call\.transcribed\s+A call's transcript is ready$/),
	);
	const list = page.locator('.el-select-dropdown').filter({ visible: true });
	// Waits until the list stops moving.
	await list.scrollIntoViewIfNeeded();
	await takePicture('images/events.png', [page.getByTestId('node-parameters')], { downTo: list });
	const failed = page.getByRole('option', { name: 'call.failed' });
	await failed.click();
	expect(await editor.parameter('events').innerText()).toMatch(/call\.completed\s+call\.failed/);
	await failed.click();
	await page.keyboard.press('Escape');
	expect(await editor.parameter('events').innerText()).toMatch(/^call\.completed\s*$/);
});

step('sees sample data without a phone call', async () => {
	await page.getByTestId('trigger-execute-button').getByText('Execute step').click();
	const output = page.getByTestId('output-panel');
	await output.getByText('Ada Lovelace').first().waitFor();
	await page.getByTestId('trigger-execute-button').getByText('Execute step').waitFor();
	await output.getByTestId('radio-button-schema').click();
	await field(output, 'callDetails').waitFor();
	await editor.closeNode();
	// n8n removes the endpoint after it has shown the sample.
	await sandboxPage.getByText('None yet. Publish a workflow').waitFor();
	expect(scene.sandbox.endpoints()).toEqual([]);
});

step(
	"drags the call's details into a CRM record",
	async () => {
		const input = page.getByTestId('ndv-input-panel');
		await page.getByTestId('canvas-handle-plus').click();
		await editor.addNode('data table', 'Data table', /^Upsert row/);
		await page.getByTestId('rlc-input').click();
		await page.getByTestId('rlc-item').getByText('Customers').click();
		await page.getByTestId('fixed-collection-add').click();
		// The parameter can be opened after the columns are loaded.
		await editor.parameter('phone').waitFor();
		await editor.parameter('keyName').locator('input:enabled').first().click();
		await page.getByRole('option', { name: 'phone' }).click();

		await drag('phone', 'keyValue', '$json.callDetails.customer.phone');
		await drag('phone', 'phone', '$json.callDetails.customer.phone');
		await drag('name', 'name', '$json.callDetails.customer.name');
		await drag('outcome', 'last_outcome', '$json.callDetails.outcome');
		await drag('summary', 'last_summary', '$json.callDetails.summary');

		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('output-panel').getByText('1 item').waitFor();
		await page.mouse.move(0, 0);
		const title = editor.node.getByTestId('node-title-container').locator('xpath=..');
		const parameters = page.getByTestId('node-parameters');
		const downTo = parameters.getByText(summary);
		await downTo.waitFor();
		await takePicture('images/map.png', [title, input, parameters], { downTo });
		await editor.closeNode();
	},
	'Mapping and publishing in the present editor',
);

/** The topmost field of this name in a schema view. */
function field(panel: Locator, name: string): Locator {
	return panel
		.getByTestId('run-data-schema-item')
		.getByTestId('run-data-schema-node-name')
		.filter({ has: page.getByText(name, { exact: true }) })
		.first();
}

/** Drags the topmost field of that name from the input to a parameter. */
async function drag(name: string, parameter: string, expression: string): Promise<void> {
	const target = editor.parameter(parameter);
	await target.scrollIntoViewIfNeeded();
	await field(page.getByTestId('ndv-input-panel'), name).hover();
	await page.mouse.down();
	// The first move begins the drag, and the second one selects the target.
	await target.hover({ force: true });
	await target.hover({ force: true, position: { x: 40, y: 10 } });
	await page.mouse.up();
	await target.getByText(expression).waitFor();
}
