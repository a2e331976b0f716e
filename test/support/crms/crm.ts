import type { Routes } from '../standIn';

/** A person, as a CRM knows them before a call. */
export interface KnownPerson {
	name: string;
	/** As it is written there. */
	phone?: string;
	email?: string;
}

/** A stand-in for a CRM: what it answers, and what it holds. */
export interface Crm {
	hosts: Record<string, Routes>;
	/** Removes everything, and adds these people. */
	know(people: KnownPerson[]): void | Promise<void>;
	/** The people's records by their IDs, in the order of their creation. */
	people(): Record<string, object> | Promise<Record<string, object>>;
	/** The ID of the person of each logged call. */
	logged(): string[] | Promise<string[]>;
}

/** Values of a customer's row before the call. */
export const before = {
	last_outcome: 'known before',
	last_summary: 'Known before.',
};
