import { ungluer, wordsOf } from '../matcher/words';
import type { PhonePlace } from './phones';
import {
	BESIDE_SIDES,
	HOLDERS,
	NUMBER_WORDS,
	PARTS,
	PEOPLE,
	PHONE_WORDS,
	SIDES,
	type Part,
	type Side,
} from './vocabulary/parties';
import { TOPICS, UNITS, type TopicNames } from './vocabulary/topics';

export type Topic = keyof typeof TOPICS;

/** What the name of a field says. Every word of a name counts: an unknown one makes it another field. */
export interface FieldName {
	phrase: string;
	words: readonly string[];
	/** How sure it is of each topic that it names. */
	topics: ReadonlyMap<Topic, number>;
	/** The party that it names, and what of it. */
	side?: Side;
	part?: Part;
	/** The side's name is one of people: `caller`, but not `source`. */
	isPerson: boolean;
	/** What counts as its phone number. */
	place: PhonePlace;
	/** Seconds in its unit. */
	unit?: number;
}

/** The confidence of a topic's surest names. */
export const SUREST = 100;

const topics = Object.entries<TopicNames>(TOPICS).map(([topic, names]) => {
	const { sure = [], lessSure = [], ranked = [], beside = [] } = names;
	const tiers = [sure, lessSure, ...ranked.map((name) => [name])];
	return {
		topic: topic as Topic,
		names: new Map(tiers.flatMap((tier, at) => tier.map((name) => [name, SUREST - at] as const))),
		beside: new Set(beside),
	};
});
/** Takes words apart that were written as one; short words are in others by chance. */
const takeApart = ungluer(
	new Set(
		[
			...topics.flatMap(({ names, beside }) => [...[...names.keys()].flatMap(wordsOf), ...beside]),
			...[...PARTS.keys()].flatMap(wordsOf),
			...[...SIDES.keys(), ...NUMBER_WORDS],
		].filter((word) => word.length > 2 || word === 'id' || word === 'at' || word === 'to'),
	),
);

/** Names repeat in every event, so what they say is kept; their number and length are bounded. */
const known = new Map<string, FieldName>();
const MOST_KNOWN = 5000;
const LONGEST = 80;

/** Reads the name of a field. */
export function readFieldName(name: string): FieldName {
	const found = known.get(name);
	if (found !== undefined) return found;
	const isName = name.length <= LONGEST;
	const words = isName ? wordsOf(name).flatMap(takeApart) : [];
	const phrase = words.join(' ');
	const read: FieldName = {
		phrase,
		words,
		topics: new Map(
			topics.flatMap(({ topic, names, beside }) => {
				const core = words.filter((word) => !beside.has(word)).join(' ');
				const confidence = names.get(phrase) ?? names.get(core);
				return confidence === undefined ? [] : [[topic, confidence] as const];
			}),
		),
		unit: UNITS[words.find((word) => Object.hasOwn(UNITS, word)) ?? ''],
		...readParty(words),
	};
	if (known.size >= MOST_KNOWN) known.clear();
	if (isName) known.set(name, read);
	return read;
}

/** Tells whether a side is an end of the call, which is the customer's or ours by the direction. */
export function isEnd(side: Side | undefined): boolean {
	return side === 'origin' || side === 'target';
}

/** Whose a name says that a field is, and what of them it holds. `callerIdNumber` → origin, phone */
function readParty(words: string[]): Pick<FieldName, 'side' | 'part' | 'place' | 'isPerson'> {
	const [side, ...others] = words.flatMap((word) => SIDES.get(word) ?? []);
	const isPerson = words.some((word) => PEOPLE.has(word));
	if (others.length > 0) return { isPerson, place: 'bare' };
	const all = words.filter((word) => !SIDES.has(word) && !BESIDE_SIDES.has(word));
	// A `caller_id` is what the phone shows.
	const isShown = all[0] === 'id' && isPerson && isEnd(side);
	const rest = isShown ? all.slice(1) : all;
	const isSelf = side !== undefined && !isShown && rest.every((word) => HOLDERS.has(word));
	const isNumber = (isShown || rest.length > 0) && rest.every((word) => NUMBER_WORDS.has(word));
	const isBare = !isEnd(side) || (isShown && rest.length === 0);
	return {
		side,
		part: isSelf ? 'self' : isNumber ? 'phone' : PARTS.get(rest.join(' ')),
		isPerson,
		place: rest.some((word) => PHONE_WORDS.has(word)) ? 'phone' : isBare ? 'bare' : 'end',
	};
}
