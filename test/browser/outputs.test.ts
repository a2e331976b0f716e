import { until } from '../../sandbox/stack/until';
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

step('each selected event type gets an output', async () => {
	await editor.openNode(trigger);
	await editor.addOption('Separate Outputs');
	await page.getByTestId('rlc-input').click();
	const names = [...chosen, 'Other'];
	const offer = page.getByTestId('rlc-item');
	expect(await offer.innerText()).toBe(names.join(', '));
	await offer.click();
	await editor.closeNode();
	const outputs = editor.nodeOnCanvas(trigger).getByTestId('canvas-node-output-handle');
	await until('the outputs', 15, async () => (await outputs.count()) === names.length);
	expect(await outputs.allInnerTexts()).toEqual(names);
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
