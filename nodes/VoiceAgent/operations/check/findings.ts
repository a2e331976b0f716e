import type { IDataObject } from 'n8n-workflow';

import type { ReadList } from '../../lists/requestList';
import { clockOf } from '../../text/times';

/**
 * A result of the check, for the user to read. With `since` it is a problem: certain, and it keeps events from
 * arriving as they should. Without, it is a doubt.
 */
export interface Finding extends IDataObject {
	what: string;
	toDo: string;
	/** ISO 8601 in UTC, as far back as the log goes; null if unknown. */
	since?: string | null;
}

/** @returns a problem as the only finding, by default with an unknown beginning */
export function oneProblem(what: string, toDo: string, since: string | null = null): Finding[] {
	return [{ what, toDo, since }];
}

/**
 * Splits findings into problems and doubts, and writes all of them into one text.
 *
 * @param timezone of the times in the text
 * @returns `ok` is false with a problem, null with a doubt and no problem
 */
export function summarize(findings: Finding[], timezone: string) {
	const problems = findings.filter((one) => 'since' in one);
	const doubts = findings.filter((one) => !('since' in one));
	const texts = [...problems, ...doubts].map(({ what, since, toDo }) =>
		[what, since && `Since ${clockOf(timezone)(since)}.`, toDo].filter(Boolean).join(' '),
	);
	const withoutProblem = doubts.length > 0 ? null : true;
	return {
		ok: problems.length > 0 ? false : withoutProblem,
		summary: texts.join('\n') || 'The newest delivery arrived.',
		problems,
		doubts,
	};
}

/** @returns a doubt for a list that could not be read, or not completely; else nothing */
export function doubtsOf(list: ReadList<unknown>, name: string): Finding[] {
	if (list.error) {
		const what = `The ${name} could not be read: ${list.error.message}`;
		return [{ what, toDo: 'Then check again.' }];
	}
	if (list.complete) return [];
	const what = `The ${name} could not be read completely.`;
	return [{ what, toDo: 'Look at the rest in the dashboard of the service.' }];
}
