import type { INodeExecutionData } from 'n8n-workflow';

import { decideLogged } from '../delivery/decide';
import { commonTypeOf, toItems } from '../delivery/item';
import { idIn, type EventIdentity } from '../events/identity';
import { typeReader } from '../events/reader';
import { timeOf, type LoggedEvent } from '../log/missed';
import { hideSecrets } from '../service/secrets';
import { findSettled, isUnanswered, rememberSettled, wasAccepted } from '../state/triggerMemory';
import type { SettledEvent } from '../state/triggerState';
import { readSettings } from '../trigger/settings';
import type { Poll } from './schedule';

/** How a missed event starts the workflow: its items, and its identity as of a delivery. */
export interface Startable {
	items: INodeExecutionData[];
	identity: EventIdentity;
}

/**
 * Makes a function that decides on a missed event, as if it were delivered now: the same events start the workflow,
 * with the same items. It settles an event whose delivery n8n has accepted (a restart forgets that, and the log has it
 * as failed), and keeps one that n8n has not answered yet for the next reading.
 *
 * @returns the function: what starts the workflow; `lost` for an event that would, if the log held it; undefined for
 *   any other event
 */
export function missedDecider(poll: Poll) {
	const { context, memory } = poll;
	const settings = readSettings(context);
	const { catalog = [], signingSecret = '' } = memory.state;
	const readType = typeReader(settings.events, catalog);
	const mayBeSelected = ({ identity: { type } }: LoggedEvent) =>
		type === null || readType([{ text: type, level: 0 }]).kind !== 'notSelected';
	return (missed: LoggedEvent): Startable | 'lost' | undefined => {
		const isHeld = missed.details.event !== null;
		const events = decideLogged(missed, settings, catalog);
		const isWanted = isHeld
			? events.length > 0
			: mayBeSelected(missed) && !findSettled(memory, identityInReport(missed));
		const identity = isHeld ? { ...missed.identity, type: commonTypeOf(events) } : missed.identity;
		if (!isWanted || findSettled(memory, identity)) return undefined;
		if (isUnanswered(memory, identity)) {
			// The log of a removed endpoint can't be read again.
			const { endpointId } = missed.details;
			memory.undecided.set(endpointId, [...(memory.undecided.get(endpointId) ?? []), missed]);
			return undefined;
		}
		if (wasAccepted(memory, identity)) {
			settle(poll, missed, { ...identity, wasAccepted: true });
			return undefined;
		}
		if (!isHeld) return 'lost';
		// `service/request.ts` has hidden the secrets of the credential in the log.
		return { items: hideSecrets(toItems(events), [signingSecret]), identity };
	};
}

/** Remembers an event that needs no further execution, also after a restart. */
export function settle(
	{ memory }: Poll,
	event: LoggedEvent,
	identity: Omit<SettledEvent, 'time'> = identityInReport(event),
): void {
	const settled = { ...identity, time: timeOf(event) };
	rememberSettled(memory, settled);
	memory.unstored.push(settled);
}

/** @returns what identifies an event that is only reported: its delivery would not be a duplicate */
function identityInReport({ identity: { type, ids }, details }: LoggedEvent): EventIdentity {
	const id = ids[0] ?? idIn(details.id) ?? details.time ?? details.eventType;
	return { type, ids: [`record ${id}`] };
}
