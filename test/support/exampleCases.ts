import type { CallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import type { CrmPerson } from './crms/crm';

/** The people in the CRM before the call who may match the customer. */
export const crmContents = {
	'no match': () => [],
	'the number': ({ phone }) => [{ name: 'Grace Hopper', phone: phone ?? undefined }],
	'the number in a national format': ({ phone }) => [
		{ name: 'Grace Hopper', phone: phone ? written(phone) : undefined },
	],
	'two people with the number': ({ phone }) => [
		{ name: 'Grace Hopper', phone: phone ?? undefined },
		{ name: 'Vincent Hopper', phone: phone ?? undefined },
	],
	'the e-mail address': ({ email }) => [{ name: 'Grace Hopper', email: email ?? undefined }],
} satisfies Record<string, (customer: CallDetails['customer']) => CrmPerson[]>;
export type CrmContent = keyof typeof crmContents;

/** `+14155550187` -> `(415) 555-0187`, and `+442079460321` -> `02079460321`. */
const written = (phone: string) =>
	phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3').replace(/^\+44/, '0');

/** People who are not the customer: the agent, a namesake, the same number in another country. */
export const decoys: CrmPerson[] = [
	{ name: 'Front Desk', phone: '+14155550100', email: 'desk@example.com' },
	{ name: 'Grace Hopper', phone: '+14155550155', email: 'another.grace@example.com' },
	{ name: 'Gwen Hooper', phone: '+444155550187' },
	{ name: 'Nora Hooper', phone: '+12079460321' },
];

/** How an example searches people, beside the exact number. */
export interface PersonSearch {
	/** `by digits`: by the last eight digits, if no character separates them. */
	written: 'exactly' | 'by digits' | 'in any form';
	emailBesidePhone: boolean;
}

const ofNumber = (phone: string, { written: how }: PersonSearch) =>
	how === 'by digits' ? phone.slice(-8) : phone;

/** The expected end of an execution; `person` is the index of the CRM's record. */
export type Outcome =
	| { ends: 'unknown' | 'several' | 'no customer' }
	| { ends: 'logged'; person: number | 'new' };

export function outcomeOf(
	{ customer: { phone, email }, person, id }: CallDetails,
	known: CrmContent,
	finds: PersonSearch,
): Outcome {
	if (person === 'unknown' || !id) return { ends: 'unknown' };
	if (person !== 'found') return { ends: 'no customer' };
	const isFound = {
		'no match': false,
		'the number': phone !== null,
		'the number in a national format':
			phone !== null &&
			(finds.written === 'in any form' || written(phone).includes(ofNumber(phone, finds))),
		'two people with the number': phone !== null,
		'the e-mail address': email !== null && (finds.emailBesidePhone || phone === null),
	}[known];
	if (!isFound) return { ends: 'logged', person: 'new' };
	if (known === 'two people with the number') return { ends: 'several' };
	return { ends: 'logged', person: decoys.length };
}
