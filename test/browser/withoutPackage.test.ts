/** A start of n8n without the package, as n8n 3.0 makes it unless it is told to load unverified packages. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { startN8nProcess } from '../../sandbox/stack/n8n';
import { outputOf } from '../../sandbox/stack/n8n-api';
import { until } from '../../sandbox/stack/until';
import { publishTrigger } from '../reliability/publishedTrigger';
import { LOGGING_DIALECT } from '../support/publishing/caughtUpEvents';
import { type Credentials, runActions, successes } from '../e2e/harness';
import { editor, logIn, scene, useScene } from './scene';

let credentials: Credentials;

useScene({}, async () => {
	Object.assign(scene.sandbox.dialect, LOGGING_DIALECT);
	credentials = await scene.createCredential();
});

/** Makes a call. @returns the status of n8n's answer to its only delivery */
async function call(): Promise<number | null | undefined> {
	const { sandbox } = scene;
	sandbox.emit('call.completed');
	await sandbox.settled();
	return sandbox.deliveriesOf(sandbox.endpoints()[0]!.id)[0]?.response_status;
}

/** @returns what Webhook → Check says */
async function check() {
	const actions = { Check: { resource: 'webhook', operation: 'check' } };
	const execution = await runActions(scene.n8n.api, credentials, actions);
	return outputOf(execution, 'Check');
}

// Promise: After a start without the package, Check says what brings the next call, and it does.
test(
	'Check says what to do after a start without the package',
	async () => {
		const { n8n, proxy } = scene;
		const { api } = n8n;
		const { workflowId } = await publishTrigger(api, scene.sandbox);
		expect(await call()).toBe(200);
		await successes(scene, workflowId);

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

		await logIn();
		await editor.openWorkflow(workflowId);
		await editor.publishAgain();
		expect(await call()).toBe(200);
		await successes(scene, workflowId, 2);
		expect(await check()).toMatchObject([{ ok: true }]);
	},
	8 * 60_000,
);
