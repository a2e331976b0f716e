/* Names that several readers know, in lower-case words of the singular. Each reader has more of its own. */
import { listed } from './words';

/** Objects and lists that only wrap what they hold. */
export const ENVELOPES = {
	/** Of an event or its call. */
	message: 'data, event, payload, body, message, notification, content, detail, param',
	/** Of records, one or many. */
	record: 'item, result, record, entry',
	/** Of the fields of a record. */
	fields: 'property, field, attribute',
	/** Of what is said about the rest. */
	about: 'meta, info',
};

/** Fields with the type of an event, whatever holds them. */
export const TYPE_NAMES = 'event type, event name, event topic, event kind, webhook topic';
/** Fields with the type of the event that holds them. */
export const PLAIN_TYPE_NAMES = 'type, event, topic, kind, action';

/** Words of units of time, with their length in seconds. */
export const UNITS: ReadonlyMap<string, number> = new Map([
	...listed('s, sec, second').map((word) => [word, 1] as const),
	...listed('ms, msec, milli, millisecond').map((word) => [word, 1e-3] as const),
	...listed('us, usec, micro, microsecond').map((word) => [word, 1e-6] as const),
	...listed('ns, nsec, nano, nanosecond').map((word) => [word, 1e-9] as const),
]);
/** Words beside the names of instants. */
export const CLOCK_WORDS = `
	at, time, timestamp, ts, datetime, utc, gmt, unix, epoch, iso, stamp,
	${[...UNITS.keys()].join()}
`;
/** The same where a date is an instant. The `start_date` of a call may be that of an employment. */
export const DATE_WORDS = `${CLOCK_WORDS}, on, date`;
