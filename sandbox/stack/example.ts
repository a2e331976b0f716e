import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { N8nApi, WorkflowJson } from './n8n-api';

const examples = join(__dirname, '..', '..', 'examples');

/** What the note of an example has a person choose in its nodes, by their types. */
export type Choices = Record<string, Pick<Partial<INode>, 'parameters' | 'credentials'>>;

/**
 * Imports an example as the editor does, and does what its note says.
 *
 * @param name of its file in `examples/`, without `.json`
 * @param credentialId a credential of the type `voiceAgentApi`, for all nodes that take one
 * @param choices for the other nodes
 * @param change what else a person makes of the workflow
 * @returns the workflow's id
 */
export async function importExample(
	api: N8nApi,
	name: string,
	credentialId: string,
	choices: Choices,
	change = (workflow: WorkflowJson) => workflow,
): Promise<string> {
	const file = await readFile(join(examples, `${name}.json`), 'utf8');
	const workflow = change(JSON.parse(file) as WorkflowJson);
	for (const node of workflow.nodes) {
		if (node.type.startsWith('n8n-nodes-voice-agent.')) {
			node.credentials = { voiceAgentApi: { id: credentialId, name: 'Voice Agent' } };
		}
		// The editor, too, gives a trigger its place in webhook URLs, unless the file brings one.
		if (node.type.endsWith('.voiceAgentTrigger')) node.webhookId ??= randomUUID();
		const { parameters, credentials } = choices[node.type] ?? {};
		Object.assign(node.parameters, parameters);
		if (credentials) node.credentials = credentials;
	}
	return (await api.createWorkflow(workflow)).id;
}

/**
 * Imports the main example, and makes the data table of customers that stands for the CRM; the
 * workflow would make it itself when the first call ends.
 *
 * @param name the data table's, as the editor shows it
 */
export async function importMainExample(
	api: N8nApi,
	credentialId: string,
	name: string,
): Promise<{ workflowId: string; tableId: string }> {
	type Column = { name: string; type: 'string' | 'number' | 'boolean' | 'date' };
	let columns: Column[] = [];
	const workflowId = await importExample(
		api,
		'call-to-data-table',
		credentialId,
		{},
		(workflow) => {
			const table = workflow.nodes.find((node) => node.name === 'Customers table');
			if (!table) throw new Error('The main example makes no table of customers');
			columns = (table.parameters.columns as { column: Column[] }).column;
			table.parameters.tableName = name;
			return workflow;
		},
	);
	const types = Object.fromEntries(columns.map((column) => [column.name, column.type]));
	return { workflowId, tableId: await api.createDataTable(name, types) };
}
