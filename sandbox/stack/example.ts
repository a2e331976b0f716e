import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8nApi, WorkflowJson } from './n8n-api';

const file = join(__dirname, '..', '..', 'examples', 'call-to-data-table.json');

/** As the note in the example asks for them. */
const columns = {
	phone: 'string',
	name: 'string',
	email: 'string',
	last_call_id: 'string',
	last_call_at: 'date',
	last_call_seconds: 'number',
	last_outcome: 'string',
	last_summary: 'string',
} as const;

/**
 * Imports `examples/call-to-data-table.json` and does what its note tells a person to: makes the
 * data table that stands for the CRM, and chooses it and the credential in the nodes.
 *
 * @param credentialId a credential of the type `voiceAgentApi`
 * @param name the data table's and the credential's, as the editor shows them
 */
export async function importExample(
	api: N8nApi,
	credentialId: string,
	name: string,
): Promise<{ workflowId: string; tableId: string }> {
	const tableId = await api.createDataTable(name, columns);
	const workflow = JSON.parse(await readFile(file, 'utf8')) as WorkflowJson;
	for (const node of workflow.nodes) {
		if (node.type === 'n8n-nodes-voice-agent.voiceAgentTrigger') {
			node.credentials = { voiceAgentApi: { id: credentialId, name } };
		}
		if (node.type === 'n8n-nodes-base.dataTable') {
			const table = { __rl: true, mode: 'list', value: tableId, cachedResultName: name };
			node.parameters.dataTableId = table;
		}
	}
	const { id } = await api.createWorkflow(workflow);
	return { workflowId: id, tableId };
}
