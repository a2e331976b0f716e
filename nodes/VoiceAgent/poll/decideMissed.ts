import type { INodeExecutionData } from 'n8n-workflow';

import { decideLogged } from '../delivery/decide';
import { commonTypeOf, toItems } from '../delivery/item';
import { idIn, type EventIdentity } from '../events/identity';
import { typeReader } from '../events/reader';
import { timeOf, type LoggedEvent } from '../log/missed';
import { readCredential, secretsOf } from '../service/credential';
import { hideSecrets } from '../service/secrets';
import { findSettled, isUnanswered, rememberSettled, wasAccepted } from '../state/triggerMemory';
import type { SettledEvent } from '../state/triggerState';
import { readOutputs } from '../trigger/description';
import { readSettings } from '../trigger/settings';
import type { Poll } from './schedule';

/** What becomes of a missed event. */
export type MissedDecision =
	/** It starts the workflow with these items. */
	| { kind: 'startable'; items: INodeExecutionData[]; identity: EventIdentity }
	/** It would start the workflow if the log held it. */
	| { kind: 'lost' }
	/** n8n has accepted its delivery. A restart forgets that, and the log has it as failed. */
	| { kind: 'accepted'; identity: Omit<SettledEvent, 'time'> }
	/** It is settled, or does not start the workflow. */
	| { kind: 'ignored' };

/**
 * Makes a function that decides on a missed event, as if it were delivered now: the same events start the workflow,
 * with the same items.
 */
export async function missedDecider({ context, memory }: Poll) {
	const settings = readSettings(context);
	const { catalog = [], signingSecret = '' } = memory.state;
	const outputs = readOutputs(context.getNode().parameters);
	const secrets = [...secretsOf(await readCredential(context)), signingSecret];
	const readType = typeReader(settings.events, catalog);
	const mayBeSelected = ({ type }: LoggedEvent) =>
		type === null || readType([{ text: type, level: 0 }]).kind !== 'notSelected';
	return (missed: LoggedEvent): MissedDecision => {
		const isHeld = missed.details.event !== null;
		const events = decideLogged(missed, settings, catalog);
		const isWanted = isHeld
			? events.length > 0
			: mayBeSelected(missed) && !findSettled(memory, identityInReport(missed));
		const identity = isHeld ? { ...missed.identity, type: commonTypeOf(events) } : missed.identity;
		if (!isWanted || findSettled(memory, identity)) return { kind: 'ignored' };
		if (isUnanswered(memory, identity)) {
			// The log of a removed endpoint can't be read again.
			const { endpointId } = missed.details;
			memory.undecided.set(endpointId, [...(memory.undecided.get(endpointId) ?? []), missed]);
			return { kind: 'ignored' };
		}
		if (wasAccepted(memory, identity)) {
			return { kind: 'accepted', identity: { ...identity, wasAccepted: true } };
		}
		if (!isHeld) return { kind: 'lost' };
		return { kind: 'startable', items: hideSecrets(toItems(events, outputs), secrets), identity };
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
function identityInReport({ type, identity: { ids }, details }: LoggedEvent): EventIdentity {
	const id = ids[0] ?? idIn(details.id) ?? details.time ?? details.eventType;
	return { type, ids: [`record ${id}`] };
}
