import type { IDataObject } from 'n8n-workflow';
import type { CrmPerson } from './crms/crm';

/** Deliveries to an example that records calls, and the records that they have to leave. */
export interface RecordingRun {
	/** The customers before the first delivery. */
	known?: CrmPerson[];
	/** Events, one after the other; those of an array arrive at once. An event that stops is in `stops`. */
	events: Array<IDataObject | IDataObject[]>;
	/** The events whose execution ends in the error that names what to map. */
	stops?: IDataObject[];
	/** The number of further customers that may be made. */
	spare?: number;
	/** The rows of an example with tables; undefined for a run of the other examples. */
	tables?: {
		/** The values of each customer, oldest first; null is an empty cell. */
		customers: IDataObject[];
		/** The values of each call. */
		calls: IDataObject[];
	};
	/** The records of an example with a CRM; undefined for a run of the other examples. */
	crm?: {
		/** The number of people that are made. */
		made: number;
		/** The calls in the order of their IDs. */
		calls: Array<{
			/** The position of the person; undefined for a call without a customer. */
			person?: number | 'any';
			/** The names of an open task. */
			whose?: RegExp;
			outcome?: string;
			summary?: string;
		}>;
	};
}

const ours = '+14155550100';
const first = '+14155550187';
const second = '+14155550155';
const timeAt = (hour: number) => `2026-11-20T${hour}:00:00.000Z`;

/** @returns an inbound call of the first number, at an hour of the same day */
const callAt = (hour: number, more: IDataObject = {}): IDataObject => ({
	...{ event: 'call.completed', call_id: `call_${hour}`, direction: 'inbound' },
	...{ from: first, to: ours, started_at: timeAt(hour) },
	...more,
});
const bob = { customer_name: 'Bob Lovelace', customer_email: 'bob@example.com' };
const ended = { duration_seconds: 60, outcome: 'sold' };
const full = { customer_name: 'Ada Lovelace', customer_email: 'ada@example.com', ...ended };
const withSummary = { ...full, summary: 'She bought one.' };
const ofAda = { phone: first, name: 'Ada Lovelace', email: 'ada@example.com' };
const twins = [
	{ name: 'Grace Hopper', phone: first },
	{ name: 'Vincent Hopper', phone: first },
];
const same = callAt(12, withSummary);
const summary = { event: 'call.analyzed', call_id: 'call_12', summary: 'She bought one.' };
const nobody = { event: 'call.completed', call_id: 'call_13', direction: 'inbound' };
const last = (hour: number, more: IDataObject = {}) => ({
	...{ last_call_id: `call_${hour}`, last_call_at: timeAt(hour), ...more },
});
const sold = { last_call_seconds: 60, last_outcome: 'sold', last_summary: 'She bought one.' };
const untouched = { last_call_id: null, last_outcome: 'known before' };
const rowOf = (hour: number, more: IDataObject = {}) => ({
	...{ call_id: `call_${hour}`, started_at: timeAt(hour), phone: first, could_be: null, ...more },
});

export const soldCall = { outcome: 'sold', summary: 'She bought one.' };
const whose = /(?=.*Grace Hopper)(?=.*Vincent Hopper)/;

/** People who are not the customer: the agent, a namesake, the same number in another country. */
export const decoys: CrmPerson[] = [
	{ name: 'Front Desk', phone: ours, email: 'desk@example.com' },
	{ name: 'Grace Hopper', phone: second, email: 'another.grace@example.com' },
	{ name: 'Gwen Hooper', phone: '+444155550187' },
];

