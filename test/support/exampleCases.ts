import { type CallDetails, readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import type { Payload } from './callPayloads';
import type { KnownPerson } from './crms/crm';

/** What the CRM knows of the person before the call. */
export const knowledge = {
	nobody: () => [],
	'their number': ({ phone }) => [{ name: 'Grace Hopper', phone: phone ?? undefined }],
	'their number, as a person writes it': ({ phone }) => [
		{ name: 'Grace Hopper', phone: phone ? written(phone) : undefined },
	],
	'two with the number': ({ phone, email }) => [
		{ name: 'Grace Hopper', phone: phone ?? undefined, email: email ?? undefined },
		{ name: 'Vincent Hopper', phone: phone ? written(phone) : undefined, email: 'v@example.com' },
	],
	'their e-mail': ({ email }) => [{ name: 'Grace Hopper', email: email?.toUpperCase() }],
	'their mobile number, without the country': ({ phone }) => [
		{ name: 'Grace Hopper', mobile: phone?.replace(/^\+(1|44)/, '') },
	],
} satisfies Record<string, (customer: CallDetails['customer']) => KnownPerson[]>;
export type Knowledge = keyof typeof knowledge;

/** The number `+14155550187` as `(415) 555-0187`, and `+442079460321` as `02079460321`. */
export const written = (phone: string) =>
	phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3').replace(/^\+44/, '0');

/** Whom nobody of the calls is: our own line, a namesake, the same number of another country. */
export const decoys: KnownPerson[] = [
	{ name: 'Front Desk', phone: '+14155550100', email: 'desk@example.com' },
	{ name: 'Grace Hopper', phone: '+14155550155', email: 'another.grace@example.com' },
	{ name: 'Gwen Hooper', phone: '+444155550187' },
	{ name: 'Nora Hooper', phone: '+12079460321' },
];

/** What an event has to come to, in any CRM. */
export interface Outcome {
	/** Index among the known people; `new` for one who is made, undefined for a call without one. */
	person: number | 'new' | undefined;
	/** `told`: it stops at first, since nobody can be told; `ambiguous`: it stops, since several fit. */
	ends: 'logged' | 'told' | 'ambiguous';
}

export function outcomeOf({ customer, person }: CallDetails, known: Knowledge): Outcome {
	const first = decoys.length;
	if (!customer.phone && !customer.email) {
		return { person: undefined, ends: person === 'unknown' ? 'told' : 'logged' };
	}
	switch (known) {
		case 'nobody':
			return { person: 'new', ends: 'logged' };
		case 'their e-mail':
			return { person: customer.email ? first : 'new', ends: 'logged' };
		case 'two with the number':
			if (customer.email) return { person: first, ends: 'logged' };
			if (!customer.phone) return { person: 'new', ends: 'logged' };
			return { person: undefined, ends: 'ambiguous' };
		default:
			return { person: customer.phone ? first : 'new', ends: 'logged' };
	}
}

/** A delivery, and what the CRM knows before it. */
export interface Case {
	title: string;
	payload: Payload;
	known: Knowledge;
}

/** The cases of an example: each payload, and in turn what the CRM knows. */
export function casesOf(all: Payload[]): Case[] {
	const kinds = Object.keys(knowledge) as Knowledge[];
	let next = 0;
	return all.map((payload) => {
		const { customer } = readCallDetails(payload.body);
		const isFound = customer.phone !== null || customer.email !== null;
		const known = (isFound ? kinds[next++ % kinds.length] : 'nobody') as Knowledge;
		return { payload, known, title: `${payload.service}, ${payload.variant}` };
	});
}
