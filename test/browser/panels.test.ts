import type { INode, INodeProperties } from 'n8n-workflow';
import { actionProperties, operations } from '../../nodes/VoiceAgent/operations/operations';
import { properties as triggerProperties } from '../../nodes/VoiceAgent/delivery/properties';
import { nodeOf } from '../support/triggerNode';
import { openPage, pictureOf, takePicture } from './browser';
import { Editor } from './editor';
import { type Scene, startScene } from './scene';

const minute = 60_000;
jest.setTimeout(2 * minute);

const trigger = 'Voice Agent Trigger';
const panels = [
	{ title: trigger, type: 'voiceAgentTrigger', parameters: { options: everyOption() } },
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

let scene: Scene;
let workflowId: string;
let editor: Editor;
const pictures: Array<{ title: string; png: Buffer }> = [];

beforeAll(async () => {
	scene = await startScene();
	scene.sandbox.createKey('CRM sync', ['calls:read']);
	scene.sandbox.addEndpoint({
		url: 'https://crm.example.com/hooks/calls',
		events: ['call.completed'],
	});
	workflowId = await createWorkflow();
	editor = await Editor.logIn(await openPage(scene.browser, 1400), scene.n8n);
	await editor.openWorkflow(workflowId);
}, 15 * minute);

afterAll(async () => await scene?.stop(), minute);

/** Makes a workflow that has every panel on its canvas. */
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

/** The trigger's options, each as it is when it is added, and such that none is hidden. */
function everyOption() {
	const { options = [] } = triggerProperties.find(({ name }) => name === 'options') ?? {};
	// Those with a condition are only shown in workflows that have them stored.
	const defaults = (options as INodeProperties[])
		.filter(({ displayOptions }) => !displayOptions)
		.map((option) => [option.name, option.default]);
	const signature = { settings: { scheme: 'hmac' } };
	return { ...Object.fromEntries(defaults), signature } as INode['parameters'];
}

/** The names that workflows store for a property, its choices, and what it holds. */
function namesIn(property: INodeProperties): string[] {
	const within = (property.options ?? []).flatMap((option) =>
		'value' in option ? String(option.value) : namesIn(option as INodeProperties),
	);
	return [property.name, ...within];
}

describe.each(panels)('the panel "$title"', ({ title }) => {
	beforeAll(() => editor.openNode(title));
	afterAll(() => editor.closeNode());

	test('speaks in words for people', async () => {
		const panel = editor.page.getByTestId('node-parameters');
		await loaded();
		pictures.push({ title, png: await takePanel() });

		const text = [await panel.innerText()];
		for (const input of await panel.locator('input').all()) {
			text.push(await input.inputValue(), (await input.getAttribute('placeholder')) ?? '');
		}
		const words = new Set(text.join('\n').split(/[^\w]+/));
		expect([...rawNames, 'undefined', 'null', 'NaN'].filter((name) => words.has(name))).toEqual([]);
	});
});

/** A picture of the parameters, without the empty space below the last. */
async function takePanel(): Promise<Buffer> {
	const panel = editor.page.getByTestId('node-parameters');
	const last = panel.getByTestId('parameter-item').filter({ visible: true }).last();
	// What the mouse is over looks otherwise.
	await editor.page.mouse.move(0, 0);
	return await pictureOf([panel], { downTo: last });
}

/** Waits for what the panel gets from the service, and picks a record where it offers some. */
async function loaded(): Promise<void> {
	const events = editor.parameter('events');
	if (await events.count()) await events.locator('input:enabled').first().waitFor();
	const list = editor.page.getByTestId('rlc-input');
	if (await list.count()) {
		await list.click();
		await editor.page.getByTestId('rlc-item').last().click();
	}
}

test.each([
	['light', 'voiceAgent.svg'],
	['dark', 'voiceAgent.dark.svg'],
] as const)('the canvas has an icon of its own in the %s theme', async (colorScheme, file) => {
	const { page } = editor;
	await page.emulateMedia({ colorScheme });
	await editor
		.iconOf(trigger)
		.and(page.locator(`[src$="/${file}"]`))
		.waitFor();
	const node = editor.nodeOnCanvas(trigger);
	const png = await pictureOf([editor.partsOf(node)], { margin: 24 });
	pictures.push({ title: `On the canvas, ${colorScheme}`, png });
});

test('there is a picture of each panel and icon, for the sheet of all', async () => {
	expect(pictures).toHaveLength(panels.length + 2);
	const page = await openPage(scene.browser);
	const figures = pictures.map(
		({ title, png }) =>
			`<figure><figcaption>${title}</figcaption>` +
			`<img srcset="data:image/png;base64,${png.toString('base64')} 2x"></figure>`,
	);
	await page.setContent(
		`<!doctype html>
		<style>
			body { margin: 0; padding: 16px; columns: 4; font: bold 16px sans-serif; background: #e8e8ec }
			figure { margin: 0 0 16px; break-inside: avoid }
			figcaption { padding: 4px 0 }
			img { display: block; border-radius: 6px }
		</style>${figures.join('')}`,
	);
	// Each picture in its own size, which keeps it sharp.
	await page.setViewportSize({ width: 4 * 420 + 5 * 16, height: 800 });
	await takePicture('panels.png', [page.locator('body')]);
});
