/** The example with last month's calls: each event of a long log is one row of a table. */
import type { IDataObject } from 'n8n-workflow';
import { importExample } from '../../../sandbox/stack/example';
import { testNeeding } from '../../compat/needs';
import { LOGGING_DIALECT } from '../../support/publishing/caughtUpEvents';
import { nodeOf, triggerNode } from '../../support/n8n/triggerNode';
import { service, stack, useService } from '../harness';

useService(LOGGING_DIALECT, true);

/** More than two pages of the log have. */
const EVENTS = 120;

testNeeding('Tables made by the Data Table node')(
	'each event of a long log becomes one row, the oldest first, however often it runs',
	async () => {
		const { sandbox } = service;
		const { api } = stack.n8n;
		// Nothing listens there, so that each delivery fails.
		sandbox.addEndpoint({ url: 'https://127.0.0.1:9/hooks', events: ['call.completed'] });
		const ids = Array.from({ length: EVENTS }, (_, index) => `past_${index}`);
		for (const id of ids) {
			sandbox.emit('call.completed', { call_id: id, from: '+14155550187' });
			await sandbox.settled();
		}
		const { id } = service.credentials.voiceAgentApi;
		const workflowId = await importExample(api, 'past-calls', id);
		const rowIds = new Set<unknown>();
		for (let run = 0; run < 2; run++) {
			const { status, data } = await api.runToEnd(workflowId, 'Every month');
			expect(status).toBe('success');
			const itemsOf = (node: string): IDataObject[] =>
				data.resultData.runData[node]?.[0]?.data?.main?.[0]?.map(({ json }) => json) ?? [];
			expect(itemsOf('Past calls').map(({ call_id: call }) => call)).toEqual(ids);
			expect(itemsOf('Save call')).toHaveLength(EVENTS);
			for (const row of itemsOf('Save call')) rowIds.add(row.id);
		}
		expect(rowIds.size).toBe(EVENTS);
	},
	60_000,
);

test('Like Trigger takes the mapping, the output and the filter of the trigger before the same node', async () => {
	const { sandbox, credentials } = service;
	const { api } = stack.n8n;
	sandbox.addEndpoint({ url: 'https://127.0.0.1:9/hooks', events: ['call.completed'] });
	for (const direction of ['outbound', 'inbound']) {
		sandbox.emit('call.completed', {
			call_id: `${direction}_1`,
			direction,
			anrufer: '030 1234567',
		});
		await sandbox.settled();
	}
	const fields = [{ detail: 'customer.phone', path: '={{ $json.data.anrufer }}' }];
	const options = {
		...{ callDetailsMapping: { fields }, countryCode: '+49' },
		onlyCalls: { filter: { direction: 'inbound' } },
	};
	const parameters = { events: ['call.completed'], output: 'row', options };
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	const { id } = await api.createWorkflow({
		name: 'Past calls like the trigger',
		nodes: [
			triggerNode('', parameters, { name: 'Trigger', credentials }),
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			nodeOf('Past calls', 'n8n-nodes-voice-agent.voiceAgent', {
				credentials,
				parameters: {
					...{ resource: 'webhook', operation: 'getDeliveries', allWebhooks: true },
					...{ output: 'events', eventOutput: 'trigger' },
				},
			}),
			nodeOf('Save', 'n8n-nodes-base.noOp'),
		],
		connections: { Trigger: to('Save'), Start: to('Past calls'), 'Past calls': to('Save') },
	});
	const { status, data } = await api.runToEnd(id, 'Start');
	expect(status).toBe('success');
	expect(data.resultData.runData.Save?.[0]?.data?.main?.[0]?.map(({ json }) => json)).toEqual([
		expect.objectContaining({ call_id: 'inbound_1', customer_phone: '+49301234567' }),
	]);
});
