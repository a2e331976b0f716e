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
export const clockOf = (timezone = 'UTC'): Clock => clockIn(timezone).forTexts;

/** Writes an instant for a column that can be sorted. `2026-01-31T09:01:00.000Z` → `2026-01-31 10:01` */
export function sortableTime(instant: string, timezone = 'UTC'): string {
	return clockIn(timezone).forTables(instant);
}

const clockIn = memoize((timeZone): Record<'forTexts' | 'forTables', Clock> => {
	const clockLike = (locale: string, dateStyle: 'medium' | 'short', end: string): Clock => {
		const { format } = new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short', timeZone });
		// A time that is none stays as it is.
		const write = (instant: string | number) =>
			Number.isNaN(+new Date(instant)) ? `${instant}` : format(new Date(instant));
		return (...instants) => [...new Set(instants.map(write))].join(' to ') + end;
	};
	try {
		// Sweden writes dates as ISO 8601 does.
		return {
			forTexts: clockLike('en-GB', 'medium', ` (${timeZone})`),
			forTables: clockLike('sv-SE', 'short', ''),
		};
	} catch {
		return clockIn('UTC');
	}
});
