import { unglued, wordsOf } from '../matcher/words';
import type { PhonePlace } from './phones';
import {
	BESIDE_SIDES,
	HOLDERS,
	NUMBER_WORDS,
	PARTS,
	PEOPLE,
	PHONE_WORDS,
	SIDES,
	type Side,
} from './vocabulary/parties';
import { TOPICS, UNITS, type TopicNames } from './vocabulary/topics';

export type Topic = keyof typeof TOPICS;

/** What of a party a field holds; `self` is the party itself: `caller`, `customerInfo`. */
export type Part = 'phone' | 'name' | 'first' | 'last' | 'email' | 'id' | 'self';

/** What the name of a field says. Every word of a name counts: an unknown one makes it another field. */
export interface FieldName {
	/** Its words as one text. */
	phrase: string;
	words: readonly string[];
	/** How sure it is of each topic that it names; the highest is the surest. */
	topics: ReadonlyMap<Topic, number>;
	/** The party that it names, and what of it. */
	side?: Side;
	part?: Part;
	/** The side's name is one of people: `caller`, but not `source`. */
	isPerson: boolean;
	/** What counts as its phone number. */
	place: PhonePlace;
	/** Of a time: seconds in its unit. */
	unit?: number;
}

/** Digits that a number without a plus needs where the field says that it is one. */
const FEWEST_DIGITS = 10;
/** The surest confidence of a topic. */
export const SUREST = 100;

const topics = Object.entries(TOPICS) as Array<[Topic, TopicNames]>;
/** The confidence of each phrase of each topic. */
const phrases = topics.map(
	([, { names }]) =>
		new Map(names.flatMap((tier, at) => tier.map((name) => [name, SUREST - at] as const))),
);
/** Words that are recognised where they are written as one: `callid`. */
const vocabulary = new Set(
	[
		...phrases.flatMap((names) => [...names.keys()].flatMap(wordsOf)),
		...topics.flatMap(([, { beside }]) => [...beside]),
		...[...PARTS.keys()].flatMap(wordsOf),
		...SIDES.keys(),
		...NUMBER_WORDS,
	].filter((word) => word.length > 2 || word === 'id' || word === 'at' || word === 'to'),
);

/** Names repeat in every event, so what they say is kept; their number and length are bounded. */
const known = new Map<string, FieldName>();
const MOST_KNOWN = 5000;
const LONGEST_KNOWN = 80;

/** Reads the name of a field. */
export function readFieldName(name: string): FieldName {
	const found = known.get(name);
	if (found !== undefined) return found;
	const read = describe(name.length <= LONGEST_KNOWN ? name : '');
	if (known.size >= MOST_KNOWN) known.clear();
	if (name.length <= LONGEST_KNOWN) known.set(name, read);
	return read;
}

function describe(name: string): FieldName {
	const words = wordsOf(name).flatMap((word) => unglued(word, vocabulary));
	const phrase = words.join(' ');
	const found = new Map<Topic, number>();
	for (const [at, [topic, { beside }]] of topics.entries()) {
		const names = phrases[at];
		const core = words.filter((word) => !beside.has(word)).join(' ');
		const confidence = names?.get(phrase) ?? names?.get(core);
		if (confidence !== undefined) found.set(topic, confidence);
	}
	const unit = words.map((word) => (Object.hasOwn(UNITS, word) ? UNITS[word] : undefined));
	return {
		phrase,
		words,
		topics: found,
		unit: unit.find((one) => one !== undefined),
		...readParty(words),
	};
}

/** Whose a name says that a field is, and what of them it holds. */
function readParty(words: string[]): Pick<FieldName, 'side' | 'part' | 'place' | 'isPerson'> {
	const sideWords = words.filter((word) => SIDES.has(word));
	const [side, ...others] = new Set(sideWords.map((word) => SIDES.get(word)));
	const isPerson = sideWords.some((word) => PEOPLE.has(word));
	if (others.length > 0) return { isPerson, place: {} };
	const rest = words.filter((word) => !SIDES.has(word) && !BESIDE_SIDES.has(word));
	// The number that is shown: `caller_id`, `callerIdNumber`.
	const isShown =
		rest[0] === 'id' && (sideWords.includes('caller') || sideWords.includes('callee'));
	if (isShown && rest.length === 1) return { side, part: 'phone', isPerson, place: {} };
	const saysPhone = rest.some((word) => PHONE_WORDS.has(word));
	const isEnd = side === 'origin' || side === 'target';
	const place = {
		fewestDigits: isEnd || saysPhone ? FEWEST_DIGITS : undefined,
		takesNumbers: saysPhone,
		isInternational: rest.includes('msisdn') || rest.includes('164'),
	};
	return { side, part: partOf(isShown ? rest.slice(1) : rest, side), isPerson, place };
}

function partOf(rest: string[], side: Side | undefined): Part | undefined {
	if (side !== undefined && rest.every((word) => HOLDERS.has(word))) return 'self';
	if (rest.length > 0 && rest.every((word) => NUMBER_WORDS.has(word))) return 'phone';
	return PARTS.get(rest.join(' '));
}
