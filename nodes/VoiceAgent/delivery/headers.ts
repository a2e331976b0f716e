import type { Headers } from './signatures';

/**
 * The headers that delivery details show: ids, event types and timestamps of deliveries.
 * `webhook-id`, `x-acme-delivery`, `ce-type`, `x-event-name`, `x-acme-topic`, `svix-timestamp`
 */
const SHOWN: RegExp[] = [
	/^(content-type|user-agent)$/,
	/(^|-)(webhook|svix|ce|delivery|event|message|notification)-(uu)?id$|-delivery$/,
	/(^|-)(event|topic)(-(type|name|topic))?$|(^|-)(webhook|svix|ce|message|notification)-type$/,
	/(^|-)timestamp$|(^|-)(webhook|ce|delivery|event|message|notification)-time$/,
];

/**
 * Chooses the headers that a workflow may see. All others are left out: no list of names knows every
 * header that holds a secret or a person's address.
 */
export function shownHeaders(headers: Headers): Headers {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) =>
			SHOWN.some((pattern) => pattern.test(name.toLowerCase())),
		),
	);
}
