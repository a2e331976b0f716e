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
import { TOPIC_WORDS, topicsOf, unitOf, type Topic } from './topics';
import { setOf, unglued, wordsOf } from '../../reading/words';

/*
 * What the name of a field says, read from its words: services spell the same thing in many ways,
 * and the next one spells it in yet another, but they draw on one small vocabulary.
 */

/** What a name says. */
export interface Name {
	words: readonly string[];
	/** The words as one text. */
	phrase: string;
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
	/** Says that a number begins with the country's. */
	isInternational: boolean;
	/** Says something that is read. */
	isTelling: boolean;
	/** Says what its record is. */
	isRole: boolean;
	/** Speaks of a call, or of nothing else: `callTimes`, `details`. */
	isOfCall: boolean;
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
	'recording voicemail transcript transcription cost billing price pricing latency stat statistic quality tool action function model voice team tag note comment campaign queue webhook monitor setting config configuration plan analysis evaluation step leg segment chunk history transfer forward parent provider proxy entry routing booking appointment calendar order invoice product task ticket deal company organization account office department usage metric breakdown charge credit room menu ivr previous link squad workflow survey csat translation delivery attempt job request subscription account useragent amd machine detection hold ring',
);
const CUSTOM = setOf(
	'variable metadata custom dynamic extracted extraction collected input parameter structured request property tag',
);
const NEUTRAL = setOf(
	'data detail info information result report artifact attribute object resource content timing telephony voip metadata meta',
);
const ROLES = new Set([
	'type',
	'kind',
	'role',
	'purpose',
	'side',
	'affiliation',
	'participant type',
	'party type',
]);

const WORDS = [
	...SIDE_WORDS.keys(),
	...TOPIC_WORDS,
	...PHONE_WORDS,
	...NAME_WORDS,
	...['first', 'last', 'given', 'family', 'email', 'mail'],
];
/** Words that are told apart where they are written as one; shorter ones are in others by chance. */
const VOCABULARY = new Set(
	WORDS.filter((word) => word.length > 2 || ['id', 'ms', 'at', 'to'].includes(word)),
);
/** Words of which a name has one if it says anything. */
const MEANINGFUL = new Set([...WORDS, ...THINGS, ...CUSTOM, ...PARTIES, ...ROLES, ...NEUTRAL]);

const MEANINGLESS = {
	topics: {},
	isInternational: false,
	isTelling: false,
	isRole: false,
	isOfCall: false,
	isThing: false,
	isCustom: false,
	isParty: false,
};

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
	const words = wordsOf(text).flatMap((word) =>
		MEANINGFUL.has(word) ? word : unglued(word, VOCABULARY),
	);
	const phrase = words.join(' ');
	if (!words.some((word) => MEANINGFUL.has(word))) return { ...MEANINGLESS, words, phrase };
	const side = sideOf(words);
	const rest = words.filter((word) => !SIDE_WORDS.has(word));
	const brand = side === undefined ? brandOf(words) : undefined;
	const part = brand === undefined ? partOf(words, rest, side) : 'phone';
	const topics = topicsOf(words);
	return {
		words,
		phrase,
		side,
		end: words
			.map((word) => SIDE_WORDS.get(word))
			.find((one) => one === 'origin' || one === 'target'),
		holder: rest.every((word) => HOLDERS.has(word)) ? side : undefined,
		part,
		topics,
		unit: unitOf(words),
		isInternational: words.includes('msisdn') || words.includes('e164'),
		isTelling: part !== undefined || Object.keys(topics).length > 0,
		isRole: ROLES.has(phrase),
		isOfCall: words.some((word) => TOPIC_WORDS.has(word) || NEUTRAL.has(word)),
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
