/*
 * Words in the names of a call's fields, and names that help to read its details. The names of the details
 * are in details.ts. All are in lower case and in the singular.
 */

import { listed } from '../../matcher/words';
import type { TopicNames } from '../../matcher/topicFinder';

/** Words beside the names of details. */
export const CALL = 'call, phone, conversation, interaction';
/** How a call ends. */
const ENDINGS = listed(`
	end, ended, ending, hangup, hang up, disconnect, disconnected, disconnection, termination,
	terminated, failure, finish, finished
`);
/** The names of a field for how a call ended. `reason` → `end reason`, `hangup reason`, … */
export const endNames = (field: string) => ENDINGS.map((end) => `${end} ${field}`).join();

/** Words of units of time, with their length in seconds. */
export const UNITS: ReadonlyMap<string, number> = new Map([
	...listed('s, sec, second').map((word) => [word, 1] as const),
	...listed('ms, msec, milli, millisecond').map((word) => [word, 1e-3] as const),
	...listed('us, usec, micro, microsecond').map((word) => [word, 1e-6] as const),
	...listed('ns, nsec, nano, nanosecond').map((word) => [word, 1e-9] as const),
]);
/** Words beside the names of instants. A `start_date` may be that of an employment. */
export const CLOCK_WORDS = `
	at, time, timestamp, ts, datetime, utc, gmt, unix, epoch, iso, stamp,
	${[...UNITS.keys()].join()}
`;

export const OTHER_TOPICS = {
	/** The call that this one is a leg of. */
	parent: {
		sure: 'parent call, parent call id, parent call sid, parent call uuid, parent id',
		beside: 'the',
	},
	medium: {
		sure: 'type, kind, channel, medium, transport, mode',
		lessSure: 'initiation method, initiation source',
		beside: 'call, conversation, session, communication, interaction',
	},
	event: {
		sure: 'event, event type, event name, type, topic, detail type, action, kind',
		beside: 'webhook',
	},
	/** A flag of events that are tests. */
	test: {
		sure: 'test, sample',
		beside: 'is, event, call, mode, delivery, webhook',
	},
	/** An outcome where there is no other. */
	status: {
		ranked: 'result, reason, cause, call status, call state, status',
		beside: 'final',
	},
	/** Lists that count as a transcript if their entries have roles. */
	turns: {
		ranked: 'message, chat history, conversation history, call log, chat, conversation',
	},
	/** Fields of an object that is a recording. */
	address: {
		ranked: 'combined url, url, public url, download url, link, href, uri',
		beside: 'file, media',
	},
} satisfies Record<string, TopicNames>;
