import type { INodeExecutionData } from 'n8n-workflow';

import { readCredential, secretsOf } from '../service/credential';
import { hideSecrets } from '../service/secrets';
import { typeOfAll } from '../delivery/item';
import { judgeLogged } from '../delivery/loggedEvents';
import { toItems } from '../delivery/outputItems';
import { readOutputs } from '../trigger/outputs';
import { readSettings } from '../trigger/settings';
import type { EventIdentity } from '../events/identity';
import { timeOf, type LoggedEvent } from '../log/missed';
import type { CallContext } from '../webhook/callContext';
import { findStarted, noteDone, wasAccepted, type TriggerMemory } from '../state/triggerMemory';
import { typeReader } from '../events/reader';

/** What starts for a missed event. */
export interface MissedItems {
	items: INodeExecutionData[];
	identity: EventIdentity;
}

/**
 * Prepares the judgement of missed events, as if each were delivered now: the same events start the
 * workflow, with the same items. An event that was caught up or accepted by now starts nothing.
 */
export async function missedJudge(context: CallContext['context'], memory: TriggerMemory) {
	const settings = readSettings(context);
	const { catalog = [], signingSecret = '' } = memory.state;
	const outputs = readOutputs(context.getNode().parameters);
	const secrets = [...secretsOf(await readCredential(context)), signingSecret];
	/** @returns true for an event that needs no execution; one that n8n has accepted is noted */
	const isSettled = (event: LoggedEvent, identity: EventIdentity) => {
		if (findStarted(memory, identity)) return true;
		if (!wasAccepted(memory, identity)) return false;
		// A restart forgets what was accepted, and the log has the event as failed.
		noteDone(memory, { time: timeOf(event), ...identity, wasAccepted: true });
		return true;
	};
	return {
		/** @returns the items of an event; undefined if it starts nothing */
		makeItems(missed: LoggedEvent): MissedItems | undefined {
			const events = judgeLogged(missed, settings, catalog);
			const identity = { type: typeOfAll(events), keys: missed.keys };
			if (events.length === 0 || isSettled(missed, identity)) return undefined;
			return { items: hideSecrets(toItems(events, outputs), secrets), identity };
		},
		/** @returns true for an event that would start the workflow if the log held it */
		isLost(missed: LoggedEvent): boolean {
			const { details, type, eventId } = missed;
			// A delivery has no key of the record, and the record none of the event's content.
			const keys = [...missed.keys, ...(eventId === null ? [] : [`id ${eventId}`])];
			if (details.event !== null) return false;
			const places = type === null ? [] : [{ text: type, level: 0 }];
			const { kind } = typeReader(settings.events, catalog).read(places);
			return kind !== 'notSelected' && !isSettled(missed, { type, keys });
		},
	};
}
