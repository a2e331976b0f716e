import {
	HOLDERS,
	NAME_WORDS,
	PARTIES,
	partOf,
	PHONE_WORDS,
	SIDE_WORDS,
	sideOf,
	type Part,
	type Side,
} from './sides';
import { RULES, TELLING, topicsOf, unitOf, type Topic } from './topics';
import { setOf, wordsOf } from './words';

/*
 * What the name of a field says, read from its words: services spell the same thing in many ways,
 * and the next one spells it in yet another, but they draw on one small vocabulary.
 */

/** What a name says. */
export interface Name {
	words: readonly string[];
	side?: Side;
	/** The end of the call's way that it speaks of, whoever else's it is: `calleeExtension`. */
	end?: 'origin' | 'target';
	/** Whose an object of this name is: `customer` or `agentInfo`, but not `agentVariables`. */
	holder?: Side;
	part?: Part;
	/** How well the name fits each topic; a topic that it does not fit is missing. */
	topics: Partial<Record<Topic, number>>;
	/** Of a duration: seconds in its unit. */
	unit?: number;
	/** Says something that is read. */
	isTelling: boolean;
	/** Says what its record is. */
	isRole: boolean;
	/** Names a thing beside the call, such as its cost, whose fields tell nothing of the call. */
	isThing: boolean;
	/** Names values that users of the service define. */
	isCustom: boolean;
	/** Names one of those who take part, without saying which. */
	isParty: boolean;
	/** A word that may be the service's own name, as in `acme_number`. */
	brand?: string;
}

const THINGS = setOf(
	'recording voicemail transcript transcription cost billing price pricing latency stat stats statistic quality tool action function model voice team tag note comment campaign queue webhook monitor setting config configuration plan analysis evaluation step leg segment chunk history transfer forward parent provider proxy entry routing booking appointment calendar order invoice product task ticket deal company organization account office department usage metric breakdown charge credit room menu ivr previous link squad workflow participant_stats survey csat translation',
);
const CUSTOM = setOf(
	'variable metadata custom dynamic extracted extraction collected context input parameter structured request property tag',
);
const ROLES = new Set([
	'type',
	'kind',
	'role',
	'purpose',
	'side',
	'participant type',
	'party type',
]);

/** Telling words of one spelling: `hang_up` and `hangup`, `e-mail` and `email`. */
const JOINED: Record<string, string> = {
	'hang up': 'hangup',
	'hung up': 'hangup',
	'voice mail': 'voicemail',
	'call back': 'callback',
	'time stamp': 'timestamp',
	'end user': 'enduser',
	'date time': 'datetime',
};

const VOCABULARY = new Set([
	...SIDE_WORDS.keys(),
	...RULES.flatMap(({ fillers, cores }) => [
		...fillers,
		...Object.keys(cores).flatMap((core) => core.split(' ')),
	]),
	...PHONE_WORDS,
	...NAME_WORDS,
	...TELLING,
	...'first last given family email'.split(' '),
]);
for (const short of ['s', 'm', 'e', 'no', 'to', 'on', 'in', 'at', 'is', 'ai', ''])
	VOCABULARY.delete(short);

/** Names repeat in every event, so what they say is kept; their number and length are bounded. */
const known = new Map<string, Name>();
const MOST_KNOWN = 5000;
const LONGEST_KNOWN = 100;

/** Reads a name. */
export function readName(name: string): Name {
	const found = known.get(name);
	if (found !== undefined) return found;
	const read = describe(name);
	if (known.size >= MOST_KNOWN) known.clear();
	if (name.length <= LONGEST_KNOWN) known.set(name, read);
	return read;
}

function describe(text: string): Name {
	const words = joined(wordsOf(text).flatMap(unglued));
	const side = sideOf(words);
	const rest = words.filter((word) => !SIDE_WORDS.has(word));
	const brand = side === undefined ? brandOf(words) : undefined;
	const part = brand === undefined ? partOf(words, rest, side) : 'phone';
	const topics = topicsOf(words);
	return {
		words,
		side,
		end: words
			.map((word) => SIDE_WORDS.get(word))
			.find((one) => one === 'origin' || one === 'target'),
		holder: rest.every((word) => HOLDERS.has(word)) ? side : undefined,
		part,
		topics,
		unit: unitOf(words),
		isTelling: part !== undefined || Object.keys(topics).length > 0,
		isRole: ROLES.has(words.join(' ')),
		isThing: words.some((word) => THINGS.has(word)),
		isCustom: words.some((word) => CUSTOM.has(word)),
		isParty: words.some((word) => PARTIES.has(word)),
		brand,
	};
}

/** A word before `phone` and `number` that the vocabulary does not know. */
function brandOf([first = '', ...rest]: string[]): string | undefined {
	const isNumber = rest.length > 0 && rest.every((word) => word === 'phone' || word === 'number');
	return isNumber && !VOCABULARY.has(first) ? first : undefined;
}

/** Words that were written as one: `callid`. */
function unglued(word: string): string[] {
	if (word.length < 6 || word.length > 24 || VOCABULARY.has(word)) return [word];
	for (let at = 2; at <= word.length - 2; at++) {
		const [head, tail] = [word.slice(0, at), word.slice(at)];
		if (VOCABULARY.has(head) && VOCABULARY.has(tail)) return [head, tail];
	}
	return [word];
}

function joined(words: string[]): string[] {
	const result: string[] = [];
	for (const word of words) {
		const pair = JOINED[`${result[result.length - 1] ?? ''} ${word}`];
		if (pair === undefined) result.push(word);
		else result[result.length - 1] = pair;
	}
	return result;
}
