import type { Page } from 'playwright-core';
import { createEvent, sampleData } from '../../sandbox/service/events';
import { until } from '../../sandbox/stack/until';
import { POLL_TIMES } from '../support/bothTriggers';
import { openPage, steps, takePicture } from './browser';
import { Editor } from './editor';
import { createSavingWorkflow, type Scene, startScene } from './scene';

const minute = 60_000;

const trigger = 'Voice Agent Trigger';
const missedTrigger = 'Voice Agent Missed Events Trigger';

let scene: Scene;
let page: Page;
let editor: Editor;
let workflowId: string;
let tableId: string;

beforeAll(async () => {
	scene = await startScene();
	const columns = { phone: '={{ $json.callDetails.customer.phone }}' };
	({ workflowId, tableId } = await createSavingWorkflow(scene, {}, columns));
	page = await openPage(scene.browser);
	editor = await Editor.logIn(page, scene.n8n);
	await editor.openWorkflow(workflowId);
}, 15 * minute);

afterAll(async () => await scene?.stop(), minute);

const step = steps(() => page);

/** Saves and publishes the canvas, with frequent polls. */
async function publish(): Promise<void> {
	const { api } = scene.n8n;
	await editor.save(workflowId);
	const { nodes } = await api.workflow(workflowId);
	for (const { name, parameters } of nodes) {
		if (name === missedTrigger) Object.assign(parameters, { pollTimes: { item: POLL_TIMES } });
	}
	await api.updateWorkflow(workflowId, { nodes });
	await api.publish(workflowId);
}

/** Waits until the data table has exactly these numbers. */
async function expectSaved(...phones: string[]): Promise<void> {
	const rows = await until('the rows', 100, async () => {
		const found = await scene.n8n.api.dataTableRows(tableId);
		return found.length >= phones.length && found;
	});
	expect(rows.map(({ phone }) => phone)).toEqual(phones);
	const executions = await scene.n8n.api.executions(workflowId);
	expect(executions.filter(({ mode }) => mode !== 'manual')).toHaveLength(phones.length);
}

step('adds a filter, so that only calls that match start the workflow', async () => {
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
	await publish();

	const { sandbox } = scene;
	const emit = (details: Parameters<typeof sampleData>[1]) =>
		sandbox.emit('call.completed', sampleData('call.completed', details));
	emit({ kind: 'outbound' });
	emit({ duration_seconds: 12 });
	await sandbox.settled();
	const log = sandbox.endpoints().flatMap(({ id }) => sandbox.deliveriesOf(id));
	const answers = log.map((attempt) => attempt.response_body);
	expect(answers).toEqual(Array(2).fill('{"ignored":"filter"}'));
	await expectSaved();
	emit({ duration_seconds: 60 });
	await expectSaved('+14155550123');
});

step('adds the trigger for missed events, and connects it to the same next node', async () => {
	/** Adds attempts to the service's log. */
	const log = (...attempts: object[]) =>
		(scene.sandbox.fault = ({ path }) =>
			path.endsWith('/deliveries') ? { kind: 'answer', body: { data: attempts } } : undefined);
	const output = page.getByTestId('output-panel');
	log();
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('missed');
	await editor.itemOfPanel(missedTrigger).click();
	await page.getByText('Add to workflow').click();
	await editor.parameter('webhookIds').locator('input:enabled').first().click();
	await page.getByRole('option', { name: '(call.completed)' }).click();
	await page.keyboard.press('Escape');
	await editor.addOption('Minimum Age (Minutes)');
	await editor.parameter('minAgeMinutes').locator('input').fill('0');
	await page.getByTestId('node-execute-button').click();
	await output.getByText('The delivery log holds none of the chosen').first().waitFor();

	const customer = { phone: '+14155550199' };
	const payload = createEvent('call.completed', sampleData('call.completed', { customer }));
	const attempt = { id: 'att_1', event_id: payload.id, status: 'failed', response_status: 503 };
	const logFailure = () => log({ ...attempt, attempted_at: new Date().toISOString(), payload });
	logFailure();
	await page.getByTestId('node-execute-button').click();
	await output.getByText('+14155550199').first().waitFor();
	await editor.closeNode();

	await editor.connect(missedTrigger, 0, 'Save call');
	// n8n's shortcut arranges the nodes.
	await page.keyboard.press('Shift+Alt+KeyT');
	await page.mouse.move(640, 120);
	await takePicture('images/missed-events.png', [editor.partsOf(editor.nodes())], { margin: 24 });
	await publish();
	logFailure();
	await expectSaved('+14155550123', '+14155550199');
});
