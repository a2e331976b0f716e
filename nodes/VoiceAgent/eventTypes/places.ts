import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../matcher/json';
import { headerKind, isOfOther } from './headers';
import { LONGEST_NAME } from './spelling';

/** A text in a place where services put the type of an event. */
export interface TypePlace {
	text: string;
	/** 0 for headers, the top of the body and its event object; 1 for other envelopes; 2 for a batch. */
	level: number;
	/** True for a text that is an event type only if the catalog names it, such as the body's own `name`. */
	isLabel?: boolean;
}

/** `type`, `event_type`, `detail-type`, `changeType`, `event_name`; not `last_event`, `agent_type`. */
const TYPE_FIELD =
	/^[\W_]*(?:(?:event|type|topic|action|web|hook|notification|message|trigger|callback|status|subscription|detail|change|call|voice)s?[\W_]*)*(?:type|event|topic|kind|action|(?:event|type|topic)[\W_]*name)$/i;

const NAME = /^[\W_]*name$/i;

/** `call.started`; not `close`, as in `connection: close`, `call-started`, which may name a webhook, and no ID */
const SEVERAL_WORDS = /^[a-z]+([._][a-z]+)+$/i;

/** An object that describes the event: its `name` is the event type. */
const EVENT_OBJECT = /^[\W_]*event$/i;

/** Objects that wrap the event: `data`, `eventData`, `message` */
const EVENT_WRAPPER =
	/^[\W_]*(?:(?:event|message|notification|webhook|hook)[\W_]*)?(?:event|data|payload|body|message|notification|details?|meta|headers?|envelope|content|info|params)$/i;

type Holder = 'top' | 'event' | 'envelope';

/**
 * Collects the texts of an event that may be its type, by the names of their fields: at the top level,
 * and in each envelope object there. `attributes` counts as part of the object that holds it.
 *
 * `{"id": 1, "data": {"event_type": "call.completed"}}` → `call.completed` at level 1
 */
export function placesOf(event: IDataObject): TypePlace[] {
	const holders: Array<[Holder, IDataObject]> = [['top', event]];
	for (const [field, value] of fieldsOf(event)) {
		if (!isObject(value) || !EVENT_WRAPPER.test(field)) continue;
		holders.push([EVENT_OBJECT.test(field) ? 'event' : 'envelope', value]);
	}
	return holders.flatMap(([holder, object]) =>
		fieldsOf(object).flatMap(([field, value]) => placeAt(field, value, holder)),
	);
}

function fieldsOf(object: IDataObject): Array<[string, unknown]> {
	const { attributes } = object;
	return [...Object.entries(object), ...Object.entries(isObject(attributes) ? attributes : {})];
}

function placeAt(field: string, text: unknown, holder: Holder): TypePlace[] {
	const isName = holder !== 'envelope' && NAME.test(field);
	if (!isShort(text) || (!isName && !TYPE_FIELD.test(field))) return [];
	return [{ text, level: holder === 'envelope' ? 1 : 0, isLabel: isName && holder === 'top' }];
}

/**
 * Collects the headers that may be the event's type, alone and with the body's `action`:
 * `x-acme-event: call` and `{"action": "started"}` → `call`, `call.started`. A header with another name is one
 * only if its value is a name of the catalog: `x-evt: call.started`
 */
export function placesOfHeaders(headers: Record<string, unknown>, body: unknown): TypePlace[] {
	const action = isObject(body) ? body.action : undefined;
	return Object.entries(headers).flatMap(([name, text]): TypePlace[] => {
		if (!isShort(text)) return [];
		const kind = headerKind(name);
		if (kind !== 'type') {
			const mayBeName = kind === undefined && SEVERAL_WORDS.test(text) && !isOfOther(name);
			return mayBeName ? [{ text, level: 2, isLabel: true }] : [];
		}
		const texts = isShort(action) ? [text, `${text}.${action}`] : [text];
		return texts.map((text) => ({ text, level: 0 }));
	});
}

function isShort(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME;
}
