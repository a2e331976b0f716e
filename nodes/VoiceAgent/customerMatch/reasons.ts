/** Says in a sentence for a person why a call has its result. */
import type { CallCustomer } from './call';
import type { Fit, ReadField } from './record';

/** The most names in a sentence. */
const MOST_PEOPLE = 4;
/** `Ada Lovelace, Bob Smith and Eve King` */
const ENGLISH_LIST = new Intl.ListFormat('en-GB');

/** Why a call has no customer, by the value of `person`. */
const NO_CUSTOMER: Record<string, string> = {
	withheld: 'The caller hid the number.',
	web: 'It was no phone call, and the event states no e-mail address of the customer.',
	unknown:
		'The event states no customer: if you see the phone number in it, choose its field with the option Call Details Mapping of the trigger.',
};

/** The reasons of the results. */
export const REASONS = {
	again:
		'An earlier call of this run is of the same new customer. Process calls one by one: Loop Over Items.',

	noCustomer: (person: string) => NO_CUSTOMER[person] ?? NO_CUSTOMER.unknown!,

	nobody: "No record has the customer's number or e-mail address.",

	field: ({ label, isOwn }: ReadField, { numbers }: CallCustomer) =>
		isOwn && numbers.some(({ code }) => code)
			? `The field ${label} may hold the customer's number: correct it, so that it has the area code, and no other digits.`
			: `The field ${label} may hold the customer's number or e-mail address.`,

	/** `Ada Lovelace has this number in 2 records: this is the oldest.` */
	person: (person: Fit[]) =>
		`${peopleOf(person)}${person.length > 1 ? ` in ${person.length} records: this is the oldest` : ''}.`,

	/** `Ada Lovelace and Bob Smith have this number or this e-mail address.` */
	people: (fitting: Fit[]) => `${peopleOf(fitting, ' or ')}.`,

	/** `Ute Rau has this number, but the call states the name Max Ott.` */
	otherName: (person: Fit[], { name }: CallCustomer) =>
		`${peopleOf(person)}, but the call states the name ${name}.`,
};

/** `Ada Lovelace and Bob Smith have this number`, `A record without a name has this number` */
function peopleOf(fitting: Fit[], between = ' and '): string {
	const people = new Map(fitting.map(({ record }) => [record.nameKey || record, record.name]));
	const names = [...people.values()].filter(Boolean);
	const nameless = fitting.filter(({ record }) => !record.name).length;
	if (nameless === 1) names.push('a record without a name');
	if (nameless > 1) names.push(`${nameless} records without a name`);
	const rest = names.splice(MOST_PEOPLE);
	if (rest.length > 0) names.push(`${rest.length} others`);
	const isOne = names.length === 1 && nameless < 2;
	const subject = `${ENGLISH_LIST.format(names)} ${isOne ? 'has' : 'have'}`;
	const number = fitting.some(({ hasNumber }) => hasNumber) && 'this number';
	const email = fitting.some(({ hasEmail }) => hasEmail) && 'this e-mail address';
	return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${[number, email].filter(Boolean).join(between)}`;
}
