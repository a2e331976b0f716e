/** The hints that the editor shows after _Execute step_. */
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { beginning } from '../api/messages';
import { hideSecrets } from '../api/secrets';
import { readCallDetails } from '../callDetails/callDetails';
import { DETAILS } from '../callDetails/details';
import { rankFields } from '../callDetails/fieldRanking';
import type { ReceivedEvent } from './item';
import { hintOfLog } from './logHint';
import { keepEvents } from './recentEvents';
import type { Settings } from '../trigger/settings';

/** The details whose values have a telling form. */
const TELLING = [
	['customer.phone', /^(tel:)?\+\d/, 'a phone number'],
	['customer.email', /@/, 'an e-mail address'],
	['recordingUrl', /\.(mp3|wav|ogg|m4a)\b/i, 'a recording'],
] as const;

/**
 * Keeps the events of _Execute step_ for the list of the mapping, and adds the hints.
 *
 * @param events all events of the delivery
 * @param secrets hidden in the list
 */
export async function prepareEditor(
	context: IWebhookFunctions,
	events: ReceivedEvent[],
	settings: Settings,
	secrets: string[],
): Promise<void> {
	const sent = events.map((event) => event.sent);
	const kept = keepEvents(context, hideSecrets(sent, secrets));
	const [ofLog] = await Promise.all([hintOfLog(context, settings), kept]);
	for (const event of events) {
		const hints = hintsFor(event.sent, event.unmet, settings);
		event.hints = [...(ofLog ? [ofLog] : []), ...hints].join('\n');
	}
}

/**
 * Says of a test execution's event what a person may want to change: what the filter would do, which field a
 * detail that is null could be mapped to, and that the values are invented.
 *
 * @param unmet the condition of the filter that the call does not meet
 */
export function hintsFor(event: IDataObject, unmet: string | undefined, settings: Settings) {
	const hints = settings.output === 'event' ? [] : mappingHints(event, settings);
	if (unmet !== undefined) {
		hints.unshift(`Only Calls That Match would leave this call out: ${unmet}.`);
	}
	if (settings.requestSample) {
		hints.push(
			'You asked the service for a test event, so its values are probably invented. For those of a call, set Options → Test Event to "Wait for a Real Event".',
		);
	}
	// The editor shows hints as HTML.
	return hints.map((hint) => beginning(hint).replace(/[<>&]/g, ''));
}

/** `{ anrufer: { nummer: '+49 30 1234567' } }` → `"anrufer.nummer" looks like a phone number: …` */
function mappingHints(event: IDataObject, { reading }: Settings): string[] {
	const { customer, agent, person, recordingUrl } = readCallDetails(event, reading);
	const mapped = reading.mapping?.(event) ?? {};
	const { phone, email } = customer;
	const values = { 'customer.phone': phone, 'customer.email': email, recordingUrl };
	const isHidden = person === 'withheld' || person === 'web';
	return TELLING.flatMap(([detail, form, what]) => {
		const isWanted = values[detail] === null && mapped[detail] === undefined;
		if (!isWanted || (isHidden && detail === 'customer.phone')) return [];
		const { label, read } = DETAILS[detail];
		const [field] = rankFields([event], detail).filter(({ value }) => form.test(String(value)));
		const isOurs = field && Object.values(agent).includes(read(field.value) as string);
		if (!field?.fits || isOurs) return [];
		return `"${field.path}" looks like ${what}: map it to ${label}, in Options → Call Details Mapping.`;
	});
}
