import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import { isLacking } from './features';
import type { Column, N8nApi, WorkflowJson } from './n8n-api';
import type { Stack } from './stack';

const examples = join(__dirname, '..', '..', 'examples');

/**
 * Imports an example as the editor does, and chooses the credential for this service.
 *
 * @param name of its file in `examples/`, without `.json`
 * @param credentialId a credential of the type `voiceAgentApi`, for all nodes that take one
 * @param change further changes of the workflow
 * @returns the workflow's id
 */
export async function importExample(
	api: N8nApi,
	name: string,
	credentialId: string,
	change: (workflow: WorkflowJson) => WorkflowJson | Promise<WorkflowJson> = (workflow) => workflow,
): Promise<string> {
	const file = await readFile(join(examples, `${name}.json`), 'utf8');
	const workflow = await change(JSON.parse(file) as WorkflowJson);
	for (const node of workflow.nodes) {
		if (node.type.startsWith('n8n-nodes-voice-agent.')) {
			node.credentials = { voiceAgentApi: { id: credentialId, name: 'Voice Agent' } };
		}
		// Like the editor, gives a trigger an id for its webhook URLs, unless the file has one.
		if (node.type.endsWith('.voiceAgentTrigger')) node.webhookId ??= randomUUID();
	}
	const { id } = await api.createWorkflow(workflow);
	if (isLacking('Tables made by the Data Table node')) await makeTables(api, id);
	return id;
}

/**
 * For lines of n8n whose Data Table node creates no tables: creates the tables, chooses them in the
 * nodes that use them, and removes the nodes that would create them.
 */
async function makeTables(api: N8nApi, workflowId: string): Promise<void> {
	const workflow = await api.workflow(workflowId);
	for (const maker of workflow.nodes.filter(makesTable)) {
		const name = maker.parameters.tableName as string;
		const value = await api.createDataTable(name, columnsOf(maker));
		for (const { parameters } of workflow.nodes) {
			const table = parameters.dataTableId as { value: string } | undefined;
			const isMade = table?.value === name || table?.value.includes(`$('${maker.name}')`);
			if (isMade) {
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

/** Deletes a node as the editor does: the nodes before it are connected to the nodes after it. */
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
 * Imports the main example, and creates its data tables, as the first call would.
 *
 * @param suffix of the tables' names, for workflows that must not share a table
 * @returns `tableId` of the table of customers
 */
export async function importMainExample(
	api: N8nApi,
	credentialId: string,
	suffix = '',
): Promise<{ workflowId: string; tableId: string }> {
	const tables: Array<[name: string, columns: Column[]]> = [];
	const name = 'call-to-data-table';
	const workflowId = await importExample(api, name, credentialId, (workflow) => {
		for (const maker of workflow.nodes.filter(makesTable)) {
			const tableName = `${maker.parameters.tableName as string} ${suffix}`.trim();
			for (const { parameters } of workflow.nodes) {
				const table = parameters.dataTableId as { value: string } | undefined;
				if (table && table.value === maker.parameters.tableName) table.value = tableName;
			}
			maker.parameters.tableName = tableName;
			tables.push([tableName, columnsOf(maker)]);
		}
		return workflow;
	});
	// After the import, which may have made them.
	const ids: string[] = [];
	for (const table of tables) ids.push(await api.createDataTable(...table));
	return { workflowId, tableId: ids[0] ?? '' };
}

/**
 * Switches the trigger of a workflow to a pasted webhook without a credential, and publishes the workflow.
 *
 * @returns the production URL
 */
export async function pasteWebhook(
	{ n8n: { api }, proxy }: Pick<Stack, 'n8n' | 'proxy'>,
	workflowId: string,
): Promise<string> {
	const more = { credentials: {} };
	const { webhookId } = await changeTrigger(api, workflowId, { registration: 'manual' }, more);
	await api.publish(workflowId);
	return `${proxy.url}/webhook/${webhookId}/webhook`;
}

/**
 * Saves a workflow with other parameters of its trigger.
 *
 * @param more further fields of the trigger
 * @returns the trigger
 */
export async function changeTrigger(
	api: N8nApi,
	workflowId: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): Promise<INode> {
	const { nodes } = await api.workflow(workflowId);
	const trigger = nodes.find(({ type }) => type.endsWith('.voiceAgentTrigger'))!;
	Object.assign(trigger.parameters, parameters);
	Object.assign(trigger, more);
	await api.updateWorkflow(workflowId, { nodes });
	return trigger;
}
