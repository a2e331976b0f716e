import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/service';
import type { N8nApi } from '../../sandbox/stack/n8n-api';
import { until } from '../../sandbox/stack/until';
import { chain, triggerNode } from '../support/n8n/triggerNode';

export interface TriggerSettings {
	/** The trigger's parameters; `call.completed` is selected by default. */
	parameters?: INodeParameters;
	/** Further fields of the credential. */
	credential?: IDataObject;
	/** The nodes after the trigger. */
	next?: INode[];
}

/** Publishes a workflow whose trigger has its webhook at a sandbox. */
export async function publishTrigger<Service extends Pick<Sandbox, 'credential'>>(
	api: N8nApi,
	sandbox: Service,
	{ parameters, credential, next = [] }: TriggerSettings = {},
) {
	const fields = { ...sandbox.credential, ...credential };
	const credentials = await api.newCredentials('voiceAgentApi', fields);
	const events = ['call.completed'];
	const trigger = triggerNode('', { events, options: {}, ...parameters }, { credentials });
	const nodes: [INode, ...INode[]] = [trigger, ...next];
	const { id: workflowId } = await api.createWorkflow({
		name: 'Calls',
		nodes,
		connections: chain(...nodes.map(({ name }) => name)),
		settings: { executionOrder: 'v1' },
	});
	await api.publish(workflowId);
	return {
		...{ api, sandbox, workflowId },
		/** The trigger first. */
		nodes,
		/** Saves and publishes the workflow, with other notes of the nodes after the trigger. */
		async republish() {
			for (const node of nodes.slice(1)) node.notes = randomUUID();
			await api.updateWorkflow(workflowId, { nodes });
			await api.publish(workflowId);
		},
		unpublish: () => api.unpublish(workflowId),
	};
}

/** Waits until no execution is under way, of one workflow or of all. */
export async function executionsEnded(api: N8nApi, workflowId?: string, seconds = 120) {
	const underWay = { workflowId, status: ['new', 'running'] };
	const isOver = async () => (await countExecutions(api, underWay)) === 0;
	await until('the executions to end', seconds, isOver);
}

/** @returns the number of executions that fit a filter of n8n's API */
export async function countExecutions(api: N8nApi, filter: object): Promise<number> {
	const newest = { filter: JSON.stringify(filter), limit: 1 };
	const page = await api.request<{ count: number }>('GET', '/executions', undefined, newest);
	return page.count;
}
