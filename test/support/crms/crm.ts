import type { Routes } from '../standIn';

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
	/** The ID of the person of each logged call. */
	logged(): string[] | Promise<string[]>;
	/** The calls in a CRM, in the order of their creation. */
	records?(): CrmRecord[];
}

/** A call in a CRM. */
export interface CrmRecord {
	/** The person's ID; undefined for a call without a customer. */
	person?: string;
	/** Texts that name the people of an open task, if a person has to decide. */
	whose?: string;
	outcome?: string;
	summary?: string;
	at?: string;
}

/** The values of a customer's row before the call. */
export const before = {
	last_outcome: 'known before',
	last_summary: 'Known before.',
};
