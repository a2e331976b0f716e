import { readInstant } from '../callDetails/instants';
import { choose, chooseFirst } from '../matcher/choose';
import { isObject } from '../matcher/fields';
import { fieldsOfTopic } from '../matcher/topics';
import { wordsOf } from '../matcher/words';
import { beginning } from '../api/messages';
import { hasAny, hasOnly, readLogWords, type LogField } from './fields';
import { ERROR_TEXTS, FAILURES, NEGATIONS, PENDING, PLAIN_FAILURES, SUCCESSES } from './vocabulary';

/** Longer texts are neither states nor types. */
export const LONGEST_STATE = 200;
/** Characters of an error that are read. */
const LONGEST_ERROR = 2_000;

/** "200 OK", "HTTP/1.1 503 Service Unavailable". */
const STATUS_LINE = /^(?:HTTP(?:\/\d(?:\.\d)?)? ?)?([1-5]\d\d)(?: [\w' -]{1,60})?$/i;
/** Of a response that may also be a body: "200", "HTTP 503". */
const BARE_STATUS = /^(?:HTTP(?:\/\d(?:\.\d)?)? ([1-5]\d\d)(?: [\w' -]{1,60})?|([1-5]\d\d))$/i;
/** Of an error: "Invalid HTTP Response: 503", "Request failed with status code 500". */
const STATUS_IN_ERROR = /\b(?:http|status|status code|response|http error):? ([1-5]\d\d)\b/i;

/** Reads the HTTP status of the response, from its own field or else from an error. */
export function readStatus(fields: LogField[]): number | null {
	const codeIn = (value: unknown, pattern: RegExp) => {
		if (typeof value === 'number') return value >= 100 && value < 600 ? value : null;
		if (typeof value !== 'string' || value.length > LONGEST_STATE) return null;
		const [, ...codes] = pattern.exec(value.trim()) ?? [];
		return Number(codes.find(Boolean)) || null;
	};
	return (
		chooseFirst(fieldsOfTopic(fields, 'status'), ({ words, value }) =>
			codeIn(value, words.join() === 'response' ? BARE_STATUS : STATUS_LINE),
		) ??
		chooseFirst(fieldsOfTopic(fields, 'error'), ({ value }) =>
			typeof value === 'string'
				? (codeIn(value, STATUS_LINE) ?? codeIn(value, STATUS_IN_ERROR))
				: null,
		)
	);
}

/** The end of a delivery that words state; null for none. `not delivered` → false */
function endOf(words: string[]): boolean | 'pending' | null {
	const isNegated = hasAny(words, NEGATIONS);
	if (hasAny(words, FAILURES)) return isNegated ? null : false;
	if (hasAny(words, PENDING)) return 'pending';
	return hasAny(words, SUCCESSES) ? !isNegated : null;
}

/**
 * Reads whether a delivery succeeded: the stated ends and the HTTP status must agree. Without any, a
 * time such as `failed_at` or an error counts. The contract does not show when a delivery is deemed
 * failed (section 6), so a redirect states nothing.
 *
 * @returns null for a delivery under way or unknown
 */
export function readSucceeded(fields: LogField[], status: number | null): boolean | null {
	const stated = fields.map(statedEnd).filter((end) => end !== null);
	const ends = stated.filter((end) => end !== 'pending');
	if (status !== null && status >= 200 && (status < 300 || status >= 400)) ends.push(status < 300);
	else if (stated.includes('pending')) return null;
	if (ends.length === 0) ends.push(...fields.flatMap((field) => endByTime(field) ?? []));
	if (ends.length === 0 && readError(fields) !== null) return false;
	const candidates = ends.map((value) => ({ path: '', value, confidence: 0 }));
	return choose(candidates, ({ value }) => value).value;
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

/** Reads the end that a time implies: `failed_at` → false. `delivered_at` may be any attempt's time. */
function endByTime({ topics, words, value }: LogField): boolean | null {
	const isTime = words.at(-1) === 'at' && readInstant(value, true) !== null;
	if (!isTime || words.includes('delivered')) return null;
	return topics.has('failure') ? false : topics.has('success') || null;
}

/** Reads why no response came, or none that counts, in the words of the service. */
export function readError(fields: LogField[]): string | null {
	const states = fields.filter(
		(field) =>
			typeof field.value === 'string' &&
			statedEnd(field) === false &&
			!hasOnly(wordsOf(field.value), PLAIN_FAILURES),
	);
	// Such as `status: 'failed to connect'`.
	const reasons = states.map((field) => ({ ...field, confidence: 0 }));
	return chooseFirst([...fieldsOfTopic(fields, 'error'), ...reasons], ({ value }) =>
		errorTextIn(value),
	);
}

function errorTextIn(value: unknown): string | null {
	const [first] = Array.isArray(value) ? (value as unknown[]) : [value];
	const texts = isObject(first) ? Object.entries(first) : [['message', first] as const];
	const stated = texts.find(
		([name, text]) => typeof text === 'string' && hasOnly(readLogWords(name), ERROR_TEXTS),
	);
	const text = beginning(String(stated?.[1] ?? '').slice(0, LONGEST_ERROR));
	return /^(none|null|0)?$/i.test(text) ? null : text;
}
