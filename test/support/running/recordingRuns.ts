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
			/** The reason in a task, or in the row of a call to assign. */
			whose?: RegExp;
			title?: RegExp;
			text?: RegExp;
			at?: RegExp;
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
export const twins = [
	{ name: 'Grace Hopper', phone: first },
	{ name: 'Vincent Hopper', phone: first },
];
const same = callAt(12, withSummary);
const ends = { from: first, to: ours, direction: 'inbound' };
const summary = { event: 'call.analyzed', call_id: 'call_12', summary: 'She bought one.' };
const hidden = callAt(15, { from: 'anonymous' });
const last = (hour: number, more: IDataObject = {}) => ({
	...{ last_call_id: `call_${hour}`, last_call_at: timeAt(hour), ...more },
});
const sold = { last_outcome: 'sold', last_summary: 'She bought one.' };
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
			{ phone: second, name: 'Bob Lovelace', email: 'bob@example.com', ...last(12) },
		],
		crm: {
			made: 2,
			records: [...[0, 0, 1, 0].map((person) => ({ person })), { whose: /Bob Lovelace/ }],
		},
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
	'a summary before the end': {
		deliveries: [{ ...summary, ...ends }, callAt(12, full)],
		rows: [{ ...ofAda, ...last(12, sold) }],
	},
	'an older call after a newer one': {
		deliveries: [callAt(12, withSummary), callAt(11, { outcome: 'lost' })],
		rows: [{ ...ofAda, ...last(12, sold) }],
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
		crm: { made: 1, records: [{ person: 2 }, { person: 3 }, { whose: /hid/ }, { whose }] },
	},
	'an address that is none, a long name, an evening in New York': {
		deliveries: [
			callAt(12, {
				...{ ...full, customer_email: 'ada..lovelace@example.con' },
				customer_name: `Ada ${'Lovelace'.repeat(12)}`,
				started_at: '2026-11-21T02:00:00.000Z',
			}),
		],
		crm: { made: 1, records: [{ person: 0, at: /^2026-11-2(0$|0T21|1T02)|^$/ }] },
	},
	'a customer who is known by an address with a quote': {
		known: [{ name: "Mary O'Hara", email: "o'hara@example.com" }],
		deliveries: [callAt(12, { customer_email: "o'hara@example.com" })],
		rows: [last(12)],
		crm: { made: 0, records: [{ person: 0 }] },
	},
	'a new customer beside similar ones': {
		known: decoys,
		deliveries: [callAt(12, full)],
		rows: [...decoys.map(() => untouched), { ...ofAda, ...last(12) }],
		crm: { made: 1, records: [{ person: decoys.length }] },
	},
};

/** Deliveries of each kind, and what they add to a CRM with the twins. A CRM gets a call twice if its event does. */
export const kindsOfCalls: Array<[kind: string, body: object, added: object]> = [
	['new', callAt(10, { ...full, from: second }), { people: 1, calls: 1 }],
	['known', callAt(11, { from: second }), { calls: 1 }],
	['second event', { ...callAt(11, { from: second }), summary: 'She bought one.' }, { calls: 1 }],
	['unclear', callAt(12), { tasks: 1 }],
	['hidden', hidden, { tasks: 1 }],
	['web', { event: 'call.completed', call_id: 'call_13', type: 'web' }, { tasks: 1 }],
	['unreadable', { event: 'call.completed', call_id: 'call_16', who: 'knows' }, { tasks: 1 }],
	['test', callAt(17, { from: second, test: true }), { calls: 1 }],
];
