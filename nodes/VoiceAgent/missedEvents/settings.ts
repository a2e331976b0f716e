import type { IPollFunctions } from 'n8n-workflow';

import { readSettings, type Settings } from '../delivery/settings';

/** The parameters of the Missed Events Trigger, with their defaults. */
export interface PollSettings extends Settings {
	minAgeMs: number;
	lookBackMs: number;
}

const MINUTE_MS = 60_000;
/** The default of the option Minimum Age. */
export const MIN_AGE_MINUTES = 15;

/** Reads the parameters. A number that can't be read, or is negative, counts as the default. */
export function readPollSettings(context: IPollFunctions): PollSettings {
	const readNumber = (name: string, fallback: number) => {
		const value = Number(context.getNodeParameter(`options.${name}`, fallback));
		return value >= 0 ? value : fallback;
	};
	return {
		...readSettings(context),
		minAgeMs: readNumber('minAgeMinutes', MIN_AGE_MINUTES) * MINUTE_MS,
		lookBackMs: readNumber('lookBackHours', 0) * 60 * MINUTE_MS,
	};
}
