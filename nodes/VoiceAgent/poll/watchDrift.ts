import { DETAILS, valueOf, type DetailKey } from '../callDetails/details';
import type { ReceivedEvent } from '../delivery/item';
import { readLogged } from '../delivery/loggedEvents';
import type { LoggedAttempt } from '../log/deliveryDetails';
import { digestOf } from '../events/identity';
import { inOrder } from '../log/requestLog';
import { CLOCKS_APART_MS } from '../webhook/ownership';
import { readSettings, type Settings } from '../trigger/settings';
import { BEFORE, findDrifts, NEWEST, type SeenEvent } from './drift';
import type { Poll } from './polls';
import { report } from './report';

/** How many deliveries of the log are remembered: events of other types may stand between those of one. */
const MOST_SEEN = 500;
/** Workflows find a customer and a record by these. Mapped details are watched, too. */
const WATCHED: DetailKey[] = ['id', 'customer.phone'];

/**
 * Reports, once a day, if a detail that the events of the log used to state is missing in all new ones, as after a
 * service has renamed a field. It requests nothing: a log that shows few events at once is watched over several
 * readings.
 *
 * @param attempts of the log, as a poll has read it
 */
export function watchDrift(poll: Poll, attempts: LoggedAttempt[]): void {
	const { context, memory, polls } = poll;
	const { seen } = polls;
	const settings = readSettings(context);
	// Earlier readings have seen the others.
	const since = seen.size > 0 ? (polls.lastRead?.at ?? 0) - CLOCKS_APART_MS : 0;
	const recent = attempts.filter(({ details }) => !(Date.parse(details.time ?? '') < since));
	for (const attempt of inOrder(recent).slice(-MOST_SEEN)) {
		const digest = digestOf(attempt.details.event);
		// An attempt of the same event, or one of an earlier reading.
		if (digest === undefined || seen.has(digest)) continue;
		const events = readLogged(attempt, settings, memory.state.catalog);
		seen.set(
			digest,
			events.map((event) => toSeen(event, settings)),
		);
	}
	for (const digest of [...seen.keys()].slice(0, -MOST_SEEN)) seen.delete(digest);
	const drifts = findDrifts([...seen.values()].flat()).map(
		({ detail, found }) =>
			`${DETAILS[detail].label} was found in ${found} of ${BEFORE} calls, and in none of the last ${NEWEST}.`,
	);
	if (drifts.length === 0) return;
	const text = `${drifts.join(' ')} Did the service rename a field? Compare the events of the last executions with earlier ones, and choose the new field in Options → Call Details Mapping.`;
	report(poll, 'drift', text);
}

function toSeen({ type, sent, details }: ReceivedEvent, { reading }: Settings): SeenEvent {
	const mapped = Object.keys(reading.mapping?.(sent) ?? {}) as DetailKey[];
	// These events state why they have no number.
	const isHidden = details.person === 'withheld' || details.person === 'web';
	const found = [...new Set([...WATCHED, ...mapped])].filter(
		(key) => valueOf(details, key) !== null || (key === 'customer.phone' && isHidden),
	);
	return { type, found };
}
