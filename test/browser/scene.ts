import type { INode, INodeParameters } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import type { N8n } from '../../sandbox/stack/n8n';
import { startStack } from '../../sandbox/stack/stack';
import { chain, nodeOf, triggerNode } from '../support/triggerNode';
import { startBrowser } from './browser';

/** A browser, an n8n with the connector, and a service that can deliver to it. */
export interface Scene {
	browser: Browser;
	n8n: N8n;
	sandbox: Sandbox;
	/** Creates n8n's credential for the service. @returns the reference for nodes */
	createCredential(): Promise<INode['credentials']>;
	stop(): Promise<void>;
}

/**
 * Starts a scene. If a part fails to start, the others are stopped.
 *
 * @param env further environment variables for n8n
 */
export async function startScene(env?: NodeJS.ProcessEnv): Promise<Scene> {
	await using starting = new AsyncDisposableStack();
	const browser = await startBrowser();
	starting.defer(() => browser.close());
	const stack = await startStack({ env });
	starting.defer(() => stack.stop());
	const sandbox = await startSandbox({ ca: stack.certificate.ca });
	starting.defer(() => sandbox.stop());
	const started = starting.move();
	return {
		browser,
		n8n: stack.n8n,
		sandbox,
		async createCredential() {
			const data = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey };
			const id = await stack.n8n.api.createCredential('Sandbox', 'voiceAgentApi', data);
			return { voiceAgentApi: { id, name: 'Sandbox' } };
		},
		stop: () => started.disposeAsync(),
	};
}

/**
 * Creates a workflow of a Voice Agent Trigger and a data table.
 *
 * @param columns the columns of the table, each with its expression
 */
export async function createSavingWorkflow(
	scene: Scene,
	parameters: INodeParameters,
	columns: Record<string, string>,
): Promise<{ workflowId: string; tableId: string }> {
	const { api } = scene.n8n;
	const types = Object.keys(columns).map((name) => ({ name, type: 'string' as const }));
	const tableId = await api.createDataTable('Customers', types);
	const credentials = await scene.createCredential();
	const start = triggerNode('', parameters, { name: 'Voice Agent Trigger', credentials });
	const table = nodeOf('Save call', 'n8n-nodes-base.dataTable', {
		position: [560, 100],
		parameters: {
			operation: 'insert',
			dataTableId: { __rl: true, mode: 'id', value: tableId },
			columns: { mappingMode: 'defineBelow', value: columns },
		},
	});
	const connections = chain(start.name, table.name);
	const { id } = await api.createWorkflow({ name: 'Calls', nodes: [start, table], connections });
	return { workflowId: id, tableId };
}
