import { until } from '../../../sandbox/stack/until';
import { randomUUID } from 'node:crypto';
import { changeTrigger, importMainExample } from '../../../sandbox/stack/example';
import type { N8nApi, WorkflowJson } from '../../../sandbox/stack/n8n-api';
import { publishWorkflow, service, setUp, stack } from '../../e2e/harness';
import { customerTable } from '../crms/dataTable';
import { type Table, tableNamed } from '../n8n/dataTables';
import type { RecordingExample } from './recordingExamples';
import { kindsOfCalls, type RecordingRun, twins } from './recordingRuns';

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
	const workflow = await publishWorkflow(workflowId);
	return {
		...workflow,
		crm,
		/** @returns `green`, or `red: ` and the error of the execution */
		deliver: async (body: object, headers?: Record<string, string>) => {
			// The service sends an event again that equals one which still runs.
			const status = await until('an answer', 60, async () => {
				const answered = await workflow.deliver(body, headers);
				return answered !== 503 && answered;
			});
			return status === 200 ? 'green' : `red: ${await lastError(api, workflowId)}`;
		},
	};
}

async function imported(
	api: N8nApi,
	{ name, crm }: RecordingExample,
	change?: (workflow: WorkflowJson) => WorkflowJson,
) {
	if (!crm) {
		const suffix = randomUUID();
		const { id } = service.credentials.voiceAgentApi;
		const { workflowId } = await importMainExample(api, id, suffix);
		const tables = ['customers', 'assign'].map((name) => tableNamed(api, `${name} ${suffix}`));
		return { workflowId, crm: customerTable(...(tables as [Table, Table])) };
	}
	return { workflowId: await setUp(name, change), crm };
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

/** Delivers each kind of call twice, and expects that it adds something to a CRM that a person finds. */
export async function expectEachKind({ crm, deliver }: PublishedExample, name: string) {
	await crm.reset(twins);
	let [seen, changes] = ['', 0];
	const look = async () => {
		const people = await crm.people();
		// A table has the last call of each customer.
		if (seen !== (seen = JSON.stringify(people))) changes++;
		const records = crm.records?.();
		const calls = records?.filter(({ person }) => person).length ?? changes;
		const tasks = (await crm.asked?.())?.length ?? (records?.length ?? 0) - calls;
		return { people: Object.keys(people).length, calls, tasks };
	};
	for (const [kind, body, added] of kindsOfCalls) {
		const before = await look();
		const id = { 'x-delivery-id': `${name} ${kind}` };
		expect(await deliver(body, id)).toBe('green');
		expect(await deliver(body, id)).toBe('green');
		const after = await look();
		const gained = Object.entries(after).flatMap(([what, count]) => {
			const more = count - before[what as 'calls'];
			return more === 0 ? [] : [[what, more]];
		});
		expect([kind, Object.fromEntries(gained)]).toEqual([kind, added]);
	}
}
