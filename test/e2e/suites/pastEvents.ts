/** The examples with last month's calls: each event of a long log is one row of a table, or one call in a CRM. */
import { outputOf } from '../../../sandbox/stack/n8n-api';
import { testNeeding } from '../../compat/needs';
import { LOGGING_DIALECT } from '../../support/publishing/caughtUpEvents';
import { contacts, hubspotSearch } from '../../support/running/recordingExamples';
import { addStandIns, service, setUp, stack, useService } from '../harness';

addStandIns(contacts.hosts);
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
		const workflowId = await setUp('past-calls');
		const rowIds = new Set<unknown>();
		for (let run = 0; run < 2; run++) {
			const execution = await api.runToEnd(workflowId, 'Every month');
			expect(execution.status).toBe('success');
			expect(outputOf(execution, 'Past calls').map(({ call_id: call }) => call)).toEqual(ids);
			const saved = outputOf(execution, 'Save call');
			expect(saved).toHaveLength(EVENTS);
			for (const row of saved) rowIds.add(row.id);
		}
		expect(rowIds.size).toBe(EVENTS);
	},
	60_000,
);

test('nine calls of three people become three contacts and nine calls, although the search lags', async () => {
	const { sandbox } = service;
	const { api } = stack.n8n;
	sandbox.addEndpoint({ url: 'https://127.0.0.1:9/hooks', events: ['call.completed'] });
	for (let call = 0; call < 9; call++) {
		const ends = { direction: 'inbound', from: `+1415555019${call % 3}`, to: '+14155550100' };
		sandbox.emit('call.completed', { call_id: `crm_${call}`, ...ends });
		await sandbox.settled();
	}
	contacts.reset([]);
	const id = await setUp('past-calls-to-hubspot', (workflow) => {
		const wait = workflow.nodes.find(({ name }) => name === 'Wait for search');
		Object.assign(wait?.parameters ?? {}, { amount: 1 });
		return workflow;
	});
	hubspotSearch.lag = 800;
	const { status } = await api.runToEnd(id, 'When you click');
	hubspotSearch.lag = 0;
	const people = contacts.records().map(({ person }) => person);
	const ids = Object.keys(contacts.people());
	expect([status, ids.length, people]).toEqual(['success', 3, [...ids, ...ids, ...ids]]);
}, 60_000);
