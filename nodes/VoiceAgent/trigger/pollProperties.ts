import type { INodeProperties } from 'n8n-workflow';

/** The default poll times: each minute, at a second that n8n draws. See `beginPoll` in poll/polls.ts. */
export const POLL_TIMES = { item: [{ mode: 'everyX', value: 1, unit: 'minutes' }] };

/** Parameters of the poll that the editor does not show. */
export const pollProperties: INodeProperties[] = [
	{ displayName: 'Poll Times', name: 'pollTimes', type: 'hidden', default: POLL_TIMES },
	{
		displayName: 'Minimum Age (Minutes)',
		name: 'minAgeMinutes',
		type: 'hidden',
		// After this time, the service is not expected to resend an event.
		default: 15,
	},
];

/** @returns whether the user lets missed events start the workflow; without it, polls repair the endpoint only */
export function isCatchUpOn(context: {
	getNodeParameter(name: string, byDefault: boolean): unknown;
}) {
	return context.getNodeParameter('options.catchUp', true) !== false;
}
