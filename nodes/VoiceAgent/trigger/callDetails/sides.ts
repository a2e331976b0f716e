import { setOf } from '../../reading/words';

/** Whose something is; a user, a caller or a called party is told apart by the rest of the event. */
export type Side = 'person' | 'agent' | 'line' | 'user' | 'origin' | 'target' | 'other';

/** What of a party a field holds; `self` is the party itself, such as `from`, and `source` may be. */
export type Part = 'phone' | 'email' | 'name' | 'first' | 'last' | 'id' | 'self' | 'source';

const SIDES: Array<[Side, ReadonlySet<string>]> = [
	[
		'other',
		setOf(
			'transfer transferred transferring forward forwarded forwarding parent previous emergency fax alternate secondary callback referrer referral voicemail tool provider billing shipping spouse supervisor owner webhook diversion diverted redirect redirected redirecting selected account admin manager creator created updated changed modified company invoice home work office backup',
		),
	],
	[
		'person',
		setOf(
			'customer contact lead client prospect patient guest visitor external remote buyer consumer borrower debtor applicant candidate attendee invitee subscriber person shopper resident student donor counterparty human respondent purchaser enduser homeowner',
		),
	],
	[
		'agent',
		setOf(
			'agent assistant bot ai representative rep staff employee receptionist advisor teammate colleague assigned assignee counselor specialist',
		),
	],
	[
		'line',
		setOf(
			'line trunk virtual tracking did internal local workspace business organization our own inbox extension',
		),
	],
	[
		'origin',
		setOf('from caller calling ani cli source origin originator originating sender initiator'),
	],
	[
		'target',
		setOf('to callee called dialed dialled dnis destination dest recipient receiver terminating'),
	],
	['user', setOf('user')],
];
/** Whose a word says that something is. */
export const SIDE_WORDS: ReadonlyMap<string, Side> = new Map(
	SIDES.flatMap(([side, words]) => [...words].map((word): [string, Side] => [word, side])),
);
/** Words that a name of a phone number is made of. */
export const PHONE_WORDS = setOf(
	'phone number mobile cell cellphone telephone tel msisdn e164 e digit raw formatted primary main sip uri address international national no num identifier value',
);
const EMAIL_WORDS = setOf('email mail address primary personal value');
/** Words that a name of somebody's name is made of. */
export const NAME_WORDS = setOf('name full display complete cnam preferred');
const ID_WORDS = setOf('id uuid sid guid');
const PARTY_FILLERS = setOf('call the participant party endpoint sip phone');
/** Words beside whose an object is that don't make it another thing: `customerInfo`. */
export const HOLDERS = setOf(
	'the call party participant endpoint info information detail data profile record object side by',
);
const FIRST = new Set(['first name', 'given name', 'firstname', 'forename', 'first', 'given']);
const LAST = new Set(['last name', 'family name', 'lastname', 'surname', 'last', 'family']);

/** Words for those who take part, without saying which. */
export const PARTIES = setOf('participant party peer endpoint');

/** Whose a name says that something is; of several words, the one nearest to what it names. */
export function sideOf(words: string[]): Side | undefined {
	const sides = words.flatMap((word) => SIDE_WORDS.get(word) ?? []);
	if (sides.includes('other')) return 'other';
	const told = sides.filter((side) => side === 'person' || side === 'agent' || side === 'line');
	return (
		told[told.length - 1] ??
		sides.find((side) => side === 'origin' || side === 'target') ??
		sides[0]
	);
}

/**
 * What of a party a name says that a field holds.
 *
 * @param rest the words that don't say whose it is
 */
export function partOf(words: string[], rest: string[], side: Side | undefined): Part | undefined {
	const plain = rest.filter((word) => !PARTY_FILLERS.has(word));
	const phrase = plain.join(' ');
	const has = (word: string) => words.includes(word);
	// A source that is no number is where a customer comes from.
	if ((has('source') || has('origin')) && !plain.includes('number')) {
		return words.length === 1 ? 'source' : undefined;
	}
	if (has('email') || has('mail')) return isOf(EMAIL_WORDS, plain) ? 'email' : undefined;
	if (FIRST.has(phrase)) return 'first';
	if (LAST.has(phrase)) return 'last';
	// A caller's id is the number that is shown, and so are `callerIdNumber` and `callerIdName`.
	if (has('caller') && rest.join(' ') === 'id') return 'phone';
	const shown = has('caller') ? plain.filter((word) => word !== 'id') : plain;
	if (plain.includes('name')) return isOf(NAME_WORDS, shown) ? 'name' : undefined;
	if (plain.length === 1 && isOf(ID_WORDS, plain)) return rest.length === 1 ? 'id' : undefined;
	const isPhone = isOf(
		PHONE_WORDS,
		shown.filter((word) => !/^\d+$/.test(word)),
	);
	if (isPhone && rest.some((word) => PHONE_WORDS.has(word))) return 'phone';
	const isParty = side !== undefined || words.some((word) => PARTIES.has(word));
	return plain.length === 0 && isParty ? 'self' : undefined;
}

function isOf(allowed: ReadonlySet<string>, words: string[]): boolean {
	return words.every((word) => allowed.has(word));
}
