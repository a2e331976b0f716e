import { readInstant } from '../callDetails/instants';
import { isObject } from '../matcher/fields';
import { beginning } from '../api/messages';
import {
	areAll,
	DELIVERY,
	ERROR,
	findBest,
	hasAny,
	isOfAnother,
	LONGEST_TEXT,
	readWords,
	RESPONSE,
	setOf,
	type Field,
} from './fields';

const STATUS = setOf('http status code returned return server webhook endpoint destination result');
/** "200 OK", "HTTP/1.1 503 Service Unavailable". */
const STATUS_LINE = /^(?:HTTP(?:\/\d(?:\.\d)?)? ?)?([1-5]\d\d)(?: [\w' -]{1,60})?$/i;
/** Of an answer that may as well be a body: "200", "HTTP 503". */
const BARE_STATUS = /^(?:HTTP(?:\/\d(?:\.\d)?)? ([1-5]\d\d)(?: [\w' -]{1,60})?|([1-5]\d\d))$/i;
/** In words: "Invalid HTTP Response: 503", "Request failed with status code 500". */
const SAID_STATUS = /\b(?:http|status|status code|response|http error):? ([1-5]\d\d)\b/i;

/** Reads the HTTP status of the receiver's answer. */
export function readStatus(fields: Field[]): number | undefined {
	return findBest(
		fields,
		({ words, value }) => {
			if (typeof value === 'number') {
				return Number.isInteger(value) && value >= 100 && value < 600 ? value : undefined;
			}
			if (typeof value !== 'string' || value.length > LONGEST_TEXT) return undefined;
			const text = value.trim();
			const [, ...codes] = areAll(words, RESPONSE)
				? (BARE_STATUS.exec(text) ?? [])
				: (STATUS_LINE.exec(text) ?? SAID_STATUS.exec(text) ?? []);
			const code = codes.find(Boolean);
			return code === undefined ? undefined : Number(code);
		},
		({ words, within, value }) => {
			if (isOfAnother(within)) return undefined;
			if (hasAny(words, ERROR) || hasAny(within, ERROR)) {
				return typeof value === 'string' ? 0 : undefined;
			}
			if (!areAll(words, STATUS, RESPONSE, DELIVERY)) return undefined;
			if (areAll(words, RESPONSE)) return 2;
			if (!hasAny(words, setOf('http status code'))) return undefined;
			if (hasAny([...within, ...words], RESPONSE) || words.includes('http')) return 4;
			return words.includes('code') ? (words.includes('status') ? 3 : 1) : 2;
		},
	);
}

const STATE = setOf('status state result outcome disposition');
const BESIDE_STATE = setOf('text label is was has been the name overall processing');
const SUCCESS = setOf('success succeeded succeed successful ok delivered accepted acknowledged');
const FAILURE = setOf(
	'fail failed failing failure error errored exception timeout timed exhausted rejected refused undelivered undeliverable unsuccessful unreachable invalid dead dropped discarded skipped cancelled canceled expired aborted blocked broken',
);
const PENDING = setOf(
	'pending queued scheduled rescheduled retry retrying retried sending waiting hold held delayed paused new progress processing started running',
);
const NEGATION = setOf('not no non never without un');

/** What a name or a text says of a delivery; undefined where it says nothing of its end. */
function verdictOf(words: string[]): boolean | 'pending' | undefined {
	const isNegated = hasAny(words, NEGATION);
	if (hasAny(words, FAILURE)) return isNegated ? undefined : false;
	if (hasAny(words, PENDING)) return 'pending';
	return hasAny(words, SUCCESS) ? !isNegated : undefined;
}

/**
 * Reads whether a delivery succeeded: what is said of it, and the HTTP status, which must agree. The
 * contract does not show when one is deemed failed (section 6), so a redirect tells nothing.
 *
 * @returns undefined where it is under way, or can't be told
 */
export function readSucceeded(fields: Field[], status: number | null): boolean | undefined {
	const ofDelivery = fields.filter(
		({ within }) => !isOfAnother(within) && !hasAny(within, RESPONSE) && !hasAny(within, ERROR),
	);
	const said = ofDelivery.map(stateIn).filter((verdict) => verdict !== undefined);
	const ends = said.filter((verdict) => verdict !== 'pending');
	if (status !== null && status >= 200 && (status < 300 || status >= 400)) ends.push(status < 300);
	else if (said.includes('pending')) return undefined;
	const [end, ...others] =
		ends.length > 0 ? ends : fields.map(hintIn).filter((hint) => hint !== undefined);
	return others.every((other) => other === end) ? end : undefined;
}

/** What a field says of the delivery's state: a text, or a boolean such as `succeeded`. */
function stateIn({ words, value }: Field): boolean | 'pending' | undefined {
	const rest = words.filter((word) => !BESIDE_STATE.has(word) && !DELIVERY.has(word));
	const isState = rest.length > 0 && areAll(rest, STATE);
	if (typeof value === 'string') {
		// `response_status: "timeout"`
		const isText = hasAny(rest, STATE) && areAll(rest, STATE, RESPONSE);
		return isText && value.length <= LONGEST_TEXT ? verdictOf(readWords(value)) : undefined;
	}
	if (isState && typeof value === 'boolean') return value;
	// Some write booleans as 1 and 0.
	const isTrue = value === 1 || value === true;
	if (!isTrue && value !== 0 && value !== false) return undefined;
	// Such as `delivered`, of which the words of the delivery are a part.
	const telling = words.filter((word) => !BESIDE_STATE.has(word));
	if (telling.length > 0 && areAll(telling, SUCCESS, DELIVERY) && hasAny(telling, SUCCESS)) {
		return isTrue;
	}
	return rest.length === 1 && areAll(rest, FAILURE) && value === true ? false : undefined;
}

const BESIDE_ERROR = setOf('message reason code text detail description type');
const MESSAGE = setOf('error message detail reason description title text');
/** Words of a state that do not say why a delivery failed. */
const PLAIN_FAILURE = setOf(
	'fail failed failing failure error errored unsuccessful undelivered exhausted dead permanently final',
);

/** Reads why there was no answer, or none that counts, in the words of the service. */
export function readError(fields: Field[]): string | undefined {
	return findBest(fields, readErrorText, (field) => {
		const { words, within } = field;
		if (isOfAnother(within) || hasAny(within, RESPONSE) || words.includes('type')) return undefined;
		if (hasAny(words, ERROR) && areAll(words, ERROR, BESIDE_ERROR, DELIVERY)) {
			return words.includes('code') ? 1 : 2;
		}
		// Such as `status: "failed to connect"`.
		const isReason =
			stateIn(field) === false &&
			typeof field.value === 'string' &&
			!areAll(readWords(field.value), PLAIN_FAILURE, DELIVERY);
		return isReason ? 0 : undefined;
	});
}

function readErrorText({ value }: Field): string | undefined {
	const [first] = Array.isArray(value) ? (value as unknown[]) : [value];
	const texts = isObject(first) ? Object.entries(first) : [['message', first] as const];
	const said = texts.find(
		([name, text]) => typeof text === 'string' && areAll(readWords(name), MESSAGE),
	);
	const text = beginning(String(said?.[1] ?? ''));
	return /^(none|null|0)?$/i.test(text) ? undefined : text;
}

/** What a field lets one think of the delivery's end where nothing says it: an error, or a time. */
function hintIn({ words, within, value }: Field): boolean | undefined {
	if (isOfAnother(within) || hasAny(within, RESPONSE)) return undefined;
	if (readInstant(value, true) !== null) {
		const happened = words.filter((word) => !DELIVERY.has(word));
		if (words.at(-1) === 'at' && happened.length === 2 && happened[0] !== 'delivered') {
			const verdict = verdictOf(happened);
			return verdict === 'pending' ? undefined : verdict;
		}
		return undefined;
	}
	const isError = hasAny(words, ERROR) && areAll(words, ERROR, BESIDE_ERROR);
	if (!isError || !value || words.includes('type')) return undefined;
	const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
	return isEmpty || /^(none|null|0)$/i.test(String(value)) ? undefined : false;
}
