import type { CallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import type { KnownPerson } from './crms/crm';

/** What the CRM holds of the customer before the call. */
export const knowledge = {
	nobody: () => [],
	'their number': ({ phone }) => [{ name: 'Grace Hopper', phone: phone ?? undefined }],
	'their number, as a person writes it': ({ phone }) => [
		{ name: 'Grace Hopper', phone: phone ? written(phone) : undefined },
	],
	'two with the number': ({ phone }) => [
		{ name: 'Grace Hopper', phone: phone ?? undefined },
		{ name: 'Vincent Hopper', phone: phone ?? undefined },
	],
	'their e-mail': ({ email }) => [{ name: 'Grace Hopper', email: email ?? undefined }],
} satisfies Record<string, (customer: CallDetails['customer']) => KnownPerson[]>;
export type Knowledge = keyof typeof knowledge;

/** `+14155550187` -> `(415) 555-0187`, and `+442079460321` -> `02079460321`. */
const written = (phone: string) =>
	phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3').replace(/^\+44/, '0');

/** People of no call: our own line, a namesake, the same number of another country. */
export const decoys: KnownPerson[] = [
	{ name: 'Front Desk', phone: '+14155550100', email: 'desk@example.com' },
	{ name: 'Grace Hopper', phone: '+14155550155', email: 'another.grace@example.com' },
	{ name: 'Gwen Hooper', phone: '+444155550187' },
	{ name: 'Nora Hooper', phone: '+12079460321' },
];

/** How an example finds people, besides by the number as the event has it. */
export interface Finds {
	/** `by digits`: by the last eight, where nothing separates them. */
	written: 'exactly' | 'by digits' | 'in any form';
	emailBesidePhone: boolean;
}

const ofNumber = (phone: string, { written: how }: Finds) =>
	how === 'by digits' ? phone.slice(-8) : phone;

/** How an execution must end, and with whose record. */
export type Outcome =
	| { ends: 'unknown' | 'several' | 'no customer' }
	| { ends: 'logged'; person: number | 'new' };

export function outcomeOf(
	{ customer: { phone, email }, person, id }: CallDetails,
	known: Knowledge,
	finds: Finds,
): Outcome {
	if (person === 'unknown' || !id) return { ends: 'unknown' };
	if (person !== 'found') return { ends: 'no customer' };
	const isFound = {
		nobody: false,
		'their number': phone !== null,
		'their number, as a person writes it':
			phone !== null &&
			(finds.written === 'in any form' || written(phone).includes(ofNumber(phone, finds))),
		'two with the number': phone !== null,
		'their e-mail': email !== null && (finds.emailBesidePhone || phone === null),
	}[known];
	if (!isFound) return { ends: 'logged', person: 'new' };
	if (known === 'two with the number') return { ends: 'several' };
	return { ends: 'logged', person: decoys.length };
}
