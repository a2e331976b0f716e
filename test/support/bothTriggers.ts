import type { Dialect } from '../../sandbox/dialects';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { chain, nodeOf, triggerNode } from './triggerNode';

/** A service that delivers each event once with a signature, and logs the event. */
export const LOGGING_DIALECT: Partial<Dialect> = {
	retrySchedule: 'once',
	signature: 'standard-webhooks',
	loggedEvent: 'payload',
};

/** Every ten seconds. n8n refuses a poll time with several seconds, but accepts several poll times. */
export const POLL_TIMES = [0, 10, 20, 30, 40, 50].map((second) => ({
	mode: 'custom',
	cronExpression: `${second} * * * * *`,
}));

/**
 * A workflow with both triggers, which inserts a row into a data table for each item.
 *
 * @returns creates the workflow with other event types and the same webhook URL
 */
export function bothTriggers(
	credential: { id: string; name: string },
	tableId: string,
): (events: string[]) => WorkflowJson {
	const options = { signature: { settings: { scheme: 'standardWebhooks' } } };
	const trigger = triggerNode(credential.id, { options });
	const missed = nodeOf('Missed', 'n8n-nodes-voice-agent.voiceAgentMissedEventsTrigger', {
		parameters: {
			pollTimes: { item: POLL_TIMES },
			webhooks: 'thisN8n',
			events: ['call.completed'],
			options: { minAgeMinutes: 0 },
		},
		credentials: { voiceAgentApi: credential },
	});
	const table = nodeOf('Calls', 'n8n-nodes-base.dataTable', {
		parameters: {
			operation: 'insert',
			dataTableId: { __rl: true, mode: 'id', value: tableId },
			columns: { mappingMode: 'defineBelow', value: { call_id: '={{ $json.data.call_id }}' } },
		},
	});
	return (events) => ({
		name: 'Nothing missed',
		nodes: [{ ...trigger, parameters: { ...trigger.parameters, events } }, missed, table],
		connections: { ...chain('Trigger', 'Calls'), ...chain('Missed', 'Calls') },
	});
}
