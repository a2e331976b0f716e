import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { importExample, importMainExample } from '../../sandbox/stack/example';
import type { N8nApi } from '../../sandbox/stack/n8n-api';
import { request, service, stack } from '../e2e/harness';
import { changeTrigger, OFTEN } from './caughtUpEvents';
import { customerTable } from './crms/dataTable';
import { type Table, tableNamed } from './dataTables';
import { type RecordingExample, sheets } from './recordingExamples';
import type { RecordingRun } from './recordingRuns';

/** A published example with its CRM. */
export type PublishedExample = Awaited<ReturnType<typeof publishExample>>;

/** Imports an example, sets it up as its note says, and publishes it for every event type. */
export async function publishExample(example: RecordingExample) {
	const { api } = stack.n8n;
	const { workflowId, crm, calls } = await imported(api, example);
	await changeTrigger(api, workflowId, { ...OFTEN, events: ['*'] });
	const others = service.sandbox.endpoints().map(({ id }) => id);
	await api.publish(workflowId);
	const endpoint = service.sandbox.endpoints().find(({ id }) => !others.includes(id));
	if (!endpoint) throw new Error(`${example.name} has no endpoint`);
	return {
		crm,
		/** @returns `green`, or `red: ` and the error of the execution */
		async deliver(body: object, headers?: Record<string, string>) {
			const { status } = await request(stack, endpoint.url, body, headers);
			return status === 200 ? 'green' : `red: ${await lastError(api, workflowId)}`;
		},
		/** @returns the mode and status of each execution, such as `webhook success` */
		ends: async () =>
			(await api.executions(workflowId)).map(({ mode, status }) => `${mode} ${status}`),
		/** The recorded calls. */
		calls: async () => (calls ? await calls.rows() : sheets.rows('Calls')),
		clearCalls: async () => await calls?.clear(),
		unpublish: async () => await api.unpublish(workflowId),
	};
}

async function imported(
	api: N8nApi,
	{ name, crm, table, credential, parameters }: RecordingExample,
) {
	const voiceAgent = service.credentials.voiceAgentApi.id;
	if (!crm || !credential) {
		const suffix = randomUUID();
		const { workflowId } = await importMainExample(api, voiceAgent, suffix);
		const [customers, calls] = ['customers', 'calls'].map((kind) =>
			tableNamed(api, `${kind} ${suffix}`),
		) as [Table, Table];
		return { workflowId, crm: customerTable(customers), calls };
	}
	const id = await api.createCredential(name, credential.type, credential.fields);
	const chosen = { credentials: { [credential.type]: { id, name } }, parameters };
	const types = ['httpRequest', 'hubspot', 'pipedrive', 'salesforce', 'googleSheets'];
	const choices = Object.fromEntries(types.map((type) => [`n8n-nodes-base.${type}`, chosen]));
	const workflowId = await importExample(api, name, voiceAgent, choices);
	return { workflowId, crm, calls: table ? tableNamed(api, table) : undefined };
}

/** @returns the error of the newest failed execution */
async function lastError(api: N8nApi, workflowId: string): Promise<string | undefined> {
	const failed = (await api.executions(workflowId)).find(({ status }) => status === 'error');
	const { data } = await api.finishedExecution(failed?.id ?? '');
	return data.resultData.error?.message;
}

/**
 * Delivers the events of a run, as a service that resends an event once if its execution fails: of two new
 * customers with one e-mail address at once, HubSpot refuses the second.
 *
 * @returns how each execution ended
 */
export async function deliverAll(workflow: PublishedExample, { events }: RecordingRun) {
	const ids = new Map<IDataObject, string>();
	const ended: Array<{ event: IDataObject; end: string }> = [];
	for (const each of events) {
		const atOnce = [each].flat().map(async (event) => {
			const id = ids.get(event) ?? randomUUID();
			ids.set(event, id);
			const deliver = () => workflow.deliver(event, { 'x-delivery-id': id });
			const first = await deliver();
			ended.push({ event, end: first === 'green' ? first : await deliver() });
		});
		await Promise.all(atOnce);
	}
	return ended;
}
