/** The page "Another CRM in ten minutes", as it is written: from HubSpot's example to one for another CRM. */
import { until } from '../../sandbox/stack/until';
import type { Crm } from '../support/crms/crm';
import { type NodeOfPage, nodesOfPage, parameterOf } from '../support/crms/anotherCrm';
import { freshdesk } from '../support/crms/freshdesk';
import { hubspot } from '../support/crms/hubspot';
import { zendesk } from '../support/crms/zendesk';
import { type StandIn, startStandIn } from '../support/others/standIn';
import { editor, logIn, page, scene, step, useScene } from './scene';

const call = {
	...{ direction: 'inbound', from: '+14155550187', to: '+14155550100', duration_seconds: 61 },
	...{ customer_name: 'Grace Hopper', outcome: 'booked', summary: 'Grace booked a demo.' },
};
const ofHubspot = hubspot({ lag: 0 });
const crms = { Freshdesk: freshdesk(), Zendesk: zendesk() };
const crmNodes = nodesOfPage.Freshdesk.map(({ name }) => name);

let standIn: StandIn;

beforeAll(async () => {
	standIn = await startStandIn({
		'api.hubapi.com': {
			...ofHubspot.hosts['api.hubapi.com'],
			'GET /crm/v3/properties/contacts': () => ({ results: [] }),
		},
		...crms.Freshdesk.hosts,
		...crms.Zendesk.hosts,
	});
});
afterAll(async () => await standIn?.stop());
useScene({ stack: () => standIn, height: 1300 }, async () => {
	await scene.createCredential();
	const { api } = scene.n8n;
	await api.newCredentials('hubspotAppToken', { appToken: 'of-the-test' });
	await api.newCredentials('freshdeskApi', { apiKey: 'of-the-test', domain: 'acme' });
	const ofZendesk = { subdomain: 'acme', email: 'a@example.com', apiToken: 'of-the-test' };
	await api.newCredentials('zendeskApi', ofZendesk);
	await logIn();
});
// A node takes ten seconds on a busy machine.
jest.setTimeout(5 * 60_000);

/** Tests, publishes, calls, and waits for the call in a CRM. */
async function recordCall(crm: Crm, title: string): Promise<void> {
	await crm.reset([]);
	await page.getByTestId('execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').first().waitFor();
	expect(crm.records?.()).toMatchObject([{ title: expect.stringMatching(/^Test: /) as string }]);
	await crm.reset([]);
	await editor.publish();
	await until('the webhook', 60, () => scene.sandbox.endpoints().length === 1);
	scene.sandbox.emit('call.completed', { call_id: title, ...call });
	await until('the call in the CRM', 60, () => crm.records?.().length === 1);
	expect(crm.records?.()).toMatchObject([
		{ person: Object.keys(await crm.people())[0], title: 'Call with Grace Hopper, 1 min: booked' },
	]);
}

/** Sets the fields of the opened node as the page says. */
async function set({ fields }: NodeOfPage): Promise<void> {
	for (const { isAdded, label, value } of fields) {
		if (isAdded) await editor.addOption(label);
		const input = editor.parameter(parameterOf[label] ?? '').first();
		if (value === 'on') {
			await input.click();
		} else if (value.startsWith('`')) {
			await input.locator('input, textarea, .cm-content').first().fill(value.slice(1, -1));
		} else {
			await input.locator('input').first().click();
			// Beside its name, an option may have a description.
			const named = page.getByText(value, { exact: true });
			await page.getByRole('option').filter({ has: named, visible: true }).first().click();
		}
		// The result of an expression covers what is below, until a click elsewhere.
		await page.getByText('Parameters', { exact: true }).first().click();
	}
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

/** Opens nodes, in which n8n then chooses the only credential of a type. */
async function openNodes(...names: string[]): Promise<void> {
	for (const name of names) {
		await editor.openNode(name);
		await page.getByTestId('node-credentials-select').first().waitFor();
		await editor.closeNode();
	}
}

step("HubSpot's example records a call", async () => {
	await editor.pasteExample('call-to-hubspot.json');
	await openNodes(...crmNodes);
	await recordCall(ofHubspot, 'HubSpot');
});

/** Replaces a node by another CRM's, and sets it. @param newName that n8n gives to it */
async function replace(crm: string, node: NodeOfPage, newName: string): Promise<void> {
	await editor.nodeOnCanvas(node.name).click({ button: 'right' });
	await page.getByTestId('context-menu-item-replace').click();
	await page.getByTestId('node-creator-search-bar').fill(crm);
	await editor.itemOfPanel(crm).click();
	await editor.itemOfPanel(node.action).click();
	await editor.openNode(newName);
	await set(node);
	if (node.name === 'Add address') await continueOnError();
	await editor.closeNode();
}

for (const [name, crm] of Object.entries(crms)) {
	step(`it becomes an example for ${name}, which records a call`, async () => {
		await editor.unpublish();
		await editor.pasteExample('call-to-hubspot.json');
		await openNodes('Voice Agent Trigger');
		await page.getByTestId('canvas').click({ position: { x: 200, y: 200 } });
		const nodes = nodesOfPage[name as keyof typeof crms];
		for (const [index, node] of nodes.entries()) {
			const others = nodes.slice(0, index).filter(({ action }) => action === node.action);
			await replace(name, node, `${node.action}${others.length || ''}`);
		}
		await recordCall(crm, name);
		scene.sandbox.emit('call.completed', { call_id: 'again', ...call });
		await until('the next call in the CRM', 60, () => crm.records?.().length === 2);
		scene.sandbox.emit('call.completed', { call_id: 'hidden', ...call, from: 'anonymous' });
		await until('the ticket', 60, () => crm.records?.().length === 3);
		const [person, ...others] = Object.keys(crm.people());
		expect(others).toEqual([]);
		expect(crm.records?.()).toMatchObject([{ person }, { person }, {}]);
		expect(crm.records?.()[2]?.whose).toContain('The caller hid');
	});
}

step('the node is found by what it does', async () => {
	for (const search of ['match customer', 'CRM']) {
		await page.getByTestId('node-creator-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill(search);
		await editor.itemOfPanel('Voice Agent').click();
		await editor.itemOfPanel('Match customer of call').waitFor();
		await page.keyboard.press('Escape');
	}
});
