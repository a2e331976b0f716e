import { chooseFirst } from '../matcher/choose';
import { wordsOfText } from '../matcher/words';
import { beginning, messageIn } from '../api/messages';
import { fieldsOfTopic, hasAny, hasOnly, readSurest, type LogField } from './logFields';
import { FAILURES, NEGATIONS, PLAIN_FAILURES, SUCCESSES } from './vocabulary';

/** `200 OK`, `HTTP/1.1 503 Service Unavailable` */
const STATUS_LINE = /^(?:HTTP(?:\/\d(?:\.\d)?)? ?)?([1-5]\d\d)(?: [\w' -]{1,60})?$/i;

/** Reads the HTTP status of the response. */
export function readStatus(fields: LogField[]): number | null {
	return readSurest(fields, 'status', ({ value }) => {
		if (typeof value === 'number') return value >= 100 && value < 600 ? value : null;
		return Number(STATUS_LINE.exec(`${value as string}`.trim())?.[1]) || null;
	});
}

/**
 * Reads whether a delivery succeeded: the stated ends and the HTTP status must agree. Without any, an
 * error counts. The contract does not show when a delivery is deemed failed (section 6), so a redirect
 * states nothing.
 *
 * @returns null for a delivery under way or unknown
 */
export function readSucceeded(fields: LogField[], status: number | null): boolean | null {
	const ends = fields.map(statedEnd).filter((end) => end !== null);
	if (status !== null && status >= 200 && (status < 300 || status >= 400)) ends.push(status < 300);
	if (ends.length === 0 && readError(fields) !== null) return false;
	const [end = null, ...others] = new Set(ends);
	return others.length > 0 ? null : end;
}

/** Reads the end that a field states: a text such as `status: 'failed'`, or a boolean such as `succeeded`. */
function statedEnd({ topics, value }: LogField): boolean | null {
	if (!topics.has('outcome')) return null;
	if (typeof value === 'boolean') return value;
	const words = wordsOfText(value);
	if (hasAny(words, NEGATIONS)) return null;
	if (hasAny(words, FAILURES)) return false;
	return hasAny(words, SUCCESSES) ? true : null;
}

/** Reads why no response came, or why the response does not count, as the service states it. */
export function readError(fields: LogField[]): string | null {
	// A state may give the reason: `status: 'failed to connect'`
	const reasons = fields.filter(
		(field) => statedEnd(field) === false && !hasOnly(wordsOfText(field.value), PLAIN_FAILURES),
	);
	const candidates = reasons.map((field) => ({ ...field, confidence: 0 }));
	return chooseFirst([...fieldsOfTopic(fields, 'error'), ...candidates], ({ value }) => {
		return beginning(messageIn(value) ?? '') || null;
	});
}
