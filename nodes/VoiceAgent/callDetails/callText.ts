/** Writes a call for people: a title, and a text with a line for each value that is known. */
import { separated } from '../text/words';
import { clockOf } from './clock';
import { NAMELESS, type CallDetails } from './details';
import { textOf } from './row';

const NOTHING_KNOWN = 'Call without known details';

/**
 * Writes the title and the text of a call. `Call with Ada Lovelace, 3 min: appointment booked`
 * Those of a test say so.
 *
 * @param timezone of the times in the text: `Europe/Berlin`; UTC by default
 */
export function describeCall(call: CallDetails, timezone?: string) {
	const lines = valuesOf(call, timezone).flatMap(lineOf);
	const isKnown = lines.length > 0 || call.transcript !== null;
	const said = isKnown ? titleOf(call) : NOTHING_KNOWN;
	const title = call.test ? `Test: ${said}` : said;
	const marks = call.test ? lineOf(['Test', true]) : [];
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
	const { customer, agent, startedAt, endedAt } = call;
	const timeOf = clockOf(timezone);
	return [
		['Customer', customer.name ?? NAMELESS[call.person]],
		['Phone', customer.phone],
		['Email', customer.email],
		['Direction', call.direction],
		['Agent', agent.name ?? agent.phone ?? agent.id],
		['Started', startedAt && timeOf(startedAt)],
		['Ended', endedAt && timeOf(endedAt)],
		['Duration', durationOf(call)],
		['Outcome', plainWords(call.outcome ?? '')],
		...Object.entries(call.collected ?? {}),
		['Summary', call.summary],
		['Recording', call.recordingUrl],
		['Call ID', call.id],
	];
}

/** `new_patient`, `true` → `New patient: yes`; no line for a value that is unknown */
function lineOf([label, value]: [string, unknown]): string[] {
	if (value === null || value === undefined || value === '') return [];
	if (typeof value === 'boolean') return lineOf([label, value ? 'yes' : 'no']);
	const shown = typeof value === 'object' ? textOf(value) : `${value as string | number}`;
	return [`${lineLabel(label)}: ${shown}`];
}

/** `new_slot`, `newSlot` → `New slot` */
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
