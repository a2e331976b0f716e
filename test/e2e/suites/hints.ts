/** The hints below the output of a trigger, after _Execute step_. */
import { namedDialects } from '../../../sandbox/dialects';
import { until } from '../../../sandbox/stack/until';
import { triggerNode } from '../../support/triggerNode';
import { type Service, sharedN8n, startService } from '../harness';

let service: Service;
beforeAll(async () => {
	service = await startService(sharedN8n().stack, namedDialects.assumed);
});
afterAll(async () => await service?.sandbox.stop());

test('a run shows hints about fields that can be mapped, and about the filter', async () => {
	const { api } = sharedN8n().stack.n8n;
	const fields = [{ detail: 'customer.phone', path: 'data.anrufer.nummer' }];
	const node = triggerNode(service.credentials.authorization.id, {
		events: ['call.completed'],
		options: {
			testEvent: 'real',
			callDetailsMapping: { fields },
			onlyCalls: { filter: { direction: 'outbound' } },
		},
	});
	const { id } = await api.createWorkflow({ name: 'Hints', connections: {}, nodes: [node] });
	await api.run(id, node.name);
	const { sandbox } = service;
	await until('the test listener', 30, () => sandbox.endpoints().length === 1);
	sandbox.emit('call.completed', {
		direction: 'inbound',
		anrufer: { nummer: '+49 30 23125014', mail: 'grace@example.com' },
	});
	const execution = await until('the execution', 60, async () => (await api.executions(id))[0]);
	const { data } = await api.finishedExecution(execution.id);
	expect(data.resultData.runData[node.name]?.[0]?.hints).toMatchObject([
		{
			message: expect.stringMatching(
				/^Only Calls That Match would leave this call out: .*inbound/,
			) as string,
		},
		{
			message:
				'"data.anrufer.mail" looks like an e-mail address: map it to Customer Email, in Options → Call Details Mapping.',
		},
	]);
});
