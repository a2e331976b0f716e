import { chooseFirst } from '../matcher/choose';
import { wordsOf } from '../matcher/words';
import { beginning, messageIn } from '../api/messages';
import { fieldsOfTopic, hasAny, hasOnly, readSurest, type LogField } from './fields';
import { FAILURES, NEGATIONS, PENDING, PLAIN_FAILURES, SUCCESSES } from './vocabulary';

/** Longer texts are neither states nor types. */
export const LONGEST_STATE = 200;
/** `200 OK`, `HTTP/1.1 503 Service Unavailable` */
const STATUS_LINE = /^(?:HTTP(?:\/\d(?:\.\d)?)? ?)?([1-5]\d\d)(?: [\w' -]{1,60})?$/i;

/** Reads the HTTP status of the response. */
export function readStatus(fields: LogField[]): number | null {
	return readSurest(fields, 'status', ({ value }) => {
		if (typeof value === 'number') return value >= 100 && value < 600 ? value : null;
		if (typeof value !== 'string' || value.length > LONGEST_STATE) return null;
		return Number(STATUS_LINE.exec(value.trim())?.[1]) || null;
	});
}

/** The end of a delivery that words state; null for none. `not delivered` → false */
function endOf(words: readonly string[]): boolean | 'pending' | null {
	const isNegated = hasAny(words, NEGATIONS);
	if (hasAny(words, FAILURES)) return isNegated ? null : false;
	if (hasAny(words, PENDING)) return 'pending';
	return hasAny(words, SUCCESSES) ? !isNegated : null;
}

/**
 * Reads whether a delivery succeeded: the stated ends and the HTTP status must agree. Without any, an
 * error counts. The contract does not show when a delivery is deemed failed (section 6), so a redirect
 * states nothing.
 *
 * @returns null for a delivery under way or unknown
 */
export function readSucceeded(fields: LogField[], status: number | null): boolean | null {
	const stated = fields.map(statedEnd).filter((end) => end !== null);
	const ends = stated.filter((end) => end !== 'pending');
	if (status !== null && status >= 200 && (status < 300 || status >= 400)) ends.push(status < 300);
	else if (stated.includes('pending')) return null;
	if (ends.length === 0 && readError(fields) !== null) return false;
	const [end = null, ...others] = new Set(ends);
	return others.length > 0 ? null : end;
}

/** Reads the end that a field states: a text such as `status: 'failed'`, or a boolean such as `succeeded`. */
function statedEnd({ topics, words, value }: LogField): boolean | 'pending' | null {
	if (typeof value === 'string') {
		return topics.has('state') && value.length <= LONGEST_STATE ? endOf(wordsOf(value)) : null;
	}
	if (typeof value === 'boolean' && topics.has('state') && !words.includes('response'))
		return value;
	// Some services write booleans as 1 and 0.
	if (topics.has('success') && [true, false, 1, 0].includes(value as never)) return Boolean(value);
	return topics.has('failure') && value === true ? false : null;
}

/** Reads why no response came, or why the response does not count, as the service states it. */
export function readError(fields: LogField[]): string | null {
	// A state may give the reason: `status: 'failed to connect'`
	const reasons = fields.filter(
		(field) => statedEnd(field) === false && !hasOnly(wordsOf(`${field.value}`), PLAIN_FAILURES),
	);
	const candidates = reasons.map((field) => ({ ...field, confidence: 0 }));
	return chooseFirst([...fieldsOfTopic(fields, 'error'), ...candidates], ({ value }) => {
		const text = beginning(messageIn(value) ?? '');
		return /^(none|null|0)?$/i.test(text) ? null : text;
	});
}
