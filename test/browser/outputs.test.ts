import { nodeOf, triggerNode } from '../support/n8n/triggerNode';
import { takePicture } from './browser';
import { editor, logIn, page, scene, step, useScene } from './scene';

const trigger = 'Voice Agent Trigger';
const chosen = ['call.completed', 'call.failed', 'call.started'];
/** The nodes behind the outputs: one for each event type, and one for all others. */
const branches = [...chosen.map((type) => `On ${type}`), 'On the rest'];

let workflowId: string;

useScene({}, async () => {
	workflowId = await createWorkflow();
	await logIn();
	await editor.openWorkflow(workflowId);
});

/** Creates a trigger for three event types, and the unconnected branches. */
async function createWorkflow(): Promise<string> {
	const { api } = scene.n8n;
	const credentials = await scene.createCredential();
	const parameters = { events: chosen, options: { testEvent: 'real' } };
	const start = triggerNode('', parameters, { name: trigger, position: [0, 200], credentials });
	const nodes = branches.map((name, index) =>
		nodeOf(name, 'n8n-nodes-base.noOp', { position: [400, index * 140] }),
	);
	const workflow = { name: 'Branches', nodes: [start, ...nodes], connections: {} };
	return (await api.createWorkflow(workflow)).id;
}

async function toggleEvent(name: string): Promise<void> {
	// The list can be opened after it was loaded.
	await editor.parameter('events').locator('input:enabled').first().click();
	await page.getByRole('option', { name }).click();
	await page.keyboard.press('Escape');
}

step('each selected event type gets an output', async () => {
	await editor.openNode(trigger);
	await editor.addOption('Separate Outputs');
	await editor.chooseOutputs(trigger, [...chosen, 'Other']);
});

step('each output is connected with the mouse', async () => {
	for (const [index, branch] of branches.entries()) await editor.connect(trigger, index, branch);
	// Away from the node, because n8n shows buttons under the mouse.
	await page.mouse.move(640, 120);
	await takePicture('images/outputs.png', [editor.partsOf(editor.nodes())], { margin: 24 });
	await editor.save(workflowId);
	const { connections } = await scene.n8n.api.workflow(workflowId);
	const connected = connections[trigger]?.main?.map((ends) => ends?.map(({ node }) => node));
	expect(connected).toEqual(branches.map((branch) => [branch]));
});

step('no output moves when the event types change', async () => {
	await editor.openNode(trigger);
	await toggleEvent('call.completed');
	await toggleEvent('call.transcribed');
	await editor.closeNode();
	await editor.save(workflowId);
	// By now, a change would be visible on the canvas.
	await editor.expectOutputs(trigger, [...chosen, 'Other']);
});

step('an added event type can have an output of its own', async () => {
	await editor.openNode(trigger);
	const present = [...chosen, 'Other'];
	await editor.chooseOutputs(trigger, present, [...present, 'call.transcribed']);
});

step('a filter is chosen from lists', async () => {
	await editor.openNode(trigger);
	await editor.addOption('Only Calls That Match');
	await page.getByTestId('fixed-collection-add').click();
	await editor.parameter('direction').locator('input').click();
	await page.getByRole('option', { name: 'Inbound', exact: true }).click();
	await editor.parameter('minDurationSeconds').locator('input').fill('30');
	const heading = page.getByTestId('node-parameters').getByText('Only Calls That Match');
	await heading.click();
	await page.mouse.move(0, 0);
	await takePicture('images/filter.png', [heading, editor.parameter('outcomes')], { margin: 12 });
	await editor.closeNode();
});
