import type { Routes } from '../others/standIn';

/** A person in a CRM before a call. */
export interface CrmPerson {
	name: string;
	/** In the format of the CRM's user. */
	phone?: string;
	/** A second number. */
	mobile?: string;
	email?: string;
}

/** A stand-in for a CRM. */
export interface Crm {
	hosts: Record<string, Routes>;
	/** Removes all records, and adds these people. */
	reset(people: CrmPerson[]): void | Promise<void>;
	/** The people's records by ID, in the order of their creation. */
	people(): Record<string, object> | Promise<Record<string, object>>;
	/** The rows of the calls that a person has to assign; undefined for a CRM, which has tasks. */
	asked?(): object[] | Promise<object[]>;
	/** The calls and tasks in a CRM, in the order of their creation; undefined for tables. */
	records?(): CrmRecord[];
}

/** A call in a CRM, or a task that asks whose call it was. */
export interface CrmRecord {
	/** The person's ID; undefined for a task. */
	person?: string;
	/** The subject and text of an open task. */
	whose?: string;
	/** The IDs of the people of an open task. */
	candidates?: string[];
	title?: string;
	text?: string;
	/** When the call began. */
	at?: string;
	/** Further properties of the call. */
	more?: object;
}

/** What the stand-ins of CRMs have alike. */
interface Kept<Fields> {
	/** The people's fields by ID, in the order of their creation. */
	people: Map<string, Fields>;
	/** Makes a person. @returns its ID */
	add: (fields: Fields) => string;
	records: CrmRecord[];
}

/**
 * Makes a stand-in for a CRM.
 *
 * @param idOf the ID of the person at a position
 * @param fieldsOf the fields of a person before a call
 * @param hostsOf answers with what is kept
 */
export function crmOf<Fields extends object>(
	idOf: (position: number) => number | bigint | string,
	fieldsOf: (person: CrmPerson) => Fields,
	hostsOf: (kept: Kept<Fields>) => Record<string, Routes>,
) {
	const people = new Map<string, Fields>();
	const records: CrmRecord[] = [];
	const add = (fields: Fields) => {
		const id = String(idOf(people.size));
		people.set(id, fields);
		return id;
	};
	return {
		reset(known) {
			people.clear();
			records.length = 0;
			for (const person of known) add(fieldsOf(person));
		},
		people: () => Object.fromEntries(people),
		records: () => records,
		hosts: hostsOf({ people, add, records }),
	} satisfies Crm;
}

/**
 * Whether a CRM that checks the format of addresses accepts one, or none: `ada..b@example.com` → false. Where a
 * CRM's file names no source for this check, it is an assumption: no public source found.
 */
export const isAddress = (text?: string | null) =>
	!text || /^[^@\s.]+(\.[^@\s.]+)*@[^@\s.]+(\.[^@\s.]+)+$/.test(text);

/** The values of a customer's row before the call. */
export const before = {
	last_outcome: 'known before',
	last_summary: 'Known before.',
};
