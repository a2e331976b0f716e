/** The hints that the editor shows after _Execute step_. */
import type { IDataObject } from 'n8n-workflow';

import { beginning } from '../service/errors';
import { hideInLogged, hideSecrets } from '../service/secrets';
import { readCallDetails } from '../callDetails/callDetails';
import { DETAILS, NAMELESS, valueOf } from '../callDetails/details';
import { rankFields } from '../callDetails/fieldRanking';
import type { PrepareTest } from '../delivery/receive';
import { requestLatest } from './latestEvent';
import { keepEvents } from './recentEvents';
import type { Unmet } from '../trigger/callFilter';
import type { Settings } from '../trigger/settings';

/** The details whose values a person recognizes by their form. */
const RECOGNIZABLE = [
	['customer.phone', /^(tel:)?\+\d|^\d+@(c\.us|s\.whatsapp\.net)$/, 'a phone number'],
	['customer.email', /@/, 'an e-mail address'],
	['recordingUrl', /\.(mp3|wav|ogg|m4a)\b/i, 'a recording'],
] as const;

const INVENTED =
	'You asked the service for a test event, so its values are probably invented. For those of a call, set Options → Test Event to "Wait for a Real Event".';
const NO_LATEST =
	"The service's log shows no event that would start the workflow, so this is a test event, and its values are probably invented.";

/**
 * Keeps the events of _Execute step_ for the list of the mapping, and adds the hints.
 *
 * @returns the events to show: the newest of the service's log, if that is wanted, and there is one; else the received
 */
export const prepareTest: PrepareTest = async (context, received, settings, grounds, secrets) => {
	// Without a log that can be read, it is the test event, and n8n's log says why.
	const warn = (error: Error) => {
		context.logger.warn(`Voice Agent Trigger could not read the latest event: ${error.message}`);
		return [];
	};
	const reading = { ...settings.reading, isTest: false };
	const real = { ...settings, reading, requestSample: false };
	const latest = settings.showLatest
		? await requestLatest(context, real, grounds, secrets).catch(warn)
		: [];
	const isFound = latest.length > 0;
	const events = isFound ? hideInLogged(latest, secrets) : received;
	const sent = events.map((event) => event.sent);
	await keepEvents(context, hideSecrets(sent, secrets));
	for (const event of events) {
		event.hints = hintsFor(event.sent, event.unmet, isFound ? real : settings).join('\n');
	}
	return events;
};

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
	if (settings.requestSample) hints.push(settings.showLatest ? NO_LATEST : INVENTED);
	// The editor shows hints as HTML.
	return hints.map((hint) => beginning(hint).replace(/[<>&]/g, ''));
}

/** `{ anrufer: { nummer: '+49 30 1234567' } }` → `"anrufer.nummer" looks like a phone number: …` */
function mappingHints(event: IDataObject, { reading }: Settings): string[] {
	const details = readCallDetails(event, reading);
	const mapped = reading.mapping?.(event) ?? {};
	const isHidden = details.person in NAMELESS;
	return RECOGNIZABLE.flatMap(([detail, form, what]) => {
		const isWanted = valueOf(details, detail) === null && mapped[detail] === undefined;
		if (!isWanted || (isHidden && detail === 'customer.phone')) return [];
		const { label, read } = DETAILS[detail];
		const [field] = rankFields([event], detail).filter(({ value }) => form.test(String(value)));
		const isOfAgent = field && Object.values(details.agent).includes(read(field.value) as string);
		if (!field?.fits || isOfAgent) return [];
		return `"${field.path}" looks like ${what}: map it to ${label}, in Options → Call Details Mapping.`;
	});
}
