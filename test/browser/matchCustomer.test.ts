import type { INode } from 'n8n-workflow';
import { nodeOf } from '../support/triggerNode';
import { editor, logIn, page, scene, step, useScene } from './scene';

const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });
const jsonNode = (name: string, json: object, position: INode['position']) =>
	nodeOf(name, 'n8n-nodes-base.set', {
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify(json), options: {} },
		position,
	});

useScene({ height: 900 }, async () => {
	const customer = { phone: '+442079460321', name: 'Ada Lovelace', email: null };
	const { id } = await scene.n8n.api.createWorkflow({
		name: 'Match',
		settings: { executionOrder: 'v1' },
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			jsonNode('Call', { callDetails: { person: 'found', customer } }, [220, 0]),
			jsonNode('Find contact', { id: 7, phone: '020 7946 0321' }, [440, 160]),
			nodeOf('Match', 'n8n-nodes-voice-agent.voiceAgent', {
				parameters: { resource: 'call', operation: 'matchCustomer' },
				position: [680, 0],
			}),
		],
		connections: {
			Start: { main: [[to('Call')]] },
			Call: { main: [[to('Find contact'), to('Match')]] },
			'Find contact': { main: [[to('Match', 1)]] },
		},
	});
	await logIn();
	await editor.openWorkflow(id);
});

step('the canvas shows the names of inputs and outputs', async () => {
	const match = editor.nodeOnCanvas('Match');
	for (const name of ['Calls', 'Records', 'Found', 'New', 'Unclear', 'No Customer']) {
		await match.getByText(name, { exact: true }).waitFor();
	}
});

step('the node asks for no credential, and Execute step finds the record', async () => {
	await editor.openNode('Match');
	await page.getByTestId('node-parameters').getByText('It needs no credential').waitFor();
	expect(await page.getByTestId('node-credentials-select').count()).toBe(0);
	await page.getByTestId('node-execute-button').click();
	const output = page.getByTestId('output-panel');
	await output.getByText('candidates').first().waitFor();
	await output.getByText('020 7946 0321').first().waitFor();
	await editor.closeNode();
});

step('the node is found by what it does', async () => {
	for (const search of ['match customer', 'CRM']) {
		await page.getByTestId('node-creator-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill(search);
		await editor.itemOfPanel('Voice Agent').click();
		await editor.itemOfPanel('Match the customer of a call').waitFor();
		await page.keyboard.press('Escape');
	}
});
