/** Times as people read them. The fields of outputs hold ISO 8601 in UTC instead. */
import { memoize } from '../text/words';

/** Writes an instant, or several as a span: ISO 8601 or milliseconds since the epoch. */
type Clock = (...instants: Array<string | number>) => string;

/**
 * Makes the clock of the workflow's time zone. The zone is named, because texts leave n8n, and few people know
 * their workflow's zone: n8n's default is New York.
 * `2026-01-31T09:01:00.000Z` → `31 Jan 2026, 10:01 (Europe/Berlin)`
 *
 * @param timezone `Europe/Berlin`; one that Node.js does not know counts as UTC
 */
export const clockOf = (timezone = 'UTC'): Clock => clockIn(timezone);

const clockIn = memoize((timeZone): Clock => {
	const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
	try {
		const { format } = new Intl.DateTimeFormat('en-GB', { ...style, timeZone });
		return (...instants) => {
			const times = new Set(instants.map((instant) => format(new Date(instant))));
			return `${[...times].join(' to ')} (${timeZone})`;
		};
	} catch {
		return clockIn('UTC');
	}
});