export const recordingRuns: Record<string, RecordingRun> = {
	'two calls of a new number at once': {
		events: [[callAt(12, full), callAt(13, full)], callAt(14, full)],
		tables: {
			customers: [{ ...ofAda, ...last(14) }],
			calls: [rowOf(12), rowOf(13), rowOf(14)],
		},
		crm: {
			made: 1,
			calls: [
				{ person: 'any', outcome: 'sold' },
				{ person: 'any', outcome: 'sold' },
				{ person: 0, outcome: 'sold' },
			],
		},
		spare: 1,
	},
	'the same event twice at once, and again': {
		events: [[same, same], { ...same }],
		tables: {
			customers: [{ ...ofAda, ...last(12, sold) }],
			calls: [rowOf(12, { seconds: 60, outcome: 'sold', summary: 'She bought one.' })],
		},
		crm: { made: 1, calls: [{ person: 0, ...soldCall }] },
	},
	'a family: the first number, another number, the first number with an e-mail': {
		events: [
			callAt(10, { customer_name: 'Ada Lovelace' }),
			callAt(11, { customer_name: 'Bob Lovelace' }),
			callAt(12, { ...bob, from: second }),
			callAt(13, { customer_email: 'bob@example.com' }),
			callAt(14, { customer_name: 'Ada Lovelace', customer_email: 'ada@example.com' }),
		],
		tables: {
			customers: [
				{ ...ofAda, ...last(14) },
				{ phone: second, name: 'Bob Lovelace', email: 'bob@example.com', ...last(13) },
			],
			calls: [rowOf(10), rowOf(11), rowOf(12, { phone: second }), rowOf(13), rowOf(14)],
		},
		crm: {
			made: 2,
			calls: [{ person: 0 }, { person: 0 }, { person: 1 }, { person: 1 }, { person: 0 }],
		},
	},
	'two customers of one number: nobody stated, then one in a later event of the call': {
		known: twins,
		events: [callAt(12), callAt(13), callAt(13, { customer_name: 'Vincent Hopper', ...ended })],
		tables: {
			customers: [
				{ ...twins[0], ...untouched },
				{ ...twins[1], ...last(13, { last_outcome: 'sold' }) },
			],
			calls: [
				rowOf(12, { could_be: 'Grace Hopper, Vincent Hopper' }),
				rowOf(13, { name: 'Vincent Hopper', outcome: 'sold' }),
			],
		},
		crm: { made: 0, calls: [{ whose }, { whose, outcome: 'sold' }] },
	},
	'two customers of one number and one e-mail: the stated name': {
		known: twins.map((person) => ({ ...person, email: 'hopper@example.com' })),
		events: [
			callAt(12, { customer_name: 'Vincent Hopper', customer_email: 'hopper@example.com' }),
			callAt(13, { customer_email: 'hopper@example.com' }),
		],
		tables: {
			customers: [
				{ ...twins[0], ...untouched },
				{ ...twins[1], ...last(12) },
			],
			calls: [rowOf(12), rowOf(13, { could_be: 'Grace Hopper, Vincent Hopper' })],
		},
		crm: { made: 0, calls: [{ person: 1 }, { whose }] },
	},
	'one number with the same and no name: the oldest': {
		known: [twins[0] as CrmPerson, { name: '', phone: first }, twins[0] as CrmPerson],
		events: [callAt(12, { customer_name: 'Grace Hopper' }), callAt(13)],
		tables: {
			customers: [{ ...twins[0], ...last(13) }, untouched, untouched],
			calls: [rowOf(12), rowOf(13)],
		},
		crm: { made: 0, calls: [{ person: 0 }, { person: 0 }] },
	},
	'a summary after the end': {
		events: [callAt(12, full), summary, { ...summary, summary: 'In other words.' }],
		tables: {
			customers: [{ ...ofAda, ...last(12, sold) }],
			calls: [rowOf(12, { outcome: 'sold', summary: 'She bought one.' })],
		},
		crm: { made: 1, calls: [{ person: 0, outcome: 'sold', summary: 'In other words.' }] },
	},
	'a summary before the end': {
		events: [{ ...summary, from: first, to: ours, direction: 'inbound' }, callAt(12, full)],
		tables: {
			customers: [{ ...ofAda, ...last(12, sold) }],
			calls: [rowOf(12, { outcome: 'sold', summary: 'She bought one.' })],
		},
		crm: { made: 1, calls: [{ person: 0, ...soldCall }] },
	},
	'a summary of nobody before the end, resent after it': {
		events: [summary, callAt(12, full), { ...summary }],
		stops: [summary],
		tables: {
			customers: [{ ...ofAda, ...last(12, sold) }],
			calls: [rowOf(12, { outcome: 'sold', summary: 'She bought one.' })],
		},
	},
	'an older call after a newer one, and its summary': {
		events: [
			callAt(12, withSummary),
			callAt(11, { outcome: 'lost', customer_name: 'Eve' }),
			{ ...summary, call_id: 'call_11', summary: 'The older one.' },
		],
		tables: {
			customers: [{ ...ofAda, ...last(12, sold) }],
			calls: [rowOf(12), rowOf(11, { outcome: 'lost', summary: 'The older one.' })],
		},
	},
	'no person': {
		events: [
			callAt(12, { from: 'anonymous' }),
			{ ...nobody, call_id: 'call_14', type: 'web', started_at: timeAt(14) },
			nobody,
		],
		stops: [nobody],
		tables: {
			customers: [],
			calls: [rowOf(12, { phone: null }), rowOf(14, { phone: null })],
		},
		crm: { made: 0, calls: [{}, {}] },
	},
	'missing values': {
		events: [callAt(12, withSummary), callAt(13), callAt(14, { started_at: undefined })],
		tables: {
			customers: [
				{
					...{ ...ofAda, last_call_id: 'call_14', last_call_seconds: null },
					...{ last_outcome: null, last_summary: null },
				},
			],
			calls: [
				rowOf(12, { outcome: 'sold' }),
				rowOf(13, { outcome: null, name: null }),
				{ call_id: 'call_14', outcome: null },
			],
		},
		crm: { made: 1, calls: [{ person: 0, ...soldCall }, { person: 0 }, { person: 0 }] },
	},
	'a mobile number': {
		known: [{ name: 'Grace Hopper', phone: '+4930123456', mobile: first }],
		events: [callAt(12, soldCall)],
		crm: { made: 0, calls: [{ person: 0, ...soldCall }] },
	},
	'a new customer beside similar ones': {
		known: decoys,
		events: [callAt(12, full)],
		tables: {
			customers: [...decoys.map(() => untouched), { ...ofAda, ...last(12) }],
			calls: [rowOf(12)],
		},
		crm: { made: 1, calls: [{ person: decoys.length }] },
	},
};
