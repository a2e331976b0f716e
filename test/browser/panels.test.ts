import type { INode, INodeProperties } from 'n8n-workflow';
import { actionProperties, operations } from '../../nodes/VoiceAgent/operations/operations';
import { properties as triggerProperties } from '../../nodes/VoiceAgent/trigger/properties';
import { nodeOf } from '../support/n8n/triggerNode';
import { takePicture } from './browser';
import { editor, logIn, page, scene, useScene } from './scene';

const trigger = 'Voice Agent Trigger';
const panels = [
	{
		title: trigger,
		type: 'voiceAgentTrigger',
		parameters: { options: everyOption() },
	},
	...Object.entries(operations).flatMap(([resource, ofResource]) =>
		Object.entries(ofResource).map(([operation, { action }]) => ({
			title: action,
			type: 'voiceAgent',
			parameters: { resource, operation },
		})),
	),
];
const rawNames = [...actionProperties, ...triggerProperties]
	.flatMap(namesIn)
	.filter((name) => /^[a-z]+[A-Z]/.test(name));

useScene({ height: 1400 }, async () => {
	scene.sandbox.createKey('CRM sync', ['calls:read']);
	const url = 'https://n8n.example.com/webhook/calls/webhook';
	scene.sandbox.addEndpoint({ url, events: ['call.completed'] });
	scene.sandbox.emit('call.completed');
	const workflowId = await createWorkflow();
	await logIn();
	await editor.openWorkflow(workflowId);
});

/** Creates a workflow with every panel. */
async function createWorkflow(): Promise<string> {
	const { api } = scene.n8n;
	const credentials = await scene.createCredential();
	const nodes = panels.map(({ title, type, parameters }, index) =>
		nodeOf(title, `n8n-nodes-voice-agent.${type}`, {
			typeVersion: type === 'voiceAgentTrigger' ? 1.1 : 1,
			position: [(index % 4) * 320, Math.floor(index / 4) * 240],
			parameters,
			credentials,
		}),
	);
	const workflow = await api.createWorkflow({ name: 'Every panel', nodes, connections: {} });
	return workflow.id;
}

/** All options of the trigger with their defaults, so that no option is hidden. */
function everyOption() {
	const { options = [] } = triggerProperties.find(({ name }) => name === 'options') ?? {};
	// Options with a condition are only shown in workflows that use them.
	const defaults = (options as INodeProperties[])
		.filter(({ displayOptions }) => !displayOptions?.show)
		.map((option) => [option.name, option.default]);
	return Object.fromEntries(defaults) as INode['parameters'];
}

/** The stored names of a property, of its choices and of its inner properties. */
function namesIn(property: INodeProperties): string[] {
	const within = (property.options ?? []).flatMap((option) =>
		'value' in option ? String(option.value) : namesIn(option as INodeProperties),
	);
	return [property.name, ...within];
}

describe.each(panels)('the panel "$title"', ({ title }) => {
	beforeAll(() => editor.openNode(title));
	afterAll(() => editor.closeNode());

	test('shows no stored names', async () => {
		const panel = page.getByTestId('node-parameters');
		await loaded();
		const text = [await panel.innerText()];
		for (const input of await panel.locator('input').all()) {
			text.push(await input.inputValue(), (await input.getAttribute('placeholder')) ?? '');
		}
		const words = new Set(text.join('\n').split(/[^\w]+/));
		expect([...rawNames, 'undefined', 'null', 'NaN'].filter((name) => words.has(name))).toEqual([]);
	});
});

/** Waits until the panel has loaded its lists, and picks a record if there are some. */
async function loaded(): Promise<void> {
	const events = editor.parameter('events');
	if (await events.count()) await events.locator('input:enabled').first().waitFor();
	const list = page.getByTestId('rlc-input');
	if (await list.count()) {
		await list.click();
		await page.getByTestId('rlc-item').last().click();
	}
}

test('Check shows problems, and what to do', async () => {
	await editor.openNode('Check webhooks');
	await page.getByTestId('node-execute-button').click();
	const output = page.getByTestId('output-panel');
	await output.getByTestId('radio-button-schema').click();
	await output.getByText("Check n8n's N8N_WEBHOOK_URL").first().waitFor();
	const parameters = page.getByTestId('node-parameters');
	const downTo = output.getByText('since', { exact: true });
	await takePicture('images/check.png', [parameters, output], { downTo });
	await editor.closeNode();
});

test.each([
	['light', 'voiceAgent.svg'],
	['dark', 'voiceAgent.dark.svg'],
] as const)('the canvas has an icon of its own in the %s theme', async (colorScheme, file) => {
	await page.emulateMedia({ colorScheme });
	await editor
		.iconOf(trigger)
		.and(page.locator(`[src$="/${file}"]`))
		.waitFor();
});
