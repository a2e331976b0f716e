/** The option Only Calls That Match. */
import { namedDialects } from '../../../sandbox/dialects';
import { type CallDetails, createEvent, sampleData } from '../../../sandbox/service/events';
import { until } from '../../../sandbox/stack/until';
import { triggerNode } from '../../support/triggerNode';
import { post, type Service, sharedN8n, startService } from '../harness';

const TIMES = 20;

let service: Service;
afterAll(async () => await service?.sandbox.stop());

test('only matching events start an execution, and events that do not state the details', async () => {
	const { stack } = sharedN8n();
	const { api } = stack.n8n;
	service = await startService(stack, namedDialects.assumed);
	const filter = { direction: 'outbound', minDurationSeconds: 60, outcomes: 'booked' };
	const parameters = { events: ['call.completed'], options: { onlyCalls: { filter } } };
	const node = triggerNode(service.credentials.authorization.id, parameters);
	const workflow = { name: 'Only calls that match', connections: {}, nodes: [node] };
	const { id } = await api.createWorkflow(workflow);
	await api.publish(id);
	const { url } = service.sandbox.endpoints()[0]!;

	const matching: CallDetails = { kind: 'outbound', duration_seconds: 60, outcome: 'Booked' };
	const excluded = [{ kind: 'inbound' as const }, { duration_seconds: 59 }, { outcome: 'lost' }];
	const calls = [{}, ...excluded].map((other) =>
		sampleData('call.completed', { ...matching, ...other }),
	);
	const answers: string[][] = [];
	for (const call of [...calls, { call_id: 'c1' }]) {
		const deliveries = Array.from({ length: TIMES }, () =>
			post(stack, url, createEvent('call.completed', call)),
		);
		const found = (await Promise.all(deliveries)).map(({ data }) => JSON.stringify(data));
		answers.push([...new Set(found)]);
	}
	const ignored = ['{"ignored":"filter"}'];
	const started = answers[0];
	expect(started).not.toEqual(ignored);
	expect(answers).toEqual([started, ignored, ignored, ignored, started]);
	// n8n stores executions in the order of their starts, so an ignored event's would be listed.
	const executions = await until('the executions', 60, async () => {
		const found = await api.executions(id);
		return found.length >= 2 * TIMES && found.every(({ status }) => status === 'success') && found;
	});
	expect(executions).toHaveLength(2 * TIMES);
	await api.unpublish(id);
});
