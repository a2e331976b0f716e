import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NodeInWorkflow } from '../n8n/core';
import { N8nLifecycle } from '../n8n/lifecycle';
import { pollOften } from './polls';
import { startScriptedService, type ScriptedService } from '../service/scriptedService';

/** The service of a test. */
export let service: ScriptedService;

/** Starts a service for each test, and stops the clock. */
export function usePolling(): void {
	beforeEach(async () => {
		service = await startScriptedService();
		jest.useFakeTimers({
			doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'performance'],
		});
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		jest.useRealTimers();
		await service.stop();
	});
}

/** Lets the answers of the log wait. @returns ends the pause */
export function pauseLog() {
	let resume = () => {};
	service.pause = new Promise((resolve) => (resume = resolve));
	return () => resume();
}

/** Moves the clock forward. */
export const pass = (minutes: number) => jest.setSystemTime(Date.now() + minutes * 60_000);

/** The event of a completed call. */
export const call = (id: string, more: IDataObject = {}) => ({
	id: `evt_${id}`,
	type: 'call.completed',
	data: { call_id: id, direction: 'inbound', from: '+14155550100', to: '+493055501', ...more },
});

/** The fields of an attempt that arrived. */
export const ARRIVED = { status: 'delivered', response_status: 200 };

/** The log of an endpoint, by default the newest. */
export const logOf = (id = service.endpoints.at(-1)!.id) => service.logs[id]!;

/** Logs an attempt that failed now. */
export function logAttempt(id: string, more: IDataObject = {}, log = logOf()): void {
	log.unshift({
		id: `att_${id}_${log.length}`,
		event_id: `evt_${id}`,
		event_type: 'call.completed',
		status: 'failed',
		response_status: 503,
		attempted_at: new Date().toISOString(),
		payload: call(id),
		...more,
	});
}

/** Logs attempts with the IDs `0`, `1`, … behind a name, each some minutes after the one before. @returns the IDs */
export function logMany(count: number, minutes: number, more: IDataObject = {}, name = '') {
	const ids = Array.from({ length: count }, (_, at) => `${name}${at}`);
	for (const id of ids) {
		pass(minutes);
		logAttempt(id, more);
	}
	return ids;
}

/** Publishes a trigger. @returns the trigger, with its polls since its last activation */
export async function publish(parameters: INodeParameters = {}) {
	const all = { events: ['call.completed'], ...parameters };
	const node = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: all,
		credential: { baseUrl: service.baseUrl, apiKey: 'svc_live_0123456789' },
	});
	node.workflowSettings = { timezone: 'Asia/Tokyo' };
	const lifecycle = new N8nLifecycle(node);
	await lifecycle.publish(all);
	/** Polls once. @returns the calls of the started executions, and the messages of failed ones */
	const poll = async () =>
		(await lifecycle.poll()).map((started) =>
			started instanceof Error
				? started.message
				: started
						.flatMap((items) => items.map(({ json }) => (json.data as { call_id: string }).call_id))
						.join(),
		);
	/** Polls in each of the next minutes, and returns the same. */
	const pollFor = async (minutes: number) => {
		const started: string[] = [];
		for (let minute = 0; minute < minutes; minute++) {
			pass(1);
			started.push(...(await poll()));
		}
		return started;
	};
	return { node, lifecycle, poll, pollFor };
}

/** Publishes a trigger that reads the log in each poll from now on, for events of any age. */
export async function publishOften(parameters: INodeParameters = {}) {
	const trigger = await publish({ ...pollOften, ...parameters });
	// The first poll of an endpoint reads nothing.
	await trigger.poll();
	return trigger;
}
