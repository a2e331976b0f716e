/** The README's way to the first success, with the mouse and the keyboard, from a new n8n. */
import { sectionOf, read } from '../support/documents';
import { type StandIn, startStandIn } from '../support/standIn';
import { until } from '../../sandbox/stack/until';
import { editor, logIn, page, scene, step, useScene } from './scene';

const call = {
	...{ direction: 'inbound', from: '+14155550187', to: '+14155550100', duration_seconds: 61 },
	...{ customer_name: 'Grace Hopper', outcome: 'booked', summary: 'Grace booked a demo.' },
};
/** The addresses from which the README imports examples. */
const addresses = [
	...(sectionOf(read('README.md'), '## Examples') ?? '').matchAll(/\((https:[^)]*\.json)\)/g),
].map(([, address = '']) => address);

let standIn: StandIn;

beforeAll(async () => {
	standIn = await startStandIn({
		'github.com': {
			'GET /:owner/:repository/raw/main/examples/:file': ({ params }) =>
				JSON.parse(read(`examples/${params.file}`)) as object,
		},
	});
});
afterAll(async () => {
	await standIn?.stop();
});
useScene({ env: () => standIn.env }, logIn);

/** Imports an example into a new workflow, as the README says. */
async function importFromUrl(file: string): Promise<void> {
	const address = addresses.find((one) => one.endsWith(`/${file}`)) ?? '';
	await editor.openWorkflow();
	await page.getByTestId('workflow-menu').click();
	await page.getByRole('menuitem', { name: 'Import' }).click();
	await page.getByRole('menuitem', { name: 'From URL' }).click();
	await page.getByRole('dialog').getByRole('textbox').fill(address);
	await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
	await editor.nodeOnCanvas('Voice Agent Trigger').waitFor();
}

/** Creates the credential of the trigger in its window. */
async function connectTrigger(): Promise<void> {
	const { baseUrl, adminKey } = scene.sandbox;
	await editor.openNode('Voice Agent Trigger');
	await editor.openNewCredential();
	const dialog = page.getByTestId('editCredential-modal');
	await dialog.getByTestId('inline-edit-preview').getByText('Voice Agent account').waitFor();
	for (const [name, value] of Object.entries({ baseUrl, apiKey: adminKey })) {
		await dialog.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	}
	await dialog.getByTestId('credential-save-button').getByRole('button').click();
	await dialog.waitFor({ state: 'hidden' });
	await editor.closeNode();
}

/** Executes the workflow once, publishes it, and calls. */
async function tryAndPublish(): Promise<void> {
	await page.getByTestId('execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').first().waitFor();
	await editor.publish();
	await until('the webhook', 60, () => scene.sandbox.endpoints().length === 1);
	scene.sandbox.emit('call.completed', { call_id: 'call_1', ...call });
}

step('each call becomes a row of a data table', async () => {
	await importFromUrl('calls-to-data-table-log.json');
	await connectTrigger();
	await tryAndPublish();
	await page.goto(`${scene.n8n.url}/home/datatables`);
	await page.getByTestId('data-table-card').click();
	const table = page.getByTestId('data-table-grid');
	await table.getByText('Grace Hopper').waitFor();
});
