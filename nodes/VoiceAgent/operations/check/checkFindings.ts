import type { IDataObject } from 'n8n-workflow';

/** What can't be told, or what is wrong, and what to do about it, in words for the user. */
export interface Finding extends IDataObject {
	what: string;
	toDo: string;
}

/** What is wrong. */
export interface Problem extends Finding {
	/** ISO 8601 in UTC, as far back as the log goes; null where that can't be told. */
	since: string | null;
}

/** What the service told, and whether that is all there is; else why it could not be read. */
export type Told<T> = { value: T; complete: boolean } | { error: Error };

/** All that was found. */
export interface Summary extends IDataObject {
	/** False with a problem, and null with none but a doubt. */
	ok: boolean | null;
	/** All of the problems and doubts in one text, or that there are none. */
	summary: string;
	problems: Problem[];
	/** What can't be told. */
	doubts: Finding[];
}

/** Sums up what was found: what has a `since` is a problem, and the rest are doubts. */
export function sumUp(found: Array<Problem | Finding>): Summary {
	const problems = found.filter((one): one is Problem => 'since' in one);
	const doubts = found.filter((one) => !('since' in one));
	const texts = [
		...problems.map(({ what, since, toDo }) =>
			[what, since && `Since ${since}.`, toDo].filter(Boolean).join(' '),
		),
		...doubts.map(({ what, toDo }) => `${what} ${toDo}`),
	];
	return {
		ok: problems.length > 0 ? false : doubts.length > 0 ? null : true,
		summary: texts.join('\n') || 'The newest delivery arrived.',
		problems,
		doubts,
	};
}
