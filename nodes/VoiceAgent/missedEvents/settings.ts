import type { IPollFunctions } from 'n8n-workflow';

import { readSettings, type Settings } from '../delivery/settings';

/** The parameters of the Missed Events Trigger, with their defaults. */
export interface PollSettings extends Settings {
	minAgeMinutes: number;
	lookBackMs: number;
}

const HOUR_MS = 3_600_000;
const MIN_AGE_MINUTES = 15;

/** Reads the parameters. A number that can't be read, or is negative, counts as the default. */
export function readPollSettings(context: IPollFunctions): PollSettings {
	const readNumber = (name: string, fallback: number) => {
		const value = Number(context.getNodeParameter(`options.${name}`, fallback));
		return value >= 0 ? value : fallback;
	};
	return {
		...readSettings(context),
		minAgeMinutes: readNumber('minAgeMinutes', MIN_AGE_MINUTES),
		lookBackMs: readNumber('lookBackHours', 0) * HOUR_MS,
	};
}
