import type { IDataObject } from 'n8n-workflow';
import type { CrmPerson } from './crms/crm';
import { type TableRun, tableRuns } from './tableRuns';

/** Deliveries to an example with a CRM, and what the CRM has to hold after them. */
export interface CrmRun extends Pick<TableRun, 'events' | 'stops' | 'spare'> {
	/** The people before the first delivery. */
	known?: CrmPerson[];
	/** How many people are made. */
	made?: number;
	/**
	 * The calls in the order of their IDs: the position of the person, undefined for a call without a
	 * customer; the names of an open task; and values.
	 */
	records: Array<{ person?: number | 'any'; whose?: RegExp; outcome?: string; summary?: string }>;
}

/** @returns the events of a run of the examples with tables */
const sameAs = (title: string) => {
	const { events, stops, known, spare } = tableRuns[title] as TableRun;
	return { events, stops, known, spare };
};
const call = (more: IDataObject) => ({
	...{ event: 'call.completed', call_id: 'call_12', direction: 'inbound' },
	...{ from: '+14155550187', to: '+14155550100', started_at: '2026-11-20T12:00:00.000Z' },
	...more,
});
export const sold = { outcome: 'sold', summary: 'She bought one.' };
const whose = /(?=.*Grace Hopper)(?=.*Vincent Hopper)/;

export const crmRuns: Record<string, CrmRun> = {
	'two calls of a new number at once': {
		...sameAs('two calls of a new number at once'),
		made: 1,
		records: [
			{ person: 'any', outcome: 'sold' },
			{ person: 'any', outcome: 'sold' },
			{ person: 0, outcome: 'sold' },
		],
	},
	'the same event twice at once, and again': {
		...sameAs('the same event twice at once, and again'),
		made: 1,
		records: [{ person: 0, ...sold }],
	},
	'a family: the first number, another number, the first number with an e-mail': {
		...sameAs('a family: the first number, another number, the first number with an e-mail'),
		made: 2,
		records: [{ person: 0 }, { person: 0 }, { person: 1 }, { person: 1 }, { person: 0 }],
	},
	'two customers of one number: nobody stated, then one in a later event of the call': {
		...sameAs('two customers of one number: nobody stated, then one in a later event of the call'),
		records: [{ whose }, { whose, outcome: 'sold' }],
	},
	'two customers of one number: the stated name': {
		known: sameAs('two customers of one number and one e-mail: the stated name').known,
		events: [call({ customer_name: 'Vincent Hopper', ...sold })],
		records: [{ person: 1, ...sold }],
	},
	'one number with the same and no name: the oldest': {
		...sameAs('one number with the same and no name: the oldest'),
		records: [{ person: 0 }, { person: 0 }],
	},
	'a mobile number': {
		known: [{ name: 'Grace Hopper', phone: '+4930123456', mobile: '+14155550187' }],
		events: [call(sold)],
		records: [{ person: 0, ...sold }],
	},
	'a summary after the end': {
		...sameAs('a summary after the end'),
		made: 1,
		records: [{ person: 0, outcome: 'sold', summary: 'In other words.' }],
	},
	'a summary before the end': {
		...sameAs('a summary before the end'),
		made: 1,
		records: [{ person: 0, ...sold }],
	},
	'no person': { ...sameAs('no person'), records: [{}, {}] },
	'missing values': {
		...sameAs('missing values'),
		made: 1,
		records: [{ person: 0, ...sold }, { person: 0 }, { person: 0 }],
	},
};
