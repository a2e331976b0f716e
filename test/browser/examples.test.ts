import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Choices, importExample } from '../../sandbox/stack/example';
import { until } from '../../sandbox/stack/until';
import { type Box, boxOf, openPage, takePicture } from './browser';
import { Editor } from './editor';
import { type Scene, startScene } from './scene';

const minute = 60_000;
jest.setTimeout(2 * minute);

const names = readdirSync(join(__dirname, '..', '..', 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.slice(0, -'.json'.length));

let scene: Scene;
let editor: Editor;
let credentialId: string;

beforeAll(async () => {
	scene = await startScene();
	const credentials = await scene.createCredential();
	credentialId = credentials?.voiceAgentApi?.id ?? '';
	const page = await openPage(scene.browser);
	// So that the whole of it can be read.
	await page.setViewportSize({ width: 2400, height: 1000 });
	editor = await Editor.logIn(page, scene.n8n);
}, 15 * minute);

afterAll(async () => await scene?.stop(), minute);

/** Imports an example and opens it. */
async function open(name: string, choices: Choices = {}): Promise<void> {
	const id = await importExample(scene.n8n.api, name, credentialId, choices);
	await editor.openWorkflow(id);
	const { nodes } = await scene.n8n.api.workflow(id);
	await until('the whole workflow', 30, async () => {
		return (await editor.nodes().count()) + (await editor.notes().count()) === nodes.length;
	});
	// n8n moves it to where all of it is to be seen.
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

	test('shows each node and note free of the others', async () => {
		const boxes: Array<[string, Box]> = [];
		for (const [index, note] of (await editor.notes().all()).entries()) {
			boxes.push([`note ${index + 1}`, await boxOf(note)]);
		}
		expect(boxes).not.toEqual([]);
		for (const node of await editor.nodes().all()) {
			boxes.push([
				(await node.getAttribute('data-node-name')) ?? '',
				await boxOf(editor.shapesOf(node)),
			]);
		}
		const overlaps = boxes.flatMap(([one, box], index) =>
			boxes
				.slice(index + 1)
				.filter(([, other]) => overlap(box, other))
				.map(([another]) => `${one} / ${another}`),
		);
		expect(overlaps).toEqual([]);
	});

	test('shows the whole of each note', async () => {
		for (const note of await editor.notes().all()) {
			const [text, around] = [await boxOf(note.locator('p, li, td').last()), await boxOf(note)];
			expect(text.y + text.height).toBeLessThan(around.y + around.height);
		}
	});
});

function overlap(one: Box, other: Box): boolean {
	return (
		one.x < other.x + other.width &&
		other.x < one.x + one.width &&
		one.y < other.y + other.height &&
		other.y < one.y + one.height
	);
}

test('there is a picture of an example for a CRM', async () => {
	const type = 'hubspotAppToken';
	const id = await scene.n8n.api.createCredential('HubSpot', type, { appToken: 'of-the-picture' });
	const credentials = { [type]: { id, name: 'HubSpot' } };
	await open('call-to-hubspot', { 'n8n-nodes-base.httpRequest': { credentials } });
	await takePicture('images/crm-example.png', [editor.partsOf(editor.nodes()), editor.notes()], {
		margin: 32,
	});
});
