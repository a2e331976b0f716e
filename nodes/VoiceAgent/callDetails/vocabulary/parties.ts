/* Words that name the two sides of a call, and what of them a field holds. */

/** Whose a word says that a field is; an end of the call is the customer's or ours by the direction. */
export type Side = 'customer' | 'agent' | 'origin' | 'target';

const SIDE_WORDS: Readonly<Record<Side, readonly string[]>> = {
	customer: [
		'customer',
		'contact',
		'lead',
		'client',
		'prospect',
		'patient',
		'guest',
		'visitor',
		'enduser',
		'borrower',
		'debtor',
		'candidate',
		'applicant',
		'buyer',
		'consumer',
		'attendee',
		'student',
		'resident',
		'homeowner',
		'external',
		'remote',
	],
	agent: [
		'agent',
		'assistant',
		'bot',
		'representative',
		'rep',
		'operator',
		'receptionist',
		'our',
		'business',
		'internal',
		'tracking',
		'virtual',
		'did',
		'trunk',
		'line',
	],
	origin: [
		'from',
		'caller',
		'calling',
		'ani',
		'cli',
		'source',
		'src',
		'origin',
		'originating',
		'originator',
	],
	target: [
		'to',
		'callee',
		'called',
		'dialed',
		'dialled',
		'dnis',
		'destination',
		'dest',
		'dst',
		'recipient',
		'receiver',
	],
};

export const SIDES: ReadonlyMap<string, Side> = new Map(
	(Object.keys(SIDE_WORDS) as Side[]).flatMap((side) =>
		SIDE_WORDS[side].map((word) => [word, side] as const),
	),
);

/** Sides that name people; the others name a line or a place, so only a number of theirs counts. */
export const PEOPLE: ReadonlySet<string> = new Set([
	...SIDE_WORDS.customer.filter((word) => word !== 'external' && word !== 'remote'),
	...['agent', 'assistant', 'bot', 'representative', 'rep', 'operator', 'receptionist'],
	...['caller', 'callee'],
]);

/** Words beside a side that change nothing: `called_party_number`, `ai_agent_name`. */
export const BESIDE_SIDES: ReadonlySet<string> = new Set(['the', 'party', 'call', 'ai', 'voice']);

/** Words of a party object: `customerInfo`. */
export const HOLDERS: ReadonlySet<string> = new Set([
	'info',
	'information',
	'detail',
	'data',
	'profile',
]);

/** Words of a number, and those of them that say phone. */
export const PHONE_WORDS: ReadonlySet<string> = new Set([
	'phone',
	'mobile',
	'cell',
	'cellphone',
	'telephone',
	'tel',
	'msisdn',
]);
export const NUMBER_WORDS: ReadonlySet<string> = new Set([
	...PHONE_WORDS,
	'number',
	'num',
	'no',
	'e',
	'164',
	'formatted',
	'raw',
	'primary',
	'digit',
	'sip',
	'uri',
	'address',
	'international',
]);

/** What of a party a phrase names. */
export const PARTS: ReadonlyMap<string, 'name' | 'first' | 'last' | 'email' | 'id'> = new Map([
	['name', 'name'],
	['full name', 'name'],
	['display name', 'name'],
	['first name', 'first'],
	['given name', 'first'],
	['firstname', 'first'],
	['first', 'first'],
	['last name', 'last'],
	['family name', 'last'],
	['lastname', 'last'],
	['surname', 'last'],
	['last', 'last'],
	['email', 'email'],
	['email address', 'email'],
	['primary email', 'email'],
	['mail', 'email'],
	['id', 'id'],
	['uuid', 'id'],
]);

/** Lists of those who take part, and the fields of their roles. */
export const PARTICIPANTS: ReadonlySet<string> = new Set(['participant', 'party', 'leg', 'member']);
export const ROLE_FIELDS: ReadonlySet<string> = new Set([
	'role',
	'type',
	'kind',
	'side',
	'participant type',
	'participant role',
	'party type',
]);
