/** Execute step with the newest event of the service's log: one click, no phone call. */
import { triggerNode } from '../support/n8n/triggerNode';
import { takePicture } from './browser';
import { actions, countActions, editor, logIn, page, scene, step, useScene } from './scene';

const trigger = 'Voice Agent Trigger';
const call = { direction: 'inbound', to: '+14155550100', duration_seconds: 61, outcome: 'booked' };

useScene({ height: 1300 }, async () => {
	const { api } = scene.n8n;
	Object.assign(scene.sandbox.dialect, { loggedEvent: 'payload', retrySchedule: 'once' });
	// Nothing listens there: the log has the events all the same.
	scene.sandbox.addEndpoint({ url: 'https://127.0.0.1:9/hooks', events: ['call.completed'] });
	const callers = ['Bob King', 'Joan Clarke', 'Grace Hopper'];
	for (const [index, name] of callers.entries()) {
		const from = name === 'Bob King' ? {} : { from: '+14155550187' };
		scene.sandbox.emit('call.completed', {
			...{ call_id: `call_${index}`, customer_name: name, ...from },
			...call,
		});
		await scene.sandbox.settled();
	}
	const credentials = await scene.createCredential();
	const options = { testEvent: 'latest', onlyCalls: { filter: { direction: 'inbound' } } };
	const start = triggerNode('', { options }, { name: trigger, credentials });
	const { id } = await api.createWorkflow({ name: 'Calls', nodes: [start], connections: {} });
	await countActions();
	await logIn();
	await editor.openWorkflow(id);
});

step('shows the latest real call', async () => {
	await editor.openNode(trigger);
	const before = (await actions()).clicks;
	await page.getByTestId('trigger-execute-button').getByText('Execute step').click();
	const output = page.getByTestId('output-panel');
	await output.getByText('Grace Hopper').first().waitFor();
	expect((await actions()).clicks).toBe(before + 1);
	const downTo = output.getByText('firstName').first();
	await takePicture('images/latest.png', [output], { downTo });
});
