import { readFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { isFulfilled, until } from '../../sandbox/stack/until';
import { chain, nodeOf, triggerNode } from '../support/n8n/triggerNode';
import { pictureOf, takePicture } from './browser';
import { actions, countActions, editor, logIn, page, scene, step, useScene } from './scene';

const trigger = 'Voice Agent Trigger';
/** The columns of the data table, each with its expression. */
const columns = {
	phone: '={{ $json.callDetails.customer.phone }}',
	name: '={{ $json.callDetails.customer.name }}',
	time: '={{ $json.callDetails.startedAt }}',
};
/** A call of a service in another language: its data, the path of each column, and the saved row. */
const data = {
	anrufer: { nummer: '+49 30 23125014', name: 'Grace Hopper' },
	beginn: '2026-05-04T09:30:00+02:00',
	ergebnis: 'Termin vereinbart',
};
const paths = ['data.anrufer.nummer', 'data.anrufer.name', 'data.beginn'];
const row = { phone: '+493023125014', name: 'Grace Hopper' };
/** The start of the call, as it is saved. */
const time = '2026-05-04T07:30:00.000Z';
const details = ['Customer Phone', 'Customer Name', 'Started At'];

let output: Locator;
let workflowId: string;
let tableId: string;
/** The pictures of the steps. */
const shown: Buffer[] = [];

useScene({ height: 1300, stack: () => ({ env: { N8N_LOG_LEVEL: 'debug' } }) }, async () => {
	await countActions();
	output = page.getByTestId('output-panel');
	await logIn();
});

/** Creates a workflow of a Voice Agent Trigger and a data table. */
async function createWorkflow(): Promise<void> {
	const { api } = scene.n8n;
	const types = Object.keys(columns).map((name) => ({ name, type: 'string' as const }));
	tableId = await api.createDataTable('Customers', types);
	const credentials = await scene.createCredential();
	const parameters = { options: { testEvent: 'real' } };
	const start = triggerNode('', parameters, { name: trigger, credentials });
	const table = nodeOf('Save call', 'n8n-nodes-base.dataTable', {
		position: [560, 100],
		parameters: {
			operation: 'insert',
			dataTableId: { __rl: true, mode: 'id', value: tableId },
			columns: { mappingMode: 'defineBelow', value: columns },
		},
	});
	const connections = chain(start.name, table.name);
	const workflow = { name: 'Calls', nodes: [start, table], connections };
	workflowId = (await api.createWorkflow(workflow)).id;
}

/** Executes the trigger with a call. */
async function executeStep(data: object): Promise<void> {
	const button = page.getByTestId('trigger-execute-button').getByText('Execute step');
	// A click is lost while n8n stores a parameter.
	await until('the listener', 60, async () => {
		await button.click({ timeout: 5_000 });
		const isOpen = () => scene.sandbox.endpoints().length === 1;
		return await until('the listener', 15, isOpen).catch(() => false);
	});
	scene.sandbox.emit('call.completed', data);
	await until('its end', 30, () => scene.sandbox.endpoints().length === 0);
	await output.getByTestId('radio-button-json').click();
}

const heading = () => page.getByTestId('node-parameters').getByText('Call Details Mapping');

/** A line of the output. */
function lineOf(text: string): Locator {
	return output.locator('.vjs-tree-node').filter({ hasText: text }).first();
}

/** Acts, and waits until the list of fields is loaded, which n8n starts then, unless it is loading the list. */
async function loading(act: () => Promise<void>): Promise<void> {
	const loaded = page.waitForResponse(
		(response) => (response.request().postData() ?? '').includes('getEventFields'),
		{ timeout: 10_000 },
	);
	await Promise.all([act(), isFulfilled(loaded)]);
}

/** Adds a row to the mapping, and chooses its detail and its field. */
async function map(row: number, detail: string, path: string): Promise<void> {
	await loading(() => page.getByTestId('fixed-collection-add').click());
	if (detail !== 'Customer Phone') {
		await editor.parameter('detail').nth(row).locator('input').click();
		await loading(() => page.getByRole('option', { name: detail, exact: true }).click());
	}
	await editor.parameter('path').nth(row).locator('input').click();
	const entry = page.getByRole('option', { name: `${path}: ` });
	// The list has then unfolded.
	await entry.hover();
	// The picture shows the list of the first call.
	if (shown.length === 1) {
		shown.push(await pictureOf([editor.parameter('path'), page.getByRole('listbox')]));
	}
	await entry.click();
}

/** Takes one picture of the steps: the output of _Execute step_, the list, the rows, and the output after it. */
async function takeSheet(): Promise<void> {
	const [before, list, rows, after] = shown.map((picture) => picture.toString('base64'));
	const figure = (caption: string, picture = '') =>
		`<figure><figcaption>${caption}</figcaption><img src="data:image/png;base64,${picture}"></figure>`;
	const sheet = await page.context().newPage();
	await sheet.setContent(`<style>
			main { display: flex; gap: 24px; padding: 16px; width: 868px; font: 600 15px sans-serif }
			main > div { flex: 4 }
			main > div:first-child { flex: 5 }
			figure { margin: 0 0 20px }
			figcaption { margin-bottom: 8px }
			img { width: 100% }
		</style>
		<main>
			<div>${figure('1. Execute step shows an event', before)}${figure('3. Execute step shows the call details', after)}</div>
			<div>${figure('2. Choose its fields', list)}<img src="data:image/png;base64,${rows}"></div>
		</main>`);
	await takePicture('images/mapping.png', [sheet.locator('main')]);
	await sheet.close();
}

step('maps the fields of a German call with the mouse, and publishes', async () => {
	await createWorkflow();
	await editor.openWorkflow(workflowId);
	await editor.openNode(trigger);
	await executeStep(data);
	await lineOf('"unknown"').waitFor();
	shown.push(await pictureOf([lineOf('"data"'), output.locator('.vjs-tree-node').last()]));
	const hint = output.getByRole('alert').filter({ hasText: `"${paths[0]}" looks like a phone` });
	await hint.waitFor();
	await takePicture('images/hint.png', [hint], { downTo: lineOf('"person"') });
	await editor.addOption('Call Details Mapping');
	for (const [index, path] of paths.entries()) await map(index, details[index] ?? '', path);
	// Hides the hints that n8n shows beside the field under the mouse.
	await page.mouse.move(0, 0);
	shown.push(await pictureOf([heading(), editor.parameter('path').last()]));
	await executeStep(data);
	await lineOf(`"${row.phone}"`).waitFor();
	shown.push(await pictureOf([lineOf('"callDetails"'), lineOf('"recordingUrl"')]));
	await takeSheet();
	await editor.closeNode();
	await editor.publish();
	await until('the webhook', 60, () => scene.sandbox.endpoints().length === 1);
	expect((await actions()).keystrokes).toBe(0);
});

step('finds the next call in the data table, and its values nowhere else', async () => {
	const { api, logFile } = scene.n8n;
	scene.sandbox.emit('call.completed', data);
	const saved = await until('the row', 30, async () => (await api.dataTableRows(tableId))[0]);
	expect(saved).toMatchObject({ ...row, time });
	await api.unpublish(workflowId);
	const workflow = JSON.stringify(await api.request('GET', `/workflows/${workflowId}`));
	for (const path of paths) expect(workflow).toContain(`"path":"${path}"`);
	const written = workflow + readFileSync(logFile, 'utf8');
	const values = JSON.stringify([data, row]).match(/(?<=:)("[^"]*"|\d+)(?=[,}])/g) ?? [];
	expect(values.length).toBeGreaterThan(4);
	for (const value of values) expect(written).not.toContain(value.replaceAll('"', ''));
});

step('types a path that no event has, and keeps it', async () => {
	await editor.openWorkflow(workflowId);
	await editor.openNode(trigger);
	const path = editor.parameter('path').first();
	const switches = path.locator('xpath=ancestor::*[.//*[@data-test-id="radio-button-fixed"]][1]');
	await path.hover();
	const code = path.locator('.cm-content');
	// A click is lost while n8n loads the list.
	await until('the expression', 15, async () => {
		await switches.getByTestId('radio-button-expression').click();
		return await code.isVisible();
	});
	await code.click();
	await page.keyboard.press('Control+a');
	await page.keyboard.type('data.kunde.tel');
	const result = page.getByTestId('inline-expression-editor-output');
	await result.getByText('data.kunde.tel').waitFor();
	await heading().click();
	await path.hover();
	await switches.getByTestId('radio-button-fixed').click();
	// n8n opens the list.
	await heading().click();
	const input = path.locator('input').first();
	await until('the path', 15, async () => (await input.inputValue()) === 'data.kunde.tel');
	await editor.closeNode();
	await editor.save(workflowId);
	const workflow = JSON.stringify(await scene.n8n.api.request('GET', `/workflows/${workflowId}`));
	expect(workflow).toContain('"path":"data.kunde.tel"');
});
