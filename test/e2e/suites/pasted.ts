import type { INodeParameters } from 'n8n-workflow';
import { pasteWebhook } from '../../../sandbox/stack/example';
import { outputOf } from '../../../sandbox/stack/n8n-api';
import { testInCompat } from '../../compat/needs';
import { readPayloads } from '../../support/events/callPayloads';
import { triggerNode } from '../../support/n8n/triggerNode';
import { publishTrigger } from '../../reliability/publishedTrigger';
import { request, service, stack, successes, useService } from '../harness';

useService();

/** Publishes a trigger whose webhook is pasted, without a credential. */
async function paste(parameters: INodeParameters) {
	const { api } = stack.n8n;
	const all = { registration: 'manual', ...parameters };
	const trigger = triggerNode('', all, { credentials: {} });
	const { id } = await api.createWorkflow({ name: 'Pasted', nodes: [trigger], connections: {} });
	await api.publish(id);
	return { id, url: `${stack.proxy.url}/webhook/${trigger.webhookId}/webhook` };
}

const SERVICES = `Aircall, Bland AI, Bolna, JustCall, OpenPhone (Quo), Retell AI, Synthflow, Telnyx, Twilio, Vapi`;

test('calls of ten services become rows without a credential, and a repeated delivery runs once', async () => {
	const payloads = readPayloads('tuning');
	const { id, url } = await paste({ output: 'row' });
	const bodies = SERVICES.split(', ').map(
		(name) => payloads.find((payload) => payload.service === name)!.body,
	);
	for (const body of bodies) expect((await request(stack, url, body)).status).toBe(200);
	// Its events have IDs of their own.
	const ofQuo = bodies[SERVICES.split(', ').indexOf('OpenPhone (Quo)')];
	const repeated = await request(stack, url, ofQuo);
	expect(repeated.data).toEqual({ ignored: 'duplicate' });
	const executions = await successes(stack, id, 10);
	for (const execution of executions) {
		expect(outputOf(execution, 'Trigger')).toMatchObject([
			{ call_id: expect.any(String) as string },
		]);
	}
	await stack.n8n.api.unpublish(id);
	expect((await request(stack, url, bodies[0])).status).toBe(404);
});

testInCompat(
	'a switch to a pasted webhook removes the created one, a restart keeps it, and a switch back registers',
	async () => {
		const { api } = stack.n8n;
		const { sandbox } = service;
		const { workflowId, nodes } = await publishTrigger(api, sandbox);
		expect(sandbox.endpoints()).toHaveLength(1);
		const url = await pasteWebhook(stack, workflowId);
		expect(sandbox.endpoints()).toEqual([]);
		await stack.n8n.restart();
		const event = { event: 'call_ended', call: { call_id: 'C1' } };
		expect((await request(stack, url, event)).status).toBe(200);
		await successes(stack, workflowId, 1);
		await api.updateWorkflow(workflowId, { nodes });
		await api.publish(workflowId);
		expect(sandbox.endpoints()).toHaveLength(1);
		sandbox.emit('call.completed');
		await successes(stack, workflowId, 2);
		await api.unpublish(workflowId);
		expect(sandbox.endpoints()).toEqual([]);
	},
	300_000,
);
