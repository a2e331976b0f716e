/* Words in the names of fields that hold the numbers, names and e-mail addresses of both sides of a call. */
import { groupsOf, setOf } from '../../text/words';

/** The side of the call in a name. The direction decides whether the caller or the callee is the customer. */
export type Side = 'customer' | 'agent' | 'caller' | 'callee';

/** The value of a party in a field; `self` is the party itself: `caller`, `customerInfo`. */
export type Part = 'phone' | 'name' | 'first' | 'last' | 'email' | 'id' | 'self';

/** Words for customers. */
export const CUSTOMERS = `
	customer, contact, lead, client, prospect, patient, guest, visitor, enduser, borrower, debtor,
	candidate, applicant, consumer, guarantor
`;
/** Words for people. */
export const PEOPLE = groupsOf<Side>({
	customer: CUSTOMERS,
	agent: 'agent, assistant, bot, representative, rep, receptionist',
	caller: 'caller',
	callee: 'callee',
});
/** Words for lines and places, which have a number but no name. */
const LINE_SIDES = groupsOf<Side>({
	customer: 'external, remote',
	agent: 'our, business, internal, tracking, virtual, did, trunk, line',
	caller: 'from, calling, ani, cli, clid, source, src, origin, originating',
	callee: 'to, called, dialed, dialled, dnis, destination, dest, dst, recipient, receiver',
});
export const SIDES: ReadonlyMap<string, Side> = new Map([...PEOPLE, ...LINE_SIDES]);

const PHONES = 'phone, mobile, cell, telephone, tel, msisdn';

/** Words beside a side. */
export const BESIDE_SIDES = {
	/** They don't change its meaning: `called_party_number`, `ai_agent_name`. */
	neutral: setOf('the, party, call, ai, voice'),
	/** They name a party object: `customerInfo`. */
	holders: setOf('info, information, detail, data, profile'),
	/** They name a phone. */
	phones: setOf(PHONES),
	/** All words that a phone number's name may have. */
	numbers: setOf(`
		number, num, no, e, 164, formatted, raw, primary, digit, sip, uri, address, international,
		${PHONES}
	`),
};

export const PARTS = groupsOf<Part>({
	name: 'name, full name, display name',
	first: 'first name, given name, firstname, first',
	last: 'last name, family name, lastname, surname, last',
	email: 'email, email address, primary email, mail',
	id: 'id, uuid',
});

/** Lists of participants. */
export const PARTICIPANTS = new Set(['participant', 'party', 'leg', 'member']);
