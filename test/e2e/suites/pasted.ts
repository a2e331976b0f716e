import { pasteWebhook } from '../../../sandbox/stack/example';
import { publishTrigger } from '../../reliability/publishedTrigger';
import { request, service, stack, successes, useService } from '../harness';

useService();

test('a switch to a pasted webhook removes the created one, a restart keeps it, and a switch back registers', async () => {
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
}, 300_000);
