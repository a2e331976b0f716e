/** Reads the name of a field: the topics of the call, or the party, that the vocabulary finds in it. */
import { topicFinder } from '../text/topics';
import { hasAny, hasOnly, isOfSeveral, memoize, splitCompounds, wordsOf } from '../text/words';
import { DETAILS, type Detail, type DetailKey } from './details';
import type { PhonePlace } from './phoneNumbers';
import {
	BESIDE_SIDES,
	PARTS,
	PEOPLE,
	SIDES,
	type Part,
	type Side,
	OTHER_TOPICS,
} from './vocabulary/fieldWords';

const TOPICS = { ...(DETAILS as Record<DetailKey, Detail>), ...OTHER_TOPICS };
export type Topic = keyof typeof TOPICS;

/** The name of a field. An unknown word makes it the name of another field. */
export type FieldName = ReturnType<typeof readFieldName>;

const { topicsOf, vocabulary } = topicFinder(TOPICS);
/** Splits glued words: `callid` → `call`, `id` */
const splitGlued = splitCompounds(
	[...vocabulary, ...PARTS.keys(), ...SIDES.keys(), ...BESIDE_SIDES.numbers].flatMap(wordsOf),
);

/** Reads the name of a field, with the confidence of each topic. `callerIdNumber` → the phone number of the caller */
export const readFieldName = memoize((name) => {
	const words = wordsOf(name).flatMap(splitGlued);
	return { phrase: words.join(' '), words, topics: topicsOf(words), ...partyInName(words) };
});

/** Whether a side is an end of the call. The direction decides which end is the customer. */
export function isEnd(side: Side | undefined): boolean {
	return side === 'caller' || side === 'callee';
}

/**
 * Reads the party in a name, and the value of that party; `isPerson` for a word for people, such as `caller`, but not
 * `source`. The place decides which values are phone numbers. `callerIdNumber` → caller, phone
 */
function partyInName(words: string[]) {
	const [side, ...others] = words.flatMap((word) => SIDES.get(word) ?? []);
	const isPerson = words.some((word) => PEOPLE.has(word));
	if (others.length > 0 || isOfSeveral(words, SIDES)) return { isPerson, place: 'bare' as const };
	const rest = words.filter((word) => !SIDES.has(word) && !BESIDE_SIDES.neutral.has(word));
	// A `caller_id` is the number on the callee's display, not an id.
	const isShown = rest[0] === 'id' && isPerson && isEnd(side);
	const beside = isShown ? rest.slice(1) : rest;
	const isAlone = isShown && beside.length === 0;
	const part = isAlone ? 'phone' : partIn(beside, isShown ? undefined : side);
	const place = phonePlaceOf(rest, isEnd(side) && rest.join() !== 'id');
	return { side, part, isPerson, place };
}

/** Reads the value of a party from the words beside its side: `full`, `name` → name */
function partIn(words: string[], side?: Side): Part | undefined {
	if (side !== undefined && hasOnly(words, BESIDE_SIDES.holders)) return 'self';
	const isNumber = words.length > 0 && hasOnly(words, BESIDE_SIDES.numbers);
	return isNumber ? 'phone' : PARTS.get(words.join(' '));
}

function phonePlaceOf(words: string[], isAtEnd: boolean): PhonePlace {
	if (hasAny(words, BESIDE_SIDES.phones)) return 'phone';
	return isAtEnd ? 'end' : 'bare';
}
