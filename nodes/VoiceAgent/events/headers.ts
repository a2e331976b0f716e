import { memoize, splitWords } from '../text/words';

/** The headers of a delivery, by lower-case name. */
export type Headers = Record<string, string | string[] | undefined>;

/** What a header of a delivery holds: an ID of the delivery or its event, an event type, or a time. */
export type HeaderKind = 'id' | 'type' | 'time';

const OF_OTHER = /(^|-)(content|last|prev|previous|prior|next|parent|original|target)-/;

/**
 * The ends of the names. An ID that different events may share is none: `x-request-id`, `x-call-id`, and
 * `x-gitlab-webhook-uuid`, which is the endpoint's.
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
	if (isOfOther(name)) return undefined;
	const plainName = splitWords(name).join('-');
	return (['id', 'type', 'time'] as const).find((kind) => NAMES_OF[kind].test(plainName));
});

/** Whether a header is about another thing than the event: `content-type`, `x-last-event`, `x-parent-event-id` */
export function isOfOther(name: string): boolean {
	return OF_OTHER.test(splitWords(name).join('-'));
}
