/** The page "Another CRM in ten minutes", as it is written: from HubSpot's example to one for Freshdesk. */
import { until } from '../../sandbox/stack/until';
import type { Crm } from '../support/crms/crm';
import { freshdesk } from '../support/crms/freshdesk';
import { hubspot } from '../support/crms/hubspot';
import { read } from '../support/documents';
import { type StandIn, startStandIn } from '../support/others/standIn';
import { actions, countActions, editor, logIn, page, scene, step, useScene } from './scene';

const call = {
	...{ direction: 'inbound', from: '+14155550187', to: '+14155550100', duration_seconds: 61 },
	...{ customer_name: 'Grace Hopper', outcome: 'booked', summary: 'Grace booked a demo.' },
};
const crms = { hubspot: hubspot({ lag: 0 }), freshdesk: freshdesk() };
/** The parameters of the page's fields. */
const fields: Record<string, string> = {
	...{ Name: 'name', Phone: 'phone', 'Contact ID': 'contactId' },
	...{ Email: 'email', 'Requester Identification': 'requester', Status: 'status' },
	...{ Value: 'requesterIdentificationValue', Subject: 'subject', Description: 'description' },
};
/** The rows of the page's first table. */
const rows = [...read('docs/another-crm.md').matchAll(/^\| (.*) \| (.*) \| (.*) \|$/gm)]
	.slice(2, 7)
	.map(([, name = '', action = '', set = '']) => ({ name, action, set }));

let standIn: StandIn;
let begin: number;

beforeAll(async () => {
	standIn = await startStandIn({
		'api.hubapi.com': {
			...crms.hubspot.hosts['api.hubapi.com'],
			'GET /crm/v3/properties/contacts': () => ({ results: [] }),
		},
		...crms.freshdesk.hosts,
	});
});
afterAll(async () => await standIn?.stop());
useScene({ stack: () => ({ env: standIn.env }), height: 1300 }, async () => {
	await scene.createCredential();
	const { api } = scene.n8n;
	await api.newCredentials('hubspotAppToken', { appToken: 'of-the-test' });
	await api.newCredentials('freshdeskApi', { apiKey: 'of-the-test', domain: 'acme' });
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
	if (plus) await editor.addOption(label);
	const input = editor.parameter(fields[label] ?? '').first();
	if (value.startsWith('`')) {
		await input.locator('input, textarea').first().fill(value.slice(1, -1));
	} else {
		await input.locator('input').first().click();
		// Beside its name, an option may have a description.
		const named = page.getByText(value, { exact: true });
		await page.getByRole('option').filter({ has: named, visible: true }).first().click();
	}
	// The result of an expression covers what is below, until a click elsewhere.
	await page.getByText('Parameters', { exact: true }).first().click();
}

/** Sets *On Error* in the settings of the open node. */
async function continueOnError(): Promise<void> {
	await page
		.getByRole('tab', { name: 'Settings' })
		.or(page.getByTestId('tab-settings'))
		.first()
		.click();
	await editor.parameter('onError').locator('input').first().click();
	await page
		.getByRole('option', { name: /^Continue(?! \(using)/ })
		.first()
		.click();
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

step('it becomes an example for Freshdesk, which records a call', async () => {
	expect(rows).toHaveLength(5);
	await editor.unpublish();
	begin = Date.now();
	const added: string[] = [];
	for (const { name, action, set: text } of rows) {
		await editor.nodeOnCanvas(name).click({ button: 'right' });
		await page.getByTestId('context-menu-item-replace').click();
		await page.getByTestId('node-creator-search-bar').fill('Freshdesk');
		await editor.itemOfPanel('Freshdesk').click();
		await editor.itemOfPanel(action).click();
		await editor.openNode(`${action}${added.filter((one) => one === action).length || ''}`);
		added.push(action);
		for (const [, plus = '', label = '', value = ''] of text.matchAll(
			/(\+ )?([A-Z][\w ]*): (`[^`]*`|[\w ]+)/g,
		)) {
			await set(plus, label, value);
		}
		if (name === 'Add address') await continueOnError();
		await editor.closeNode();
	}
	await recordCall(crms.freshdesk, 'Another CRM');
	scene.sandbox.emit('call.completed', { call_id: 'hidden', ...call, from: 'anonymous' });
	await until('the ticket', 60, () => crms.freshdesk.records?.().length === 2);
	expect(crms.freshdesk.records?.()[1]?.whose).toMatch(/^Whose call\?.*The caller hid/);
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
