/* Words that name the two sides of a call, and what of them a field holds. */

/** Whose a word says that a field is; an end of the call is the customer's or ours by the direction. */
export type Side = 'customer' | 'agent' | 'origin' | 'target';

/** What of a party a field holds; `self` is the party itself: `caller`, `customerInfo`. */
export type Part = 'phone' | 'name' | 'first' | 'last' | 'email' | 'id' | 'self';

/** Words for people, and words for lines and places, of which only a number counts. */
const PEOPLE_WORDS: Record<Side, string[]> = {
	customer: [
		['customer', 'contact', 'lead', 'client', 'prospect', 'patient', 'guest', 'visitor'],
		['enduser', 'borrower', 'debtor', 'candidate', 'applicant', 'consumer'],
	].flat(),
	agent: ['agent', 'assistant', 'bot', 'representative', 'rep', 'receptionist'],
	origin: ['caller'],
	target: ['callee'],
};
const LINE_WORDS: Record<Side, string[]> = {
	customer: ['external', 'remote'],
	agent: ['our', 'business', 'internal', 'tracking', 'virtual', 'did', 'trunk', 'line'],
	origin: ['from', 'calling', 'ani', 'cli', 'clid', 'source', 'src', 'origin', 'originating'],
	target: ['to', 'called', 'dialed', 'dialled', 'dnis', 'destination', 'dest', 'dst', 'recipient'],
};

export const SIDES: ReadonlyMap<string, Side> = new Map(
	(Object.keys(LINE_WORDS) as Side[]).flatMap((side) =>
		[...PEOPLE_WORDS[side], ...LINE_WORDS[side]].map((word) => [word, side]),
	),
);
export const PEOPLE = new Set(Object.values(PEOPLE_WORDS).flat());

/** Words beside a side that change nothing: `called_party_number`, `ai_agent_name`. */
export const BESIDE_SIDES = new Set(['the', 'party', 'call', 'ai', 'voice']);
/** Words of party objects: `customerInfo`. */
export const HOLDERS = new Set(['info', 'information', 'detail', 'data', 'profile']);

/** Words of a number that say phone, and words beside them. */
export const PHONE_WORDS = new Set(['phone', 'mobile', 'cell', 'telephone', 'tel', 'msisdn']);
export const NUMBER_WORDS = new Set(
	[
		['number', 'num', 'no', 'e', '164', 'formatted', 'raw', 'primary', 'digit', 'sip', 'uri'],
		['address', 'international', ...PHONE_WORDS],
	].flat(),
);

const PART_NAMES: Partial<Record<Part, string[]>> = {
	name: ['name', 'full name', 'display name'],
	first: ['first name', 'given name', 'firstname', 'first'],
	last: ['last name', 'family name', 'lastname', 'surname', 'last'],
	email: ['email', 'email address', 'primary email', 'mail'],
	id: ['id', 'uuid'],
};
export const PARTS: ReadonlyMap<string, Part> = new Map(
	(Object.keys(PART_NAMES) as Part[]).flatMap((part) =>
		(PART_NAMES[part] ?? []).map((name) => [name, part]),
	),
);

/** Lists of those who take part, and the fields of their roles. */
export const PARTICIPANTS = new Set(['participant', 'party', 'leg', 'member']);
export const ROLE_FIELDS = new Set(['role', 'type', 'kind', 'side', 'participant type']);
