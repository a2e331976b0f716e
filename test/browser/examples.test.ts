import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type Choices, importExample } from '../../sandbox/stack/example';
import { until } from '../../sandbox/stack/until';
import { accounts as ofStarters } from '../support/others/apps';
import { type Box, boxOf, takePicture } from './browser';
import { editor, logIn, page, scene, useScene } from './scene';

const names = readdirSync(join(__dirname, '..', '..', 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.slice(0, -'.json'.length));

let credentialId: string;
/** Credentials and choices, so that no node has a warning. */
const choices: Choices = {};
/** The type of the credential of a node, its data, and further choices. */
const accounts: Record<string, [string, IDataObject, INodeParameters?]> = {
	hubspot: ['hubspotAppToken', { appToken: 'of-the-picture' }],
	pipedrive: ['pipedriveApi', { apiToken: 'of-the-picture' }],
	salesforce: ['salesforceOAuth2Api', {}],
	zohoCrm: ['zohoOAuth2Api', {}],
	highLevel: ['highLevelOAuth2Api', {}],
	googleSheets: ['googleSheetsOAuth2Api', {}, { documentId: chosen('1Sheet') }],
	emailSend: ['smtp', {}, { fromEmail: 'n8n@example.com', toEmail: 'office@example.com' }],
	...ofStarters,
};
function chosen(value: string): INodeParameters {
	return { __rl: true, mode: 'id', value };
}

useScene({}, async () => {
	const { api } = scene.n8n;
	credentialId = (await scene.createCredential()).voiceAgentApi.id;
	for (const [node, [type, data, parameters]] of Object.entries(accounts)) {
		const credentials = await api.newCredentials(type, data);
		choices[`n8n-nodes-base.${node}`] = { credentials, parameters };
	}
	const ofVault = { name: 'X-Vault-Token', value: 'of-the-picture' };
	const header = await api.newCredentials('httpHeaderAuth', ofVault);
	const [ofHubspot, ofZoho] = ['hubspot', 'zohoCrm'].map(
		(node) => choices[`n8n-nodes-base.${node}`]?.credentials,
	);
	choices['n8n-nodes-base.httpRequest'] = { credentials: { ...header, ...ofHubspot, ...ofZoho } };
	// Large enough to show each example without zoom.
	await page.setViewportSize({ width: 2400, height: 1500 });
	await logIn();
});

/** Imports an example and opens it. */
async function open(name: string): Promise<void> {
	const id = await importExample(scene.n8n.api, name, credentialId, choices);
	await editor.openWorkflow(id);
	const { nodes } = await scene.n8n.api.workflow(id);
	await until('the whole workflow', 30, async () => {
		return (await editor.nodes().count()) + (await editor.notes().count()) === nodes.length;
	});
	// n8n moves the canvas so that the whole workflow is visible.
	let [last, now]: Array<Box | undefined> = [];
	await until('the canvas to rest', 30, async () => {
		[last, now] = [now, await boxOf(editor.nodes().first())];
		return isDeepStrictEqual(last, now);
	});
}

describe.each(names)('the example "%s"', (name) => {
	beforeAll(async () => {
		await open(name);
	});

	test('shows the whole of each note', async () => {
		for (const note of await editor.notes().all()) {
			const [text, around] = [await boxOf(note.locator('p, li, td').last()), await boxOf(note)];
			expect(text.y + text.height).toBeLessThan(around.y + around.height);
		}
	});

	test('has a picture', async () => {
		const parts = [editor.partsOf(editor.nodes()), editor.notes()] as const;
		await takePicture(`images/example-${name}.png`, [...parts], { margin: 24 });
	});
});
