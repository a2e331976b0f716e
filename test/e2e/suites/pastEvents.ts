/** The example with last month's calls: each event of a long log is one row of a table. */
import type { IDataObject } from 'n8n-workflow';
import { importExample } from '../../../sandbox/stack/example';
import { testNeeding } from '../../compat/needs';
import { LOGGING_DIALECT } from '../../support/publishing/caughtUpEvents';
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
