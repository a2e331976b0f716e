import { createHash } from 'crypto';
import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

/** The default poll times: each minute, at a second that n8n draws. See {@link beginPoll}. */
const POLL_TIMES = { item: [{ mode: 'everyX', value: 1, unit: 'minutes' }] };

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

/** What this process remembers of the polls of an endpoint. */
export interface Polls {
	endpointId: string;
	isRunning: boolean;
	/** The quarter of an hour of the last reading; undefined if the next poll reads the log. */
	quarter?: number;
	/** When the log was last read to its end (ms since the epoch). */
	lastRead?: number;
	/** The failed readings since the last success. */
	failures: number;
}

const QUARTER_MS = 15 * 60_000;

/** The polls of this process, by workflow and node. */
const byNode = new Map<string, Polls>();

/**
 * Decides whether a poll reads the log. n8n polls each minute; the log is read once in each quarter of an
 * hour, at a time that differs between triggers. With poll times of its own, a trigger reads it in each poll.
 * The first poll of an endpoint reads nothing, because n8n waits for it during a publish and at a start.
 *
 * @returns undefined if the log is not read now
 */
export function beginPoll(context: IPollFunctions, endpointId: string): Polls | undefined {
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	const polls = byNode.get(name);
	if (polls?.endpointId !== endpointId) {
		byNode.set(name, { endpointId, isRunning: false, failures: 0 });
		return undefined;
	}
	const quarter = Math.floor((Date.now() - delayOf(name)) / QUARTER_MS);
	const times = context.getNodeParameter('pollTimes');
	const isDue = quarter !== polls.quarter || JSON.stringify(times) !== JSON.stringify(POLL_TIMES);
	// n8n's schedule does not wait for a poll that still runs.
	if (polls.isRunning || !isDue) return undefined;
	return Object.assign(polls, { quarter, isRunning: true });
}

/** @returns the time from the beginning of a quarter until this trigger reads its log (ms) */
function delayOf(name: string): number {
	return createHash('sha256').update(name).digest().readUInt32BE() % QUARTER_MS;
}
