import type { IDataObject } from 'n8n-workflow';

import { LONGEST_NAME } from './names';
import { isObject } from '../text/json';
import {
	memoize,
	splitWords,
	hasOnly,
	setOf,
	splitCompounds,
	wordsOf,
	ENVELOPES,
	PLAIN_TYPE_NAMES,
} from '../text/words';

/** The headers of a delivery, by lower-case name. */
export type Headers = Record<string, string | string[] | undefined>;

/** What a header of a delivery holds: an ID of the delivery or its event, an event type, or a time. */
export type HeaderKind = 'id' | 'type' | 'time';

/** Headers about another thing than the event: `content-type`, `x-last-event`, `x-parent-event-id` */
const OF_OTHER = /(^|-)(content|last|prev|previous|prior|next|parent|original|target)-/;

/**
 * The ends of the names. An ID that several events share does not identify an event: `x-request-id`, `x-call-id`,
 * and `x-gitlab-webhook-uuid`, which is the endpoint's.
 */
const NAMES_OF: Record<HeaderKind, RegExp> = {
	id: /^(webhook|svix|ce)-id$|(^|-)(delivery|event|message|notification|transmission)-(uu)?id$|-delivery$|(^|-)idempotency-(key|token)$/,
	type: /(^|-)(webhook)?(type|topic(-name)?|event(-?(type|name|kind|action|key))?)$/,
	time: /(^|-)timestamp$|(^|-)(webhook|ce|delivery|event|message|notification|transmission)-time$/,
};

/**
 * Reads the name of a header, for all that looks at headers: event types, delivery details and duplicates.
 *
 * `svix-id`, `x-github-delivery` → id; `ce-type`, `x-shopify-topic` → type; `x-webhook-timestamp` → time
 */
export const headerKind = memoize((name): HeaderKind | undefined => {
	const plainName = splitWords(name).join('-');
	if (OF_OTHER.test(plainName)) return undefined;
	return (['id', 'type', 'time'] as const).find((kind) => NAMES_OF[kind].test(plainName));
});

/** A text in a place where services put the type of an event. */
export interface TypePlace {
	text: string;
	/** 0 for headers, the top of the body and its event object; 1 for other envelopes; 2 for a batch. */
	level: number;
	/** True for a text that is an event type only if the catalog names it, such as the body's own `name`. */
	isLabel?: boolean;
}

const TYPE_ENDS = setOf(PLAIN_TYPE_NAMES);
/** Words before them, which don't change what the field is: `webhook_event_type`; not `last_event`, `agent_type` */
const BEFORE_TYPES = setOf(`
	event, type, topic, action, web, hook, webhook, notification, message, trigger, callback, status,
	subscription, detail, change, call, voice
`);

/** Objects that wrap the event, and the words before their names: `data`, `eventData`, `message` */
const WRAPPERS = setOf(`${ENVELOPES.message}, ${ENVELOPES.about}, header, envelope`);
const BEFORE_WRAPPERS = setOf('event, message, notification, webhook, web, hook');

const splitPlaceName = splitCompounds(
	[TYPE_ENDS, BEFORE_TYPES, WRAPPERS, BEFORE_WRAPPERS, ['name']].flatMap((words) => [...words]),
);

/** What the name of a field says: the type of an event, a name, an object that wraps the event, the event itself. */
const readPlace = memoize((field: string) => {
	const words = wordsOf(field).flatMap(splitPlaceName);
	const endsIn = (ends: ReadonlySet<string>, before: ReadonlySet<string>, own = words) =>
		ends.has(own.at(-1) ?? '') && hasOnly(own.slice(0, -1), before);
	const isName = words.at(-1) === 'name';
	return {
		isType: endsIn(TYPE_ENDS, BEFORE_TYPES, isName ? words.slice(0, -1) : words),
		isName: isName && words.length === 1,
		isWrapper: endsIn(WRAPPERS, BEFORE_WRAPPERS),
		isEvent: words.join(' ') === 'event',
	};
});

/**
 * Collects the texts of an event that may be its type, by the names of their fields: at the top level,
 * and in each envelope object there. `attributes` counts as part of the object that holds it.
 *
 * `{"id": 1, "data": {"event_type": "call.completed"}}` → `call.completed` at level 1
 */
export function placesOf(event: IDataObject): TypePlace[] {
	const inner = fieldsOf(event).flatMap(([field, value]) => {
		const { isWrapper, isEvent } = readPlace(field);
		return isWrapper && isObject(value) ? placesIn(value, isEvent ? 0 : 1) : [];
	});
	return [...placesIn(event, 0, true), ...inner];
}

function fieldsOf(object: IDataObject): Array<[string, unknown]> {
	const { attributes } = object;
	return [...Object.entries(object), ...Object.entries(isObject(attributes) ? attributes : {})];
}

/** A `name` may be the event's, but not in an envelope; that of the body itself is a label. */
function placesIn(object: IDataObject, level: 0 | 1, isTop = false): TypePlace[] {
	return fieldsOf(object).flatMap(([field, text]) => {
		if (!isShort(text)) return [];
		const { isType, isName } = readPlace(field);
		const mayBeType = isType || (isName && level === 0);
		return mayBeType ? [{ text, level, isLabel: isName && isTop }] : [];
	});
}

/**
 * Collects the headers that may be the event's type, alone and with the body's `action`:
 * `x-acme-event: call` and `{"action": "started"}` → `call`, `call.started`
 */
export function placesOfHeaders(headers: Record<string, unknown>, body: unknown): TypePlace[] {
	const action = isObject(body) ? body.action : undefined;
	return Object.entries(headers).flatMap(([name, text]): TypePlace[] => {
		if (!isShort(text) || headerKind(name) !== 'type') return [];
		const texts = isShort(action) ? [text, `${text}.${action}`] : [text];
		return texts.map((text) => ({ text, level: 0 }));
	});
}

function isShort(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME;
}

/** Further headers that delivery details show. */
const OF_BODY = ['content-type', 'user-agent'];

/**
 * Chooses the headers that a workflow may see. All others are dropped: no list of names covers every
 * header that holds a secret or a personal address. Names of headers are in lower case.
 */
export function shownHeaders(headers: Headers): Headers {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => headerKind(name) ?? OF_BODY.includes(name)),
	);
}

/** @param endpointIds IDs that a header may hold without being the delivery's: `webhook-id: we_1` */
export function idsIn(headers: Headers, endpointIds: string[]): string[] {
	return Object.keys(headers)
		.filter((name) => headerKind(name) === 'id')
		.map((name) => String(headers[name]))
		.filter((id) => id !== '' && !endpointIds.includes(id));
}
