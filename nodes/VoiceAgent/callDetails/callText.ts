/** Writes a call for people: a title, and a text of the summary and a line for each other value that is known. */
import { separated } from '../text/words';
import { clockOf } from './clock';
import { NAMELESS, type CallDetails } from './details';

/** Longer subjects are refused by some targets. */
const LONGEST_TITLE = 200;
const NOTHING_KNOWN = 'Call without known details';

/**
 * Writes the title and the text of a call. `Call with Ada Lovelace, 3 min: appointment booked`
 * Those of a test say so.
 *
 * @param timezone of the times in the text: `Europe/Berlin`; UTC by default
 */
export function describeCall(call: CallDetails, timezone?: string) {
	const summary = call.summary === null ? [] : [indented(call.summary)];
	const lines = [...summary, ...linesOf(valuesOf(call, timezone))];
	const isKnown = lines.length > 0 || call.transcript !== null;
	const said = isKnown ? titleOf(call) : NOTHING_KNOWN;
	const title = (call.test ? `Test: ${said}` : said).slice(0, LONGEST_TITLE);
	const marks = call.test ? linesOf([['Test', true]]) : [];
	return { title, text: [...marks, ...lines].join('\n') || title };
}

function titleOf(call: CallDetails): string {
	const { name, phone, email } = call.customer;
	const who = name ?? phone ?? email ?? NAMELESS[call.person];
	const parts = [who ? `Call with ${who}` : 'Call', durationOf(call)].filter(Boolean);
	const outcome = plainWords(call.outcome ?? '');
	return parts.join(', ') + (outcome && `: ${outcome}`);
}

/** The values of the text with their labels. */
function valuesOf(call: CallDetails, timezone?: string): Array<[string, unknown]> {
	const { customer, agent, startedAt, endedAt, direction } = call;
	const timeOf = clockOf(timezone);
	const time = startedAt ? timeOf(startedAt) : endedAt && `until ${timeOf(endedAt)}`;
	return [
		['Customer', customer.name ?? NAMELESS[call.person]],
		['Phone', customer.phone],
		['Email', customer.email],
		['Call', [time, durationOf(call), direction].filter(Boolean).join(', ')],
		['Agent', agent.name ?? agent.phone],
		['Outcome', plainWords(call.outcome ?? '')],
		...Object.entries(call.collected ?? {}),
		['Recording', call.recordingUrl],
		['Agent ID', agent.id],
		['Call ID', call.id],
	];
}

/** Writes a line for each value that is known. `new_patient`, `true` → `New patient: yes` */
export function linesOf(values: Array<[string, unknown]>): string[] {
	return values.flatMap(([label, value]): string[] => {
		if (value === null || value === undefined || value === '') return [];
		if (typeof value === 'boolean') return linesOf([[label, value ? 'yes' : 'no']]);
		const shown = typeof value === 'object' ? textOf(value) : `${value as string | number}`;
		return [`${lineLabel(label)}: ${indented(shown)}`];
	});
}

/** Indents further lines, so that a value can't pass for another line. */
function indented(text: string): string {
	return text.replace(/\r\n?|\n/g, '\n  ');
}

/** `['a', 'b']` → `a, b`; a list with objects → its JSON text */
export function textOf(value: object): string {
	const isPlain = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
	return isPlain ? value.join(', ') : JSON.stringify(value);
}

/** `new_slot`, `newSlot` → `New slot`, `New Slot` */
function lineLabel(name: string): string {
	const words = plainWords(separated(name));
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `appointment_booked` → `appointment booked` */
function plainWords(text: string): string {
	return text.replace(/[\s_-]+/g, ' ').trim();
}

/** `45` → `45 s`; `187` → `3 min`; `3900` → `1 h 5 min` */
function durationOf({ durationSeconds: seconds }: CallDetails): string {
	if (seconds === null) return '';
	const minutes = Math.round(seconds / 60);
	if (seconds < 60) return `${Math.round(seconds)} s`;
	return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
