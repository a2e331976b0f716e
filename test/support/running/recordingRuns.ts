import type { IDataObject } from 'n8n-workflow';
import type { CrmPerson } from '../crms/crm';

/** An event, or a batch of events. */
type Delivery = IDataObject | IDataObject[];

/** Deliveries to an example that records calls, and the records that they have to leave. */
export interface RecordingRun {
	/** The customers before the first delivery. */
	known?: CrmPerson[];
	/** Deliveries, one after the other; those of `atOnce` arrive at once. */
	deliveries: Array<Delivery | { atOnce: IDataObject[] }>;
	/** The number of further customers that may be made. */
	spare?: number;
	/** The values of each row of a table of customers, oldest first; undefined for a run of CRMs only. */
	rows?: IDataObject[];
	/** The records in a CRM; undefined for a run of tables only. */
	crm?: {
		/** The number of people that are made. */
		made: number;
		/** The calls by their times, then the tasks that ask whose call it was. */
		records: Array<{
			/** The position of the person; undefined for a task. */
			person?: number | 'any';
			/** The names in a task. */
			whose?: RegExp;
			title?: RegExp;
			text?: RegExp;
		}>;
		/** The number of calls that are logged again, as the page says. */
		again?: number;
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
const ends = { from: first, to: ours, direction: 'inbound' };
const summary = { event: 'call.analyzed', call_id: 'call_12', summary: 'She bought one.' };
const hidden = callAt(15, { from: 'anonymous' });
const nobody = { event: 'call.completed', call_id: 'call_13', direction: 'inbound' };
const last = (hour: number, more: IDataObject = {}) => ({
	...{ last_call_id: `call_${hour}`, last_call_at: timeAt(hour), ...more },
});
const sold = { last_call_seconds: 60, last_outcome: 'sold', last_summary: 'She bought one.' };
const untouched = { last_call_id: null, last_outcome: 'known before' };
const whose = /(?=.*Grace Hopper)(?=.*Vincent Hopper)/;
const logged = { title: /sold/, text: /She bought one\./ };

/** The same number in the writings of CRMs' users. */
const writings = [
	...['(415) 555-0187', '+1 415-555-0187', '001 415 555 0187', '4155550187', '1-415-555-0187'],
	'+1 (415) 555-0187 ext. 7',
];
/** The last digits of a number that is written like the first one. */
const digitsOf = (index: number) => `0${191 + index}`;

/** People who are not the customer: the agent, a namesake, the same number in another country. */
export const decoys: CrmPerson[] = [
	{ name: 'Front Desk', phone: ours, email: 'desk@example.com' },
	{ name: 'Grace Hopper', phone: second, email: 'another.grace@example.com' },
	{ name: 'Gwen Hooper', phone: '+444155550187' },
];

export const recordingRuns: Record<string, RecordingRun> = {
	'two calls of a new number at once': {
		deliveries: [{ atOnce: [callAt(12, full), callAt(13, full)] }, callAt(14, full)],
		spare: 1,
		rows: [{ ...ofAda, ...last(14) }],
		crm: { made: 1, records: [{ person: 'any' }, { person: 'any' }, { person: 0 }] },
	},
	'the same event twice at once, and again': {
		deliveries: [{ atOnce: [same, same] }, { ...same }],
		rows: [{ ...ofAda, ...last(12, sold) }],
		crm: { made: 1, records: [{ person: 0, ...logged }], again: 1 },
	},
	'a family: the first number, another number, the first number with an e-mail': {
		deliveries: [
			callAt(10, { customer_name: 'Ada Lovelace' }),
			callAt(11, { customer_name: 'Bob Lovelace', customer_email: 'unknown@example.com' }),
			callAt(12, { ...bob, from: second }),
			callAt(13, { customer_email: 'bob@example.com' }),
			callAt(14, { customer_name: 'Ada Lovelace', customer_email: 'ada@example.com' }),
		],
		rows: [
			{ ...ofAda, ...last(14) },
			{ phone: second, name: 'Bob Lovelace', email: 'bob@example.com', ...last(13) },
		],
		crm: { made: 2, records: [0, 0, 1, 1, 0].map((person) => ({ person })) },
	},
	'two customers of one number: nobody stated, then one in a later event of the call': {
		known: twins,
		deliveries: [callAt(13), callAt(13, { customer_name: 'Vincent Hopper', ...ended })],
		rows: [
			{ ...twins[0], ...untouched },
			{ ...twins[1], ...last(13, { last_outcome: 'sold' }) },
		],
		crm: { made: 0, records: [{ person: 1 }, { whose }] },
	},
	'two customers of one number and one e-mail: the stated name': {
		known: twins.map((person) => ({ ...person, email: 'hopper@example.com' })),
		deliveries: [
			callAt(12, { customer_name: 'Vincent Hopper', customer_email: 'hopper@example.com' }),
			callAt(13, { customer_email: 'hopper@example.com' }),
		],
		rows: [
			{ ...twins[0], ...untouched },
			{ ...twins[1], ...last(12) },
		],
		crm: { made: 0, records: [{ person: 1 }, { whose }] },
	},
	'one number with the same and no name: the oldest': {
		known: [twins[0] as CrmPerson, { name: '', phone: first }, twins[0] as CrmPerson],
		deliveries: [callAt(12, { customer_name: 'Grace Hopper' }), callAt(13)],
		rows: [{ ...twins[0], ...last(13) }, untouched, untouched],
		crm: { made: 0, records: [{ person: 0 }, { person: 0 }] },
	},
	'a later event of the call': {
		deliveries: [callAt(12, full), { ...summary, ...ends }],
		rows: [{ ...ofAda, ...last(12, sold) }],
		crm: { made: 1, records: [{ person: 0 }, { person: 0, text: /She bought one\./ }] },
	},
	'a summary before the end': {
		deliveries: [{ ...summary, ...ends }, callAt(12, full)],
		rows: [{ ...ofAda, ...last(12, sold) }],
	},
	'an older call after a newer one': {
		deliveries: [callAt(12, withSummary), callAt(11, { outcome: 'lost', customer_name: 'Eve' })],
		rows: [{ ...ofAda, ...last(12, sold) }],
	},
	'no person, and a hidden number': {
		known: decoys,
		deliveries: [hidden, { ...nobody, type: 'web', started_at: timeAt(14) }, nobody, summary],
		rows: decoys.map(() => untouched),
		crm: { made: 0, records: [] },
	},
	'missing values': {
		deliveries: [callAt(12, withSummary), callAt(13), callAt(14, { started_at: undefined })],
		rows: [{ ...ofAda, ...sold, last_call_id: 'call_14', last_call_at: timeAt(13) }],
		crm: { made: 1, records: [{ person: 0, ...logged }, { person: 0 }, { person: 0 }] },
	},
	'a number in six writings, in one delivery': {
		known: writings.map((phone, index) => ({
			name: `Number ${index}`,
			phone: phone.replace('0187', digitsOf(index)),
		})),
		deliveries: [
			writings.map((_phone, index) => {
				const from = `+1415555${digitsOf(index)}`;
				return callAt(10 + index, { from });
			}),
		],
		rows: writings.map((_phone, index) => last(10 + index)),
		crm: { made: 0, records: writings.map((_phone, person) => ({ person })) },
	},
	'a new, a known, an unclear and a hidden number in one delivery': {
		known: [...twins, { name: 'Bob Lovelace', phone: second, email: 'bob@example.com' }],
		deliveries: [
			[callAt(12), callAt(14, { from: '+14155550199' }), hidden, callAt(13, { from: second })],
		],
		rows: [untouched, untouched, last(13), { phone: '+14155550199', ...last(14) }],
		crm: { made: 1, records: [{ person: 2 }, { person: 3 }, { whose }] },
	},
	'a mobile number': {
		known: [{ name: 'Grace Hopper', phone: '+4930123456', mobile: first }],
		deliveries: [callAt(12, ended)],
		crm: { made: 0, records: [{ person: 0, title: /Call with \+14155550187, 1 min: sold/ }] },
	},
	'a new customer beside similar ones': {
		known: decoys,
		deliveries: [callAt(12, full)],
		rows: [...decoys.map(() => untouched), { ...ofAda, ...last(12) }],
		crm: { made: 1, records: [{ person: decoys.length }] },
	},
};
