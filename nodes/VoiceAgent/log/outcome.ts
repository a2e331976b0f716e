import { isObject } from '../text/json';
import { excerptOf, hasAny, hasOnly, wordsOf } from '../text/words';
import { reasonsIn } from '../service/errors';
import { readLoggedBody, readSurest, type LogField } from './logFields';
import { FAILURES, NEGATIONS, PLAIN_FAILURES, SUCCESSES } from './vocabulary';

/** `200 OK`, `HTTP/1.1 503 Service Unavailable` */
const STATUS_LINE = /^(?:HTTP(?:\/\d(?:\.\d)?)? ?)?([1-5]\d\d)(?: [\w' -]{1,60})?$/i;

/** Reads how a delivery, or one attempt of it, ended. */
export function readResult(fields: LogField[]) {
	const status = readStatus(fields);
	const succeeded = readSucceeded(fields, status);
	return {
		/** The HTTP status of the receiver's response. */
		status,
		/** Null for a delivery under way, and for a record that contradicts itself. */
		succeeded,
		/** The beginning of the receiver's response. */
		response: readResponse(fields),
		/**
		 * Why no response came, or why the response does not count, as the service states it; null for a
		 * success, whose error is an earlier attempt's.
		 */
		error: succeeded === true ? null : readError(fields),
	};
}

/** Reads the HTTP status of the response. */
function readStatus(fields: LogField[]): number | null {
	const read = ({ value }: LogField) => Number(STATUS_LINE.exec(String(value).trim())?.[1]) || null;
	return readSurest(fields, 'status', read);
}

/**
 * Reads whether a delivery succeeded: the stated ends and the HTTP status must agree. Without any, an
 * error counts. The contract does not show when a delivery is deemed failed, so a redirect
 * states nothing.
 *
 * @returns null for a delivery under way or unknown
 */
function readSucceeded(fields: LogField[], status: number | null): boolean | null {
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
	const words = wordsOf(value);
	if (hasAny(words, NEGATIONS)) return null;
	if (hasAny(words, FAILURES)) return false;
	return hasAny(words, SUCCESSES) ? true : null;
}

/** Whether a field states a result in any words: `status: 'pending'`, but not a status `0` */
export function statesResult({ topics, value }: LogField): boolean {
	if (!topics.has('outcome') && !topics.has('error')) return false;
	return (
		typeof value === 'boolean' || (typeof value === 'string' && value !== '') || isObject(value)
	);
}

/** Reads why no response came, or why the response does not count, as the service states it. */
function readError(fields: LogField[]): string | null {
	const read = ({ value }: LogField) => excerptOf(reasonsIn(value).join(' – ')) || null;
	// A state may give the reason: `status: 'failed to connect'`
	const reasons = fields.filter(
		(field) => statedEnd(field) === false && !hasOnly(wordsOf(field.value), PLAIN_FAILURES),
	);
	return readSurest(fields, 'error', read) ?? reasons.map(read).find(Boolean) ?? null;
}

function readResponse(fields: LogField[]): string | null {
	return readSurest(fields, 'response', (field) => {
		if (typeof field.value === 'string') return excerptOf(field.value) || null;
		const body = readLoggedBody(field);
		return body && excerptOf(JSON.stringify(body));
	});
}
