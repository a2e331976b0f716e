import type { Routes } from '../standIn';

/** A person, as a CRM knows them before a call. */
export interface KnownPerson {
	name: string;
	/** As it is written there. */
	phone?: string;
	mobile?: string;
	email?: string;
}

/** What of a logged call every CRM can tell. */
export interface LoggedCall {
	/** The record that it is logged on; undefined for none. */
	personId?: string;
	/** As the service names the call. */
	callId?: string;
}

/** A stand-in for a CRM: what it answers, and what it holds. */
export interface Crm {
	hosts: Record<string, Routes>;
	/** Forgets everything, and knows these people. */
	know(people: KnownPerson[]): void | Promise<void>;
	/** The people's records by their IDs, in the order of their creation. */
	people(): Record<string, object> | Promise<Record<string, object>>;
	calls(): LoggedCall[] | Promise<LoggedCall[]>;
}

/** What stands in the row of a customer who has called before. */
export const before = {
	last_outcome: 'known before',
	last_summary: 'Known before.',
	notes: 'Our own',
};
