import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../transport/fields';
import type { Headers } from './signatures';

/** A text that may be the type of an event, since it stands under a name that says so. */
export interface EventText {
	text: string;
	/** 0 at the top of an event and in a header. */
	depth: number;
	/**
	 * True where the name speaks of this very event (`type`, `event_name`), and false where it may
	 * speak of something else (`previous_event`, `call_type`).
	 */
	own: boolean;
	/** True where types usually stand: at the top, or in what is called an event, by such a name. */
	usual: boolean;
}

/** Types stand near the top: `data.attributes.event.type` is as deep as they are looked for. */
const DEEPEST = 3;

/** So many fields are looked at, those near the top first, however large the event is. */
const MOST_FIELDS = 1_000;

/** Longer texts are no types. */
const LONGEST_TEXT = 200;

const SAYS_TYPE = /event|type|topic/i;
const SAYS_TYPE_OR_NAME = /event|type|topic|action|name/i;

/** Begins with what a delivery is called: more words before it would be about something else. */
const OF_THE_EVENT =
	/^\W*(event|type|topic|action|name|(web)?hook|subscription|notification|message|trigger)/i;

/**
 * Collects the texts of an event that may be its type. The contract shows no envelope (section 6), so
 * this goes by what the names of the fields say and not by their places; nothing in arrays is looked
 * at, for those list other things.
 *
 * @returns the texts of the best places first: the top, then the deeper levels
 */
export function textsOf(event: IDataObject): EventText[] {
	const texts: EventText[] = [];
	const queue = [{ object: event, depth: 0, isEvent: false }];
	let fields = 0;
	for (const { object, depth, isEvent } of queue) {
		for (const name of Object.keys(object)) {
			if (++fields > MOST_FIELDS) return texts;
			const value = object[name];
			if (isObject(value)) {
				if (depth < DEEPEST) {
					queue.push({ object: value, depth: depth + 1, isEvent: OF_THE_EVENT.test(name) });
				}
			} else if (isShort(value) && SAYS_TYPE_OR_NAME.test(name)) {
				const own = OF_THE_EVENT.test(name);
				const usual = own && (isEvent || (depth === 0 && SAYS_TYPE.test(name)));
				texts.push({ text: value, depth, own, usual });
			}
		}
	}
	return texts;
}

/** Collects the headers that may be the event's type, whatever else their vendor calls them. */
export function textsOfHeaders(headers: Headers): EventText[] {
	return Object.entries(headers).flatMap(([name, value]) =>
		isShort(value) && SAYS_TYPE.test(name) && !name.startsWith('content-')
			? [{ text: value, depth: 0, own: true, usual: !/(id|time|timestamp|version)$/.test(name) }]
			: [],
	);
}

function isShort(value: unknown): value is string {
	return typeof value === 'string' && value !== '' && value.length <= LONGEST_TEXT;
}
