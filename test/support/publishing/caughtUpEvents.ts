import type { INodeParameters } from 'n8n-workflow';

import type { Dialect } from '../../../sandbox/dialects';

/** A service that delivers each event once with a signature, and logs the event. */
export const LOGGING_DIALECT: Partial<Dialect> = {
	retrySchedule: 'once',
	signature: 'standard-webhooks',
	loggedEvent: 'payload',
};

/**
 * Makes parameters of a trigger that reads its log again and again, and catches up on an event three seconds
 * after its last attempt. n8n refuses a poll time with several seconds, but accepts several poll times.
 *
 * @param seconds between two polls, a divisor of 60
 */
export function readEvery(seconds: number, minAgeMinutes = 0.05): INodeParameters {
	const item = Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	}));
	return { pollTimes: { item }, minAgeMinutes };
}

/** A trigger reads its log every ten seconds. */
export const OFTEN = readEvery(10);
