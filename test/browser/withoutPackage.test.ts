/** A start of n8n without the package, as n8n 3.0 makes it unless it is told to load unverified packages. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { startN8nProcess } from '../../sandbox/stack/n8n';
import { outputOf } from '../../sandbox/stack/n8n-api';
import { startStack, type Stack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { publishTrigger } from '../reliability/publishedTrigger';
import { LOGGING_DIALECT } from '../support/publishing/caughtUpEvents';
import { runActions, startService, successes, type Service } from '../e2e/harness';
import { openPage, startBrowser } from './browser';
import { Editor } from './editor';

const MINUTE_MS = 60_000;
let stack: Stack;
let service: Service;

beforeAll(async () => {
	stack = await startStack();
	service = await startService(stack, LOGGING_DIALECT);
}, 10 * MINUTE_MS);
afterAll(async () => {
	await service?.sandbox.stop();
	await stack?.stop();
}, MINUTE_MS);

/** Makes a call, and waits for the answer of n8n to its only delivery. */
async function call(): Promise<number | undefined> {
	const { sandbox } = service;
	const attempts = () => sandbox.deliveriesOf(sandbox.endpoints()[0]!.id);
	const before = attempts().length;
	sandbox.emit('call.completed');
	const [newest] = await until('the delivery', 30, () => {
		const added = attempts().slice(0, attempts().length - before);
		return added.length > 0 && added[0]?.response_status != null && added;
	});
	return newest!.response_status ?? undefined;
}

/** @returns what Webhook → Check says */
async function check() {
	const actions = { Check: { resource: 'webhook', operation: 'check' } };
	const execution = await runActions(stack.n8n.api, service.credentials, actions);
	return outputOf(execution, 'Check');
}

// Promise: After a start without the package, Check says what brings the next call, and it does.
test(
	'Check says what to do after a start without the package',
	async () => {
		const { n8n, proxy } = stack;
		const { api } = n8n;
		const { workflowId } = await publishTrigger(api, service.sandbox);
		expect(await call()).toBe(200);
		await successes(stack, workflowId);

		await n8n.stop();
		const without = await startN8nProcess('start', {
			userFolder: dirname(n8n.logFile),
			port: Number(new URL(n8n.url).port),
			webhookUrl: proxy.url,
			env: { N8N_COMMUNITY_PACKAGES_PREVENT_LOADING: 'true' },
		});
		// n8n answers 400 until then. A delivery while n8n removes the webhook would put it back into n8n's cache.
		await until('n8n to give up the trigger', 180, () =>
			readFileSync(without.logFile, 'utf8').includes('cannot run on this instance'),
		);
		expect(await call()).toBe(404);
		await without.stop();

		await n8n.restart();
		expect((await api.workflow(workflowId)).active).toBe(true);
		expect(await call()).toBe(404);
		const [{ ok, summary } = {}] = await check();
		console.log(summary);
		expect(ok).toBe(false);
		expect(summary).toMatch(
			/Nothing is at this URL.*N8N_UNVERIFIED_PACKAGES_ENABLED=true.*publish/s,
		);

		await using browser = await startBrowser();
		const editor = await Editor.logIn(await openPage(browser), n8n);
		await editor.openWorkflow(workflowId);
		// n8n tries the failed trigger again, and opens no window.
		await editor.page.getByTestId('workflow-open-publish-modal-button').click();
		await editor.page.getByTestId('workflow-publish-button').click();
		await editor.page.getByRole('button', { name: 'Published' }).waitFor();
		expect(await call()).toBe(200);
		await successes(stack, workflowId, 2);
		expect(await check()).toMatchObject([{ ok: true }]);
	},
	8 * MINUTE_MS,
);
