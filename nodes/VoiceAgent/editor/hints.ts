/** What the editor shows after _Execute step_: the newest event of the service's log, and hints. */
import type { IDataObject } from 'n8n-workflow';

import { isSameAddress, tokenOf } from '../auth/token';
import { readCallDetails } from '../callDetails/callDetails';
import { DETAILS, NAMELESS, valueOf, type DetailKey } from '../callDetails/details';
import { rankFields } from '../callDetails/fieldRanking';
import type { ReceivedEvent } from '../delivery/item';
import { decideLogged } from '../delivery/decide';
import type { Received } from '../delivery/receive';
import { keepEvents } from './recentEvents';
import { isSameSelection } from '../events/names';
import type { Endpoint } from '../lists/records';
import { requestEndpoints } from '../lists/requestList';
import { findEvents, timeOf } from '../log/missed';
import { requestNewest } from '../log/requestLog';
import { excerptOf } from '../text/words';
import { hideSecrets } from '../service/secrets';
import type { Unmet } from '../trigger/callFilter';
import type { Settings } from '../trigger/settings';

/** How long the logs are read (ms): the service waits for the answer to its test event. */
const READ_MS = 4_000;
/** How many logs are read until one holds an event. */
const MOST_LOGS = 3;

/**
 * Requests the newest event of the service's logs that would start the workflow: of the published trigger's webhook,
 * else of those with the same events, else of the others. The test listener's own log holds the test event.
 *
 * @param settings with which its events are read: not as those of a test
 * @returns the events of its delivery; none if no log that was read holds one
 * @throws NodeApiError if the endpoints or a log can't be read
 */
async function requestLatest(
	{ context, facts: { catalog = [], endpointIds }, secrets }: Received,
	settings: Settings,
): Promise<ReceivedEvent[]> {
	const deadline = { endsAt: Date.now() + READ_MS, timeout: READ_MS, once: true };
	const { value } = await requestEndpoints(context, deadline);
	// Also in a test, n8n gives the production URL here.
	const publishedUrl = context.getNodeWebhookUrl('default') ?? '';
	const distance = ({ url, events = [] }: Endpoint) => {
		if (isSameAddress(url, publishedUrl)) return 0;
		return isSameSelection(events, settings.events, catalog) ? 1 : 2;
	};
	const ofTest = new Set<string | undefined>([...endpointIds, ...secrets]);
	const endpoints = value
		.filter(({ id, url }) => !ofTest.has(id) && !ofTest.has(tokenOf(url)))
		.toSorted((one, other) => distance(one) - distance(other));
	for (const endpoint of endpoints.slice(0, MOST_LOGS)) {
		const { value: attempts } = await requestNewest(context, endpoint, deadline);
		const events = findEvents(attempts, Date.now());
		for (const event of events.sort((one, other) => timeOf(other) - timeOf(one))) {
			const decided = decideLogged(event, settings, catalog);
			// A test of another day is in the log, too.
			const isReal = decided.some(({ details }) => !details.test);
			if (isReal) return decided;
		}
	}
	return [];
}

/** The details whose values a person recognizes by their form. */
const RECOGNIZABLE = [
	['customer.phone', /^(tel:)?\+\d|^\d+@(c\.us|s\.whatsapp\.net)$/, 'a phone number'],
	['customer.email', /@/, 'an e-mail address'],
	['recordingUrl', /\.(mp3|wav|ogg|m4a)\b/i, 'a recording'],
] as const;

const INVENTED =
	'You asked the service for a test event, so its values are probably invented. For those of a call, set Options → Test Event to "Wait for a Real Event".';
const NO_LATEST =
	"The service's log shows no event that would start the workflow, or not its content, so this is a test event, and its values are probably invented.";

/**
 * Keeps the events of _Execute step_ for the list of the mapping, and adds the hints.
 *
 * @param given all events of the delivery
 * @returns the events to show: the newest of the service's log, if that is wanted, and there is one; else those given
 */
export async function prepareTest(received: Received, given: ReceivedEvent[]) {
	const { context, settings, secrets } = received;
	// Without a log that can be read, it is the test event, and n8n's log says why.
	const warn = (error: Error) => {
		context.logger.warn(`Voice Agent Trigger could not read the latest event: ${error.message}`);
		return [];
	};
	const detailOptions = { ...settings.detailOptions, isTest: false };
	const real = { ...settings, detailOptions, requestTest: false };
	const latest = settings.showLatest ? await requestLatest(received, real).catch(warn) : [];
	const isFound = latest.length > 0;
	const events = hideSecrets(isFound ? latest : given, secrets);
	const sent = events.map((event) => event.sent);
	await keepEvents(context, sent);
	for (const event of events) {
		event.hints = hintsFor(event.sent, event.unmet, isFound ? real : settings).join('\n');
	}
	return events;
}

/**
 * Says of a test execution's event what a person may want to change: what the filter would do, which field a
 * detail that is null could be mapped to, and that the values are invented.
 *
 * @param unmet the condition of the filter that the call does not meet
 */
export function hintsFor(event: IDataObject, unmet: Unmet | undefined, settings: Settings) {
	const hints = settings.output === 'event' ? [] : mappingHints(event, settings);
	if (unmet) {
		const { condition, reason } = unmet;
		hints.unshift(`Only Calls That Match would leave this call out. ${condition}: ${reason}.`);
	}
	if (settings.requestTest) hints.push(settings.showLatest ? NO_LATEST : INVENTED);
	// The editor shows hints as HTML.
	return hints.map((hint) => excerptOf(hint).replace(/[<>&]/g, ''));
}

const unreadHint = (key: string) =>
	`Call Details Mapping reads no ${DETAILS[key as DetailKey].label} from this event. If the event states it, choose its field again.`;

/** `{ anrufer: { nummer: '+49 30 1234567' } }` → `"anrufer.nummer" looks like a phone number: …` */
function mappingHints(event: IDataObject, { detailOptions }: Settings): string[] {
	const details = readCallDetails(event, detailOptions);
	const mapped = detailOptions.mapping?.(event) ?? {};
	const isHidden = details.person in NAMELESS;
	const isUnread = (key: string) => valueOf(details, key as DetailKey) === null;
	const missing = RECOGNIZABLE.flatMap(([detail, form, what]) => {
		const isWanted = valueOf(details, detail) === null && mapped[detail] === undefined;
		if (!isWanted || (isHidden && detail === 'customer.phone')) return [];
		const { label, read } = DETAILS[detail];
		const [field] = rankFields([event], detail).filter(({ value }) => form.test(String(value)));
		const isOfAgent = field && Object.values(details.agent).includes(read(field.value) as string);
		if (!field?.fits || isOfAgent) return [];
		return `"${field.path}" looks like ${what}: map it to ${label}, in Options → Call Details Mapping.`;
	});
	return [...Object.keys(mapped).filter(isUnread).map(unreadHint), ...missing];
}
