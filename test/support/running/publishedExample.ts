import { until } from '../../../sandbox/stack/until';
import { randomUUID } from 'node:crypto';
import { importMainExample, pasteWebhook } from '../../../sandbox/stack/example';
import type { N8nApi, WorkflowJson } from '../../../sandbox/stack/n8n-api';
import { request, service, stack } from '../../e2e/harness';
import { changeTrigger } from '../publishing/caughtUpEvents';
import { customerTable } from '../crms/dataTable';
import { type Table, tableNamed } from '../n8n/dataTables';
import { setUpExample } from '../others/accounts';
import type { RecordingExample } from './recordingExamples';
import type { RecordingRun } from './recordingRuns';

/** A published example with its CRM. */
export type PublishedExample = Awaited<ReturnType<typeof publishExample>>;

/**
 * Imports an example, sets it up as its note says, and publishes it for every event type.
 *
 * @param change further changes of the workflow
 */
export async function publishExample(
	example: RecordingExample,
	change?: (workflow: WorkflowJson) => WorkflowJson,
) {
	const { api } = stack.n8n;
	const { workflowId, crm } = await imported(api, example, change);
	await changeTrigger(api, workflowId, { events: ['*'] });
	const others = service.sandbox.endpoints().map(({ id }) => id);
	await api.publish(workflowId);
	const endpoint = service.sandbox.endpoints().find(({ id }) => !others.includes(id));
	if (!endpoint) throw new Error(`${example.name} has no endpoint`);
	let { url } = endpoint;
	return {
		crm,
		/** Publishes it again with a pasted webhook in place of the created one. */
		async paste() {
			url = await pasteWebhook(stack, workflowId);
		},
		/** @returns `green`, or `red: ` and the error of the execution */
		async deliver(body: object, headers?: Record<string, string>) {
			const send = async () => (await request(stack, url, body, headers)).status;
			// The service sends an event again that equals one which still runs.
			const status = await until('an answer', 60, async () => {
				const answered = await send();
				return answered !== 503 && answered;
			});
			return status === 200 ? 'green' : `red: ${await lastError(api, workflowId)}`;
		},
		unpublish: async () => await api.unpublish(workflowId),
	};
}

async function imported(
	api: N8nApi,
	{ name, crm }: RecordingExample,
	change?: (workflow: WorkflowJson) => WorkflowJson,
) {
	const voiceAgent = service.credentials.voiceAgentApi.id;
	if (!crm) {
		const suffix = randomUUID();
		const { workflowId } = await importMainExample(api, voiceAgent, suffix);
		const tables = ['customers', 'assign'].map((name) => tableNamed(api, `${name} ${suffix}`));
		return { workflowId, crm: customerTable(...(tables as [Table, Table])) };
	}
	return { workflowId: await setUpExample(api, name, voiceAgent, change), crm };
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
export async function deliverAll(workflow: PublishedExample, { deliveries }: RecordingRun) {
	const ids = new Map<object, string>();
	const ends: string[] = [];
	for (const each of deliveries) {
		const { atOnce = [each] } = each as { atOnce?: object[] };
		await Promise.all(
			atOnce.map(async (body) => {
				const id = ids.get(body) ?? randomUUID();
				ids.set(body, id);
				const first = await workflow.deliver(body, { 'x-delivery-id': id });
				ends.push(
					first === 'green' ? first : await workflow.deliver(body, { 'x-delivery-id': id }),
				);
			}),
		);
	}
	return ends;
}
