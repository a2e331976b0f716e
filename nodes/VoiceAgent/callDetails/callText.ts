/** Writes a call for people: a title, and a text with a line for each value that is known. */
import { memoize } from '../matcher/words';
import type { CallDetails } from './details';

const NOTHING_KNOWN = 'Call without known details';
/** Customers without a name, by `person`. */
const NAMELESS = {
	found: null,
	withheld: 'a hidden number',
	web: 'a website visitor',
	unknown: null,
};

/**
 * Writes the title and the text of a call. `Call with Ada Lovelace, 3 min: appointment booked`
 *
 * @param timezone of the times in the text: `Europe/Berlin`; UTC by default
 */
export function describeCall(
	call: CallDetails,
	timezone = 'UTC',
): Pick<CallDetails, 'title' | 'text'> {
	const { customer, person, durationSeconds, outcome, transcript } = call;
	const who = customer.name ?? customer.phone ?? customer.email ?? NAMELESS[person];
	const lines = linesOfText(call, clockOf(timezone)).flatMap(([label, value]) => {
		const shown = valueOf(value);
		return shown === '' ? [] : `${lineLabel(label)}: ${shown}`;
	});
	if (lines.length === 0 && transcript === null)
		return { title: NOTHING_KNOWN, text: NOTHING_KNOWN };
	const duration = durationSeconds === null ? '' : `, ${durationOf(durationSeconds)}`;
	const ending = outcome === null ? '' : `: ${plainWords(outcome)}`;
	const title = `Call${who === null ? '' : ` with ${who}`}${duration}${ending}`;
	return { title, text: lines.join('\n') || title };
}

/** The lines of the text: a label, and a value that may be unknown. */
function linesOfText(
	call: CallDetails,
	timeOf: (instant: string) => string,
): Array<[string, unknown]> {
	const { customer, agent, startedAt, endedAt, durationSeconds, outcome } = call;
	return [
		['Customer', customer.name ?? NAMELESS[call.person]],
		['Phone', customer.phone],
		['Email', customer.email],
		['Direction', call.direction],
		['Agent', agent.name ?? agent.phone ?? agent.id],
		['Started', startedAt && timeOf(startedAt)],
		['Ended', endedAt && timeOf(endedAt)],
		['Duration', durationSeconds === null ? null : durationOf(durationSeconds)],
		['Outcome', outcome && plainWords(outcome)],
		...Object.entries(call.collected ?? {}),
		['Summary', call.summary],
		['Recording', call.recordingUrl],
		['Call ID', call.id],
	];
}

/** `null` → empty; `true` → `yes`; `['a', 'b']` → `a, b` */
function valueOf(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (Array.isArray(value)) return value.map(valueOf).filter(Boolean).join(', ');
	return typeof value === 'object' ? JSON.stringify(value) : `${value as string | number}`.trim();
}

/** `new_slot`, `newSlot` → `New slot` */
function lineLabel(name: string): string {
	const words = plainWords(name.replace(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' '));
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `appointment_booked` → `appointment booked` */
function plainWords(text: string): string {
	return text.replace(/[\s_-]+/g, ' ').trim();
}

/** `45` → `45 s`; `187` → `3 min`; `3900` → `1 h 5 min` */
function durationOf(seconds: number): string {
	if (seconds < 60) return `${Math.round(seconds)} s`;
	const minutes = Math.round(seconds / 60);
	return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Makes the writer of times of a time zone. `2026-01-31T09:01:00.000Z` → `31 Jan 2026, 10:01 (Europe/Berlin)` */
const clockOf = memoize((timezone): ((instant: string) => string) => {
	const format = (timeZone: string) =>
		new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
	try {
		const clock = format(timezone);
		return (instant) => `${clock.format(new Date(instant))} (${timezone})`;
	} catch {
		// A zone that this Node.js does not know.
		const clock = format('UTC');
		return (instant) => `${clock.format(new Date(instant))} (UTC)`;
	}
});
