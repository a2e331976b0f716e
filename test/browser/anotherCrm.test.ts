/** The page "Another CRM in ten minutes", as it is written: from HubSpot's example to one for Pipedrive. */
import { until } from '../../sandbox/stack/until';
import type { Crm } from '../support/crms/crm';
import { hubspot } from '../support/crms/hubspot';
import { pipedrive } from '../support/crms/pipedrive';
import { read } from '../support/documents';
import { type StandIn, startStandIn } from '../support/others/standIn';
import { actions, countActions, editor, logIn, page, scene, step, useScene } from './scene';

const call = {
	...{ direction: 'inbound', from: '+14155550187', to: '+14155550100', duration_seconds: 61 },
	...{ customer_name: 'Grace Hopper', outcome: 'booked', summary: 'Grace booked a demo.' },
};
const crms = { hubspot: hubspot(), pipedrive: pipedrive() };
/** The parameters of the page's fields, and whether they take a number. */
const fields: Record<string, string> = {
	...{ 'Return All': 'returnAll', Name: 'name', Subject: 'subject', Done: 'done', Type: 'type' },
	...{ Phones: 'value', 'Person ID': 'person_id', Note: 'note' },
};
/** The rows of the page's table. */
const rows = [...read('docs/another-crm.md').matchAll(/^\| (.*) \| (.*) \| (.*) \|$/gm)]
	.slice(2)
	.map(([, name = '', action = '', set = '']) => ({ name, action, set }));

let standIn: StandIn;
let begin: number;

beforeAll(async () => {
	const fieldsOf = () => ({ success: true, data: [] });
	standIn = await startStandIn({
		'api.hubapi.com': {
			...crms.hubspot.hosts['api.hubapi.com'],
			'GET /crm/v3/properties/contacts': () => ({ results: [] }),
		},
		'api.pipedrive.com': {
			...crms.pipedrive.hosts['api.pipedrive.com'],
			'GET /api/v2/personFields': fieldsOf,
			'GET /api/v2/activityFields': fieldsOf,
		},
	});
});
afterAll(async () => await standIn?.stop());
useScene({ stack: () => ({ env: standIn.env }), height: 1300 }, async () => {
	await scene.createCredential();
	const { api } = scene.n8n;
	await api.newCredentials('hubspotAppToken', { appToken: 'of-the-test' });
	await api.newCredentials('pipedriveApi', { apiToken: 'of-the-test' });
	await countActions();
	await logIn();
});

/** Publishes, calls, and waits for the call in a CRM. */
async function recordCall(crm: Crm, title: string): Promise<void> {
	crm.reset([]) as void;
	await editor.publish();
	await until('the webhook', 60, () => scene.sandbox.endpoints().length === 1);
	scene.sandbox.emit('call.completed', { call_id: title, ...call });
	await until('the call in the CRM', 60, () => crm.records?.().length === 1);
	expect(crm.records?.()).toMatchObject([
		{ person: Object.keys(await crm.people())[0], title: 'Call with Grace Hopper, 1 min: booked' },
	]);
	const { clicks, texts } = await actions();
	const seconds = Math.round((Date.now() - begin) / 1000);
	console.log(`${title}: ${clicks} clicks, ${texts} texts typed, ${seconds} s`);
}

/** Sets a field as the page says. `+` adds the field. */
async function set(plus: string, label: string, value: string): Promise<void> {
	if (plus) {
		await editor.addOption(label);
		if (label === 'Phones') await page.getByTestId('fixed-collection-add').last().click();
	}
	const input = editor.parameter(fields[label] ?? '').first();
	if (value === 'on') {
		await input.getByRole('switch').or(input.locator('.el-switch')).first().click();
	} else if (label === 'Person ID') {
		const switches = input.locator(
			'xpath=ancestor::*[.//*[@data-test-id="radio-button-expression"]][1]',
		);
		await input.hover();
		await switches.getByTestId('radio-button-expression').click();
		await input.locator('.cm-content').click();
		await page.keyboard.press('Control+a');
		await page.keyboard.insertText(value);
	} else {
		await input.locator('input, textarea').first().fill(value);
	}
	// The result of an expression covers what is below, until a click elsewhere.
	await page.getByText('Parameters', { exact: true }).first().click();
}

step("HubSpot's example records a call", async () => {
	begin = Date.now();
	await editor.pasteExample('call-to-hubspot.json');
	// n8n chooses the only credential of a type.
	for (const { name } of rows) {
		await editor.openNode(name);
		await page.getByTestId('node-credentials-select').first().waitFor();
		await editor.closeNode();
	}
	await recordCall(crms.hubspot, 'HubSpot');
});

step('the canvas shows what Match Customer compares, and where each call goes', async () => {
	const match = editor.nodeOnCanvas('Match Customer');
	for (const name of ['Calls', 'Records', 'Found', 'New', 'Unclear', 'No Customer']) {
		await match.getByText(name, { exact: true }).waitFor();
	}
	await editor.openNode('Match Customer');
	await page.getByTestId('node-parameters').getByText('It needs no credential').waitFor();
	expect(await page.getByTestId('node-credentials-select').count()).toBe(0);
	await editor.closeNode();
});

step('it becomes an example for Pipedrive, which records a call', async () => {
	expect(rows).toHaveLength(4);
	await editor.unpublish();
	begin = Date.now();
	const added: string[] = [];
	for (const { name, action, set: text } of rows) {
		await editor.nodeOnCanvas(name).click({ button: 'right' });
		await page.getByTestId('context-menu-item-replace').click();
		await page.getByTestId('node-creator-search-bar').fill('Pipedrive');
		await editor.itemOfPanel('Pipedrive').click();
		await editor.itemOfPanel(action).click();
		await editor.openNode(`${action}${added.filter((one) => one === action).length || ''}`);
		added.push(action);
		for (const [, plus = '', label = '', value = '', on = ''] of text.matchAll(
			/(\+ )?([A-Z][\w ]*): (?:`([^`]*)`|(on))/g,
		)) {
			await set(plus, label, value || on);
		}
		await editor.closeNode();
	}
	await recordCall(crms.pipedrive, 'Another CRM');
});

step('the node is found by what it does', async () => {
	for (const search of ['match customer', 'CRM']) {
		await page.getByTestId('node-creator-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill(search);
		await editor.itemOfPanel('Voice Agent').click();
		await editor.itemOfPanel('Match customer of call').waitFor();
		await page.keyboard.press('Escape');
	}
});
