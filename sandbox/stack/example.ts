import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { isLacking } from './features';
import type { Column, N8nApi, WorkflowJson } from './n8n-api';

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
	const { id } = await api.createWorkflow(workflow);
	if (isLacking(api.line, 'Tables made by the Data Table node')) await makeTables(api, id);
	return id;
}

/**
 * Does what the note asks where the Data Table node makes no tables: makes them by hand, chooses
 * them in the nodes that use them, and takes out those that would make them.
 */
async function makeTables(api: N8nApi, workflowId: string): Promise<void> {
	const workflow = await api.workflow(workflowId);
	for (const maker of workflow.nodes.filter(makesTable)) {
		const tableName = maker.parameters.tableName as string;
		const name = tableName.replace(/^=/, '').replace('{{ $workflow.id }}', workflowId);
		const value = await api.createDataTable(name, columnsOf(maker));
		for (const { parameters } of workflow.nodes) {
			const table = parameters.dataTableId as { value: string } | undefined;
			if (table?.value.includes(`$('${maker.name}')`)) {
				parameters.dataTableId = { __rl: true, mode: 'id', value };
			}
		}
		takeOut(workflow, maker.name);
	}
	const { nodes, connections } = workflow;
	await api.updateWorkflow(workflowId, { nodes, connections });
}

const makesTable = ({ type, parameters }: INode) =>
	type === 'n8n-nodes-base.dataTable' && parameters.resource === 'table';

const columnsOf = ({ parameters }: INode) =>
	(parameters.columns as unknown as { column: Column[] }).column;

/** Deletes a node as the editor does: what led to it leads to what came after it. */
function takeOut(workflow: WorkflowJson, name: string): void {
	const after = workflow.connections[name]?.main?.[0] ?? [];
	delete workflow.connections[name];
	for (const { main } of Object.values(workflow.connections)) {
		for (const [index, targets] of (main ?? []).entries()) {
			const kept = targets?.filter(({ node }) => node !== name) ?? [];
			if (main && kept.length < (targets?.length ?? 0)) main[index] = [...kept, ...after];
		}
	}
	workflow.nodes = workflow.nodes.filter((node) => node.name !== name);
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
	let columns: Column[] = [];
	const workflowId = await importExample(
		api,
		'call-to-data-table',
		credentialId,
		{},
		(workflow) => {
			const table = workflow.nodes.find((node) => node.name === 'Customers table');
			if (!table) throw new Error('The main example makes no table of customers');
			columns = columnsOf(table);
			table.parameters.tableName = name;
			return workflow;
		},
	);
	return { workflowId, tableId: await api.createDataTable(name, columns) };
}
