import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { until } from '../../sandbox/stack/until';
import { setUpExample } from '../support/others/accounts';
import { type Box, boxOf, takePicture } from './browser';
import { editor, logIn, page, scene, useScene } from './scene';

const names = readdirSync(join(__dirname, '..', '..', 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.slice(0, -'.json'.length));

let credentialId: string;

useScene({}, async () => {
	credentialId = (await scene.createCredential()).voiceAgentApi.id;
	// Large enough to show each example without zoom.
	await page.setViewportSize({ width: 2400, height: 1500 });
	await logIn();
});

/** Imports an example with its credentials, so that no node has a warning, and opens it. */
async function open(name: string): Promise<void> {
	const id = await setUpExample(scene.n8n.api, name, credentialId);
	await editor.openWorkflow(id);
	const { nodes } = await scene.n8n.api.workflow(id);
	await editor.shows(nodes.length);
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
