/** Says in a sentence for a person why a call has its result. */
import type { CallCustomer } from './call';
import type { Fit } from './record';

/** The most names in a sentence. */
const MOST_NAMES = 4;
const NUMBER = 'this number';
const ADDRESS = 'this e-mail address';

/** Why a call has no customer, by the value of `person`. */
const NO_CUSTOMER: Record<string, string> = {
	withheld: 'The caller hid the number.',
	web: 'It was no phone call, and the event states no e-mail address of the customer.',
};
const UNKNOWN =
	'The event states no customer: if you see the phone number in it, choose its field with the option Call Details Mapping of the trigger.';

/** The reason of further calls of a new customer. */
export const OF_EARLIER_CALL =
	'An earlier call of this run is of the same new customer. Process calls one by one: Loop Over Items.';

export const noCustomer = (person: string) => NO_CUSTOMER[person] ?? UNKNOWN;

/** `No record has this number or this e-mail address.` */
export function ofNobody({ numbers, email }: CallCustomer): string {
	const values = [numbers.length > 0 && NUMBER, email !== null && ADDRESS];
	return `No record has ${values.filter(Boolean).join(' or ')}.`;
}

/** `The number stands in the field Rückrufnummer.` */
export function inField(field: string, isNumber: boolean): string {
	return `The ${isNumber ? 'number' : 'e-mail address'} stands in the field ${field}.`;
}

/** `Ada Lovelace and Bob Smith have this number.` */
export function ofPeople(fitting: Fit[]): string {
	return `${subjectOf(fitting)} ${valuesOf(fitting, 'or')}.`;
}

/** `Ada Lovelace has this number in 2 records: this is the oldest.` */
export function ofPerson(person: Fit[]): string {
	const more = person.length > 1 ? ` in ${person.length} records: this is the oldest` : '';
	return `${subjectOf(person)} ${valuesOf(person, 'and')}${more}.`;
}

/** `Ada Lovelace has this number, and Bob Smith has this e-mail address.` */
export function ofTwo(fitting: Fit[]): string {
	const [number, email] = [
		fitting.filter(({ hasNumber }) => hasNumber),
		fitting.filter(({ hasEmail }) => hasEmail),
	];
	return `${subjectOf(number)} ${NUMBER}, and ${subjectOf(email)} ${ADDRESS}.`;
}

/** `Ute Rau has this number, but the call states the name Max Ott.` */
export function ofOthers(person: Fit[], { name }: CallCustomer): string {
	return `${subjectOf(person)} ${valuesOf(person, 'and')}, but the call states the name ${name}.`;
}

/** The names of people with their verb. `Ada Lovelace and Bob Smith have` */
function subjectOf(fitting: Fit[]): string {
	const people = new Map(fitting.map(({ record }) => [record.nameKey, record.name]));
	const named = [...people.values()].filter(Boolean);
	const names = named.length > 0 ? named : ['A record without a name'];
	const shown = names.slice(0, MOST_NAMES);
	if (names.length > MOST_NAMES) shown.push(`${names.length - MOST_NAMES} others`);
	const last = shown.pop()!;
	const list = shown.length > 0 ? `${shown.join(', ')} and ${last}` : last;
	return `${list} ${shown.length > 0 ? 'have' : 'has'}`;
}

/** `this number`, `this number and this e-mail address` */
function valuesOf(fitting: Fit[], join: 'and' | 'or'): string {
	const hasNumber = fitting.some((one) => one.hasNumber);
	const hasEmail = fitting.some((one) => one.hasEmail);
	const values = [hasNumber && NUMBER, hasEmail && ADDRESS].filter(Boolean);
	return values.join(` ${join} `);
}
