import { namedDialects } from '../../../sandbox/dialects';
import { createEvent } from '../../../sandbox/service/events';
import { importMainExample } from '../../../sandbox/stack/example';
import { outputOf } from '../../../sandbox/stack/n8n-api';
import type { Stack } from '../../../sandbox/stack/stack';
import { until } from '../../../sandbox/stack/until';
import { chain, nodeOf, triggerNode } from '../../support/triggerNode';
import { post, type Service, sharedN8n, startService } from '../harness';

let stack: Stack;
let service: Service;
beforeAll(async () => {
	({ stack } = sharedN8n());
	service = await startService(stack, namedDialects.assumed);
});
afterAll(async () => await service?.sandbox.stop());

test('each event leaves at the output of its type, and is acknowledged without a connected node, too', async () => {
	const { api } = stack.n8n;
	const { sandbox, credentials } = service;
	const value = 'call.completed, call.failed, Other';
	const { id } = await api.createWorkflow({
		name: 'Branches',
		connections: chain('Trigger', 'Completed'),
		nodes: [
			triggerNode(credentials.authorization.id, {
				events: ['call.completed', 'call.failed'],
				options: { acknowledge: 'finished', outputs: { __rl: true, mode: 'list', value } },
			}),
			nodeOf('Completed', 'n8n-nodes-base.noOp'),
		],
	});
	await api.publish(id);
	const [endpoint] = sandbox.endpoints();
	for (const type of ['call.completed', 'call.failed']) {
		sandbox.emit(type);
		await sandbox.settled();
	}
	expect(sandbox.deliveriesOf(endpoint?.id ?? '')).toEqual([
		expect.objectContaining({ status: 'delivered', response_status: 200 }),
		expect.objectContaining({ status: 'delivered', response_status: 200 }),
	]);
	const executions = await Promise.all(
		(await api.executions(id))
			.reverse()
			.map(async (execution) => await api.execution(execution.id)),
	);
	const ran = executions.map(({ data }) => Object.keys(data.resultData.runData));
	expect(ran).toEqual([['Trigger', 'Completed'], ['Trigger']]);
	const itemsAt = executions.map(({ data }) =>
		data.resultData.runData.Trigger?.[0]?.data?.main?.map((items) => items?.length),
	);
	expect(itemsAt).toEqual([
		[1, 0, 0],
		[0, 1, 0],
	]);
	await api.unpublish(id);
});

test('pasted paths are read as text, beside an option with an expression', async () => {
	const { api } = stack.n8n;
	const { sandbox, credentials } = service;
	const fields = [
		{ path: '={{ $json.data.anrufer.nummer }}' },
		{ detail: 'customer.name', path: '={{ $node["Trigger"].json.data.anrufer.vorname }}' },
		{
			detail: 'customer.name',
			path: `={{ $item("0").$node["Trigger"].json["data"]["nachname"] }}`,
		},
		{ detail: 'outcome', path: "={{ $('Trigger').item.json.data.ergebnis }}" },
	];
	const node = triggerNode(credentials.authorization.id, {
		events: ['call.completed'],
		options: { callDetailsMapping: { fields }, countryCode: '={{ "+49" }}' },
	});
	const { id } = await api.createWorkflow({ name: 'Mapped', connections: {}, nodes: [node] });
	await api.publish(id);
	const anrufer = { nummer: '030 23125014', vorname: 'Grace' };
	sandbox.emit('call.completed', { anrufer, nachname: 'Hopper', ergebnis: 'Termin vereinbart' });
	const execution = await until('the execution', 30, async () => (await api.executions(id))[0]);
	expect(outputOf(await api.finishedExecution(execution.id), 'Trigger')).toMatchObject([
		{
			callDetails: {
				person: 'found',
				customer: { phone: '+493023125014', name: 'Grace Hopper' },
				outcome: 'Termin vereinbart',
			},
		},
	]);
	await api.unpublish(id);
});

test('a body of an unusual media type starts the workflow, and a body above 16 MB is refused', async () => {
	const { api } = stack.n8n;
	const { sandbox, credentials } = service;
	const { workflowId } = await importMainExample(
		api,
		credentials.authorization.id,
		'Unread bodies',
	);
	await api.publish(workflowId);
	const url = sandbox.endpoints()[0]?.url ?? '';
	const headers = { 'content-type': 'application/cloudevents+json' };
	expect((await post(stack, url, createEvent('call.completed'), headers)).status).toBe(200);
	const tooLarge = { type: 'call.completed', transcript: 'x'.repeat(17 * 2 ** 20) };
	expect((await post(stack, url, tooLarge, headers)).status).toBe(413);
	const [execution, ...others] = await until('the execution', 30, async () => {
		const found = await api.executions(workflowId);
		return found.length > 0 && found.every(({ status }) => status === 'success') && found;
	});
	expect(others).toEqual([]);
	const { data } = await api.execution(execution?.id ?? '');
	expect(Object.values(data.resultData.runData)[0]?.[0]?.data?.main?.[0]).toMatchObject([
		{ json: { type: 'call.completed' } },
	]);
	await api.unpublish(workflowId);
});
