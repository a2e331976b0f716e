import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { N8nApi } from '../../../sandbox/stack/n8n-api';
import { chain, nodeOf } from '../../support/n8n/triggerNode';
import { nodeTypes, request, stack } from '../harness';

type Columns = Parameters<N8nApi['createDataTable']>[1];

const times = { started_at: '2026-11-20T12:00:00.000Z', duration_seconds: 61 };
/** A call that has ended, and the analysis of that call. */
const ENDED = {
	...{ event: 'call.completed', call_id: 'call_1', direction: 'inbound', ...times },
	...{ from: '+14155550187', to: '+14155550100', customer_name: 'Ada Lovelace' },
};
const collected = { custom_analysis_data: { newSlot: 'Monday 9:30' } };
const ANALYSED = {
	...{ event: 'call.completed', call_id: 'call_1' },
	call_analysis: { call_summary: 'Ada moved her visit.', ...collected },
};
const ROW = {
	...{ call_id: 'call_1', person: 'found', direction: 'inbound', ...times },
	...{ customer_phone: '+14155550187', agent_phone: '+14155550100' },
	...{ customer_name: 'Ada Lovelace', customer_first_name: 'Ada' },
	...{ customer_last_name: 'Lovelace', summary: 'Ada moved her visit.' },
	...{ duration_minutes: 1, collected: 'New Slot: Monday 9:30' },
	date: expect.stringMatching(/^2026-11-20 \d\d:00$/) as string,
};

/** @returns a new table, and the node that writes rows to it, which maps the columns by itself */
async function newTable() {
	const { api } = stack.n8n;
	const typeOf = (value: unknown) => (typeof value === 'number' ? 'number' : 'string');
	const columns = Object.entries(ROW).map(([column, value]) => ({
		name: column,
		type: typeOf(value),
	}));
	const id = await api.createDataTable('Read details', columns as Columns);
	const parameters: INodeParameters = {
		operation: 'upsert',
		dataTableId: { __rl: true, mode: 'id', value: id },
		matchType: 'allConditions',
		filters: {
			conditions: [{ keyName: 'call_id', condition: 'eq', keyValue: '={{ $json.call_id }}' }],
		},
		columns: { mappingMode: 'autoMapInputData', value: null },
	};
	const rows = async (): Promise<IDataObject[]> => await api.dataTableRows(id);
	return { rows, node: nodeOf('Save', 'n8n-nodes-base.dataTable', { parameters }) };
}

test('events of a Webhook node complete the row of their call, without a credential', async () => {
	const { api } = stack.n8n;
	const { rows, node } = await newTable();
	const path = crypto.randomUUID();
	const { id } = await api.createWorkflow({
		name: 'Read details',
		nodes: [
			nodeOf('Webhook', 'n8n-nodes-base.webhook', {
				typeVersion: 2,
				webhookId: path,
				parameters: { httpMethod: 'POST', path, responseMode: 'lastNode' },
			}),
			nodeOf('Read', nodeTypes.action, {
				parameters: { resource: 'call', operation: 'readDetails', output: 'row' },
			}),
			node,
		],
		connections: chain('Webhook', 'Read', 'Save'),
	});
	await api.publish(id);
	const url = `${stack.proxy.url}/webhook/${path}`;
	for (const event of [ENDED, ANALYSED]) {
		expect((await request(stack, url, event)).status).toBe(200);
	}
	expect(await rows()).toMatchObject([ROW]);
	await api.unpublish(id);
});
