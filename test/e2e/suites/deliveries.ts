import { namedDialects } from '../../../sandbox/dialects';
import { createEvent, type CallData } from '../../../sandbox/service/events';
import { outputOf } from '../../../sandbox/stack/n8n-api';
import { shortened } from '../../compat/needs';
import { nodeOf, triggerNode } from '../../support/n8n/triggerNode';
import { publishTrigger } from '../../reliability/publishedTrigger';
import { request, service, stack, successes, useService } from '../harness';

useService(namedDialects.assumed);

test.each(shortened([{ executionOrder: 'v1' }, {}] as const))(
	'each event leaves once at the output of its type, with settings %j',
	async (settings) => {
		const { api } = stack.n8n;
		const { sandbox, credentials } = service;
		const types = ['call.completed', 'call.failed'];
		const outputs = { __rl: true, mode: 'list', value: [...types, 'Other'].join(', ') };
		const options = { acknowledge: 'finished', outputs };
		const trigger = triggerNode(
			credentials.voiceAgentApi.id,
			{ events: types, options },
			// Settings that change how often n8n runs a node, and with how many items.
			{ executeOnce: true, retryOnFail: true },
		);
		const link = (node: string) => [{ node, type: 'main' as const, index: 0 }];
		const { id } = await api.createWorkflow({
			name: 'Branches',
			settings,
			nodes: [
				trigger,
				...['Completed', 'Failed'].map((name) => nodeOf(name, 'n8n-nodes-base.noOp')),
			],
			connections: { Trigger: { main: [link('Completed'), link('Failed')] } },
		});
		await api.publish(id);
		expect((await api.workflow(id)).settings?.executionOrder).toBe(settings.executionOrder);
		const url = sandbox.endpoints()[0]?.url ?? '';
		const [completed, failed, other] = [...types, 'call.unknown'].map((type) => createEvent(type));
		const [one, two] = [completed, failed].map((event) => (event?.data as CallData).call_id);
		// No node is connected to the last output.
		for (const body of [completed, failed, other, [completed, failed, completed]]) {
			expect((await request(stack, url, body as object)).status).toBe(200);
		}
		const executions = await successes(stack, id, 4);
		const items = executions
			.toReversed()
			.map(({ data }) =>
				['Completed', 'Failed'].map((node) =>
					data.resultData.runData[node]?.map((run) => run.data?.main?.[0]?.length),
				),
			);
		expect(items).toEqual([
			[[1], undefined],
			[undefined, [1]],
			[undefined, undefined],
			[[2], [1]],
		]);
		expect(executions[0]?.customData).toEqual({
			call: `${one}, ${two}`,
			event: types.join(', '),
		});
		expect(executions[3]?.customData).toMatchObject({ call: one, event: 'call.completed' });
		await api.unpublish(id);
	},
);

test('a body of an unusual media type starts the workflow, and a body above 16 MB is refused', async () => {
	const { sandbox } = service;
	const workflow = await publishTrigger(stack.n8n.api, sandbox);
	const url = sandbox.endpoints()[0]?.url ?? '';
	const headers = { 'content-type': 'application/cloudevents+json' };
	expect((await request(stack, url, createEvent('call.completed'), headers)).status).toBe(200);
	const tooLarge = { type: 'call.completed', transcript: 'x'.repeat(17 * 2 ** 20) };
	expect((await request(stack, url, tooLarge, headers)).status).toBe(413);
	const [execution] = await successes(stack, workflow.workflowId);
	expect(outputOf(execution!, 'Trigger')).toMatchObject([{ type: 'call.completed' }]);
	await workflow.unpublish();
});
