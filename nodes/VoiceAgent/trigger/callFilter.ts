/** The option Only Calls That Match, which decides whether a call starts the workflow. */
import { DETAILS, NAMELESS, type CallDetails } from '../callDetails/details';
import { isSameNumber } from '../callDetails/sameNumber';
import { plainOf } from '../text/words';

/** The user's conditions for calls. An empty list, 0 and false stand for no condition. */
type CallFilter = NonNullable<ReturnType<typeof readFilter>>;

/** A condition that a call does not meet. */
export type Unmet = NonNullable<ReturnType<typeof findUnmet>>;

/** Reads the option as n8n stores it; fields at their defaults may be missing. */
export function readFilter(option: unknown) {
	const { filter } = (option ?? {}) as { filter?: Record<string, unknown> };
	if (!filter) return undefined;
	return {
		directions: readList(filter.direction).filter((direction) => direction !== 'any'),
		hasPerson: filter.hasPerson === true,
		minDurationSeconds: Number(filter.minDurationSeconds) || 0,
		outcomes: readList(filter.outcomes),
		/** IDs, names or phone numbers. */
		agents: readList(filter.agents),
	};
}

const readAgentNumber = DETAILS['agent.phone'].read;

/**
 * Reads the entries of a field in the spelling that is compared, each as often as it stands there:
 * `Smith, John, Smith, Anna` has four. What has no letters is compared as it is, and a phone number by its digits.
 */
function readList(value: unknown): string[] {
	return String(value ?? '')
		.split(',')
		.map((entry) => `${readAgentNumber(entry) ?? (plainOf(entry) || entry.trim())}`)
		.filter(Boolean);
}

/**
 * Finds the condition that a call does not meet. A detail that is null meets every condition, so that
 * an event that does not state it starts the workflow. Of an agent, what is stated of ID, name and number is
 * compared.
 *
 * `{ directions: ['inbound'] }` and an outbound call → Direction, `its direction is outbound`
 *
 * @param disposition the stated outcome; null if the call's outcome is only how the call ended
 * @returns undefined if the workflow starts
 */
export function findUnmet(filter: CallFilter, call: CallDetails, disposition: string | null) {
	const unmet = (condition: string, reason: string) => ({
		/** Its label in the editor. */
		condition,
		/** What the call has instead, which may be personal: `its agent is Reception`. */
		reason,
	});
	const { direction, durationSeconds, agent, person } = call;
	if (!isAmong([direction], filter.directions)) {
		return unmet('Direction', `its direction is ${direction}`);
	}
	const nameless = NAMELESS[person];
	if (filter.hasPerson && nameless) return unmet('Has Customer', `it is with ${nameless}`);
	if (durationSeconds !== null && durationSeconds < filter.minDurationSeconds) {
		return unmet('Minimum Seconds', `its duration is ${durationSeconds} seconds`);
	}
	if (!isAmong([disposition], filter.outcomes)) {
		return unmet('Outcomes', `its outcome is ${disposition}`);
	}
	const { id, name, phone } = agent;
	const numbers = filter.agents.filter((entry) => readAgentNumber(entry) !== null);
	// A number that the event lacks may be any of the list. A list of names says nothing of numbers.
	const mayHaveNumber = numbers.some((entry) => phone === null || isSameNumber(entry, phone));
	const stated = [id, name, numbers.length > 0 ? phone : null];
	const isOfAgent = mayHaveNumber || isAmong(stated, filter.agents);
	return isOfAgent ? undefined : unmet('Agents', `its agent is ${name ?? id ?? phone}`);
}

/**
 * Compares whole texts. No stated text, or an empty list, is a match. Neighbours in the list are also one
 * entry with commas: `Smith`, `John` and the agent `Smith, John` → true
 */
function isAmong(texts: Array<string | null>, list: string[]): boolean {
	const stated = texts.filter((text) => text !== null);
	if (stated.length === 0 || list.length === 0) return true;
	return stated.some((text) => `,${list.join()},`.includes(`,${readList(text).join()},`));
}
