import type { Locator, Page } from 'playwright-core';
import { until } from '../../sandbox/stack/until';
import { openPage, pictureOf, steps, takePicture } from './browser';
import { Editor } from './editor';
import { createSavingWorkflow, type Scene, startScene } from './scene';

const minute = 60_000;

const trigger = 'Voice Agent Trigger';
/** A call of a service with German field names. */
const call = {
	anrufer: { nummer: '030 23125014', vorname: 'Grace', nachname: 'Hopper' },
	dauer: 184,
	ergebnis: 'Termin vereinbart',
};
/** The columns of the data table, each with its expression. */
const columns = {
	phone: '={{ $json.callDetails.customer.phone }}',
	name: '={{ $json.callDetails.customer.name }}',
	outcome: '={{ $json.callDetails.outcome }}',
};

let scene: Scene;
let page: Page;
let editor: Editor;
let output: Locator;
let workflowId: string;
let calls = 0;
let tableId: string;
/** The pictures of the steps. */
const shown: Buffer[] = [];

beforeAll(async () => {
	scene = await startScene();
	const parameters = { options: { testEvent: 'real' } };
	({ workflowId, tableId } = await createSavingWorkflow(scene, parameters, columns));
	page = await openPage(scene.browser, 1300);
	output = page.getByTestId('output-panel');
	editor = await Editor.logIn(page, scene.n8n);
	await editor.openWorkflow(workflowId);
}, 15 * minute);

afterAll(async () => await scene?.stop(), minute);

const step = steps(() => page);

/** Executes the trigger with the call, and shows its output as JSON. */
async function executeStep(): Promise<void> {
	const button = page.getByTestId('trigger-execute-button').getByText('Execute step');
	// A click is lost while n8n stores a parameter.
	await until('the listener', 60, async () => {
		await button.click({ timeout: 5_000 });
		const isOpen = () => scene.sandbox.endpoints().length === 1;
		return await until('the listener', 15, isOpen).catch(() => false);
	});
	const anruf_nr = `A-${++calls}`;
	scene.sandbox.emit('call.completed', { ...call, anruf_nr });
	await until('its end', 30, () => scene.sandbox.endpoints().length === 0);
	await output.getByTestId('radio-button-json').click();
	await lineOf(`"${anruf_nr}"`).waitFor();
}

/** A line of the output. */
function lineOf(text: string): Locator {
	return output.locator('.vjs-tree-node').filter({ hasText: text }).first();
}

/** Adds a row to the mapping. */
async function map(row: number, detail: string, path: string): Promise<void> {
	await page.getByTestId('fixed-collection-add').click();
	await editor.parameter('detail').nth(row).locator('input').click();
	await page.getByRole('option', { name: detail, exact: true }).click();
	await pathOf(row).fill(path);
}

function pathOf(row: number): Locator {
	return editor.parameter('path').nth(row).locator('input');
}

/** Pastes another path into a row. n8n may put a `=` before it. */
async function paste(row: number, path: string): Promise<void> {
	await pathOf(row).fill('');
	await pathOf(row).click();
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(path)})`);
	await page.keyboard.press('Control+v');
	await until('the path', 15, async () => (await pathOf(row).inputValue()).endsWith(path));
}

/** Executes the step, and checks the mapped values. */
async function expectMapped(): Promise<void> {
	await executeStep();
	expect(await lineOf('"person"').innerText()).toContain('"found"');
	expect(await lineOf('"phone"').innerText()).toContain('"+493023125014"');
	expect(await lineOf('"name"').innerText()).toContain('"Grace Hopper"');
	expect(await lineOf('"outcome"').innerText()).toContain('"Termin vereinbart"');
}

/** Takes one picture of the three steps: the mapping, and the output of _Execute step_ before and after. */
async function takeSheet(): Promise<void> {
	const [before, mapping, after] = shown.map((picture) => picture.toString('base64'));
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
			<div>${figure('2. Map its fields', mapping)}</div>
		</main>`);
	await takePicture('images/mapping.png', [sheet.locator('main')]);
	await sheet.close();
}

step('sees an event without readable call details', async () => {
	await editor.openNode(trigger);
	await executeStep();
	expect(await lineOf('"person"').innerText()).toContain('unknown');
	shown.push(await pictureOf([lineOf('"data"'), lineOf('"ergebnis"')]));
});

step('maps the fields, and sees them in the call details', async () => {
	await editor.addOption('Call Details Mapping');
	await map(0, 'Customer Phone', 'data.anrufer.nummer');
	await map(1, 'Customer Name', 'data.anrufer.vorname');
	await map(2, 'Customer Name', 'data.anrufer.nachname');
	await map(3, 'Outcome', 'data.ergebnis');
	await editor.addOption('Country Code');
	await editor.parameter('countryCode').locator('input').fill('+49');
	const heading = page.getByTestId('node-parameters').getByText('Call Details Mapping');
	// Hides the hints that n8n shows beside a field with the focus or under the mouse.
	await heading.click();
	await page.mouse.move(0, 0);
	shown.push(await pictureOf([heading, editor.parameter('countryCode')]));

	await expectMapped();
	shown.push(await pictureOf([lineOf('"callDetails"'), lineOf('"recordingUrl"')]));
	await takeSheet();
});

step(
	'copies a path from the output, pastes it in place of another, and sees the same',
	async () => {
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await lineOf('"nummer"').getByText('nummer').click();
		await output.getByTestId('ndv-json-actions').getByRole('button').first().click();
		await page.getByText('Copy Item Path').click();
		const copied = await page.evaluate<string>('navigator.clipboard.readText()');
		expect(copied).toMatch(/^\{\{ \$item\("?0"?\)\.\$node\["Voice Agent Trigger"\]\.json/);

		await paste(0, copied);
		await paste(1, '{{ $json.data.anrufer.vorname }}');
		await paste(2, '{{ $node["Voice Agent Trigger"].json["data"].anrufer.nachname }}');
		await expectMapped();
	},
);

step('publishes, and finds the next call in the data table', async () => {
	const { api } = scene.n8n;
	await editor.closeNode();
	await editor.save(workflowId);
	await api.publish(workflowId);
	scene.sandbox.emit('call.completed', call);
	const rows = await until('the row', 30, async () => {
		const found = await api.dataTableRows(tableId);
		return found.length > 0 && found;
	});
	expect(rows).toMatchObject([
		{ phone: '+493023125014', name: 'Grace Hopper', outcome: 'Termin vereinbart' },
	]);
	await api.unpublish(workflowId);
});
