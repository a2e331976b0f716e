/*
 * Words in the names of a call's fields, and names that help to read its details. The names of the details
 * are in details.ts. All are in lower case and in the singular.
 */

import { PLAIN_TYPE_NAMES, TYPE_NAMES } from '../../text/vocabulary';
import { listed } from '../../text/words';
import type { TopicNames } from '../../text/topicFinder';

/** Words beside the names of details. */
export const CALL = 'call, phone, conversation, interaction';
/** How a call ends. */
const ENDINGS = listed(`
	end, ended, ending, hangup, hang up, disconnect, disconnected, disconnection, termination,
	terminated, failure, finish, finished
`);
/** The names of a field for how a call ended. `reason` → `end reason`, `hangup reason`, … */
export const endNames = (field: string) => ENDINGS.map((end) => `${end} ${field}`).join();

export const OTHER_TOPICS = {
	/** The call that this one is a leg of. */
	parent: {
		sure: `
			parent call, parent call id, parent call sid, parent call uuid, parent id, orig call id,
			original call id
		`,
		beside: 'the',
	},
	medium: {
		sure: 'type, kind, channel, medium, transport, mode',
		lessSure: 'initiation method, initiation source',
		beside: 'call, conversation, session, communication, interaction',
	},
	event: {
		sure: `${TYPE_NAMES}, ${PLAIN_TYPE_NAMES}, detail type`,
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
