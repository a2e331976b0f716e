import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { importExample, importMainExample } from '../../sandbox/stack/example';
import type { N8nApi, WorkflowJson } from '../../sandbox/stack/n8n-api';
import type { Stack } from '../../sandbox/stack/stack';
import { post, type Service } from '../e2e/harness';
import { type Table, tableNamed } from './dataTables';
import {
	type RecordingExample,
	type Sent,
	sent,
	spreadsheetUrl,
	timezone,
} from './recordingExamples';
import type { StandIn } from './standIn';

/** What examples run in. */
export interface ExampleWorld {
	stack: Stack;
	service: Service;
	standIn: StandIn;
}

/** How a delivery went. */
export interface Ran {
	/** `green`, or `red: ` and why. */
	ended: string;
	/** The requests that the run sent, but for those that sign in or only read as a node likes. */
	requests: Sent[];
}

export interface PublishedExample {
	deliver(body: object, headers?: Record<string, string>): Promise<Ran>;
	/** What it remembers of the calls that it has done. */
	done: Table;
	/** The customers, where the example itself makes their table. */
	customers?: Table;
	/** Puts values into fields of the node "Call", and publishes again. */
	fillIn(fields: Record<string, string>): Promise<void>;
	unpublish(): Promise<void>;
}

/** Imports an example, does what its note says, and publishes it for every event. */
export async function publishExample(
	{ stack, service, standIn }: ExampleWorld,
	example: RecordingExample,
): Promise<PublishedExample> {
	const { api } = stack.n8n;
	const { workflowId, customers } = await imported(api, service, example);
	const fillIn = async (fields: Record<string, string>) => {
		const workflow = await api.workflow(workflowId);
		const { nodes, settings } = workflow;
		const trigger = nodes.find(({ type }) => type.endsWith('.voiceAgentTrigger'));
		if (trigger) trigger.parameters.events = [];
		for (const field of assignmentsOf(workflow)) {
			field.value = fields[field.name as string] ?? field.value;
		}
		await api.updateWorkflow(workflowId, { nodes, settings: { ...settings, timezone } });
		await api.publish(workflowId);
	};
	const others = service.sandbox.endpoints().map(({ id }) => id);
	await fillIn({ spreadsheet: spreadsheetUrl });
	const endpoint = service.sandbox.endpoints().find(({ id }) => !others.includes(id));
	if (!endpoint) throw new Error(`${example.name} has not registered itself`);
	return {
		async deliver(body, headers) {
			const { status } = await post(stack, endpoint.url, body, headers);
			const ended = status === 200 ? 'green' : `red: ${await lastError(api, workflowId)}`;
			const requests = sent(standIn.take()).filter(
				({ request }) => !/\/token$/.test(request) && !example.reads?.test(request),
			);
			return { ended, requests };
		},
		done: tableNamed(api, workflowId),
		customers,
		fillIn,
		unpublish: async () => await api.unpublish(workflowId),
	};
}

async function imported(
	api: N8nApi,
	service: Service,
	{ name, credential, parameters = {} }: RecordingExample,
): Promise<{ workflowId: string; customers?: Table }> {
	const voiceAgent = service.credentials.authorization.id;
	if (!credential) {
		const table = `Customers of test ${randomUUID()}`;
		const { workflowId } = await importMainExample(api, voiceAgent, table);
		return { workflowId, customers: tableNamed(api, table) };
	}
	const id = await api.createCredential(name, credential.type, credential.fields);
	const chosen = { credentials: { [credential.type]: { id, name } }, parameters };
	const workflowId = await importExample(api, name, voiceAgent, {
		'n8n-nodes-base.httpRequest': chosen,
		'n8n-nodes-base.salesforce': chosen,
		'n8n-nodes-base.googleSheets': chosen,
	});
	return { workflowId };
}

/** The fields of the node that says what is a person's to fill in. */
function assignmentsOf({ nodes }: WorkflowJson): INodeParameters[] {
	const node = nodes.find(({ name }) => name === 'Call');
	return (node?.parameters.assignments as { assignments: INodeParameters[] }).assignments;
}

async function lastError(api: N8nApi, workflowId: string): Promise<string | undefined> {
	const [latest] = await api.executions(workflowId);
	const { data } = await api.finishedExecution(latest?.id ?? '');
	return data.resultData.error?.message;
}
