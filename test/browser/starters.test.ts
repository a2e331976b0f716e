/** The README's way to the first success, with the mouse and the keyboard, from a new n8n. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { registryEnv, registryHosts } from '../support/others/registry';
import { type StandIn, startStandIn } from '../support/others/standIn';
import { Animation } from './animation';
import { editor, logIn, page, scene, step, useScene } from './scene';

const call = {
	...{ direction: 'inbound', from: '+14155550187', to: '+14155550100', duration_seconds: 61 },
	...{ customer_name: 'Grace Hopper', outcome: 'appointment_booked' },
	summary: 'Booked a demo for Tuesday.',
};

let standIn: StandIn;
let cache: string;
const animation = new Animation();

beforeAll(async () => {
	cache = await mkdtemp(join(tmpdir(), 'npm-cache-'));
	standIn = await startStandIn(registryHosts(() => scene.packagePath));
});
afterAll(async () => {
	await standIn?.stop();
	await rm(cache, { recursive: true });
});
const stack = () => ({
	...{ ...standIn, isInstalled: false },
	env: { ...standIn.env, ...registryEnv(cache) },
});
useScene({ stack }, logIn);

/** Clicks a button after it has been shown in a frame of the animation, with its window in the middle. */
async function clickInFrame(caption: string, button: Locator, window = button): Promise<void> {
	await animation.take(caption, button, window);
	await button.click();
}

step('1. Install', async () => {
	// So small that a frame of the animation shows each window.
	await page.setViewportSize({ width: 1200, height: 800 });
	await page.goto(scene.n8n.url);
	await page.getByRole('menuitem', { name: 'Settings' }).click();
	await page.getByRole('menuitem', { name: 'Community nodes' }).click();
	await page.getByRole('button', { name: 'Install a community node' }).click();
	const dialog = page.getByTestId('communityPackageInstall-modal');
	await dialog.getByTestId('package-name-input').fill('n8n-nodes-voice-agent');
	await dialog.getByText('I understand the risks').click();
	const install = dialog.getByRole('button', { name: 'Install', exact: true });
	await clickInFrame('1. Install n8n-nodes-voice-agent', install, dialog);
	await dialog.waitFor({ state: 'hidden' });
	const card = page.getByTestId('community-package-card');
	await animation.take('1. n8n has both nodes', card.getByText('n8n-nodes-voice-agent'));
});

step('2. Paste', async () => {
	await editor.copyExample('calls-to-data-table-log.json');
	await page.getByTestId('settings-back').click();
	await page.getByRole('button', { name: 'Add new item' }).click();
	await page.getByRole('menuitem', { name: 'New workflow' }).click();
	await page.getByTestId('canvas').waitFor();
	await page.keyboard.press('Control+v');
	await editor.nodeOnCanvas('Save call').waitFor();
	const trigger = editor.partsOf(editor.nodeOnCanvas('Voice Agent Trigger'));
	await animation.take('2. Paste the example', trigger, editor.notes());
});

step('3. Connect', async () => {
	await editor.nodeOnCanvas('Voice Agent Trigger').dblclick();
	await clickInFrame('3. Connect to your service', page.getByText('Connect to Voice Agent'));
	const { baseUrl, apiKey } = scene.sandbox.credential;
	await editor.parameter('apiKey').locator('input').fill(apiKey);
	const url = editor.parameter('baseUrl').locator('input');
	await url.fill(baseUrl);
	const window = page.getByTestId('editCredential-modal');
	const save = window.getByRole('button', { name: 'Save' });
	// The sandbox's address is shown as that of a service, and n8n keeps what was typed.
	const show = (address: string) =>
		url.evaluate((input, value) => void Object.assign(input, { value }), address);
	await show('https://api.example.com/v1');
	await animation.take('3. Enter its address and the API key', save, window);
	await show(baseUrl);
	await save.click();
	await window.waitFor({ state: 'hidden' });
	await editor.closeNode();
});

step('4. Test', async () => {
	const button = page.getByTestId('execute-workflow-button');
	await clickInFrame('4. Test, without a call', button);
	await page.getByText('Workflow executed successfully').first().waitFor();
	const last = editor.partsOf(editor.nodeOnCanvas('Save call'));
	await animation.take('4. The service sent a test call', last);
});

step('5. Publish', async () => {
	const publish = page.getByRole('button', { name: 'Publish', exact: true });
	await clickInFrame('5. Publish', publish);
	const dialog = page.getByRole('dialog').filter({ has: publish });
	await clickInFrame('5. Publish, again', dialog.getByRole('button', { name: 'Publish' }), dialog);
	await clickInFrame('5. Call your voice agent', page.getByRole('button', { name: 'Got it' }));
	scene.sandbox.emit('call.completed', { call_id: 'call_1', ...call });

	await page.getByRole('menuitem', { name: 'Overview' }).click();
	await page.getByText('Data tables', { exact: true }).click();
	await clickInFrame('5. Overview → Data tables', page.getByText('Call list'));
	const table = page.getByTestId('data-table-grid');
	await table.getByText('Grace Hopper').waitFor();
	await animation.take('5. The call is a row', table.getByText('Grace Hopper'));
	await animation.save('images/first-call.png');
});
