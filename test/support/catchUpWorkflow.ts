import type { INodeParameters } from 'n8n-workflow';

import type { Dialect } from '../../sandbox/dialects';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { chain, nodeOf, triggerNode } from './triggerNode';

/** A service that delivers each event once with a signature, and logs the event. */
export const LOGGING_DIALECT: Partial<Dialect> = {
	retrySchedule: 'once',
	signature: 'standard-webhooks',
	loggedEvent: 'payload',
};

/**
 * Parameters of a trigger that reads its log every ten seconds and waits for no resend. n8n refuses a poll
 * time with several seconds, but accepts several poll times.
 */
export const OFTEN: INodeParameters = {
	pollTimes: {
		item: [0, 10, 20, 30, 40, 50].map((second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		})),
	},
	minAgeMinutes: 0,
};

/** @returns creates a workflow that inserts a row for each event, with other event types and the same URL */
export function savingWorkflow(
	credential: { id: string; name?: string },
	tableId: string,
): (events: string[]) => WorkflowJson {
	const options = { signature: { settings: { scheme: 'standardWebhooks' } } };
	const trigger = triggerNode(credential.id, { ...OFTEN, options });
	const table = nodeOf('Calls', 'n8n-nodes-base.dataTable', {
		parameters: {
			operation: 'insert',
			dataTableId: { __rl: true, mode: 'id', value: tableId },
			columns: { mappingMode: 'defineBelow', value: { call_id: '={{ $json.data.call_id }}' } },
		},
	});
	return (events) => ({
		name: 'Catch up',
		nodes: [{ ...trigger, parameters: { ...trigger.parameters, events } }, table],
		connections: chain('Trigger', 'Calls'),
	});
}
