import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { typeOfAll } from '../delivery/item';
import { judgeLogged } from '../delivery/loggedEvents';
import { toItems } from '../delivery/outputItems';
import type { EventIdentity } from '../events/identity';
import { typeReader } from '../events/reader';
import { timeOf, type LoggedEvent } from '../log/missed';
import { readCredential, secretsOf } from '../service/credential';
import { hideSecrets } from '../service/secrets';
import {
	findStarted,
	rememberStarted,
	wasAccepted,
	type TriggerMemory,
} from '../state/triggerMemory';
import type { CaughtUp } from '../state/triggerState';
import { readOutputs } from '../trigger/outputs';
import { readSettings } from '../trigger/settings';

/** What starts for a missed event. */
export interface MissedItems {
	items: INodeExecutionData[];
	identity: EventIdentity;
}

/**
 * Prepares the judgement of missed events, as if each were delivered now: the same events start the
 * workflow, with the same items. An event that was caught up or accepted by now starts nothing.
 */
export async function missedJudge(context: IPollFunctions, memory: TriggerMemory) {
	const settings = readSettings(context);
	const { catalog = [], signingSecret = '' } = memory.state;
	const outputs = readOutputs(context.getNode().parameters);
	const secrets = [...secretsOf(await readCredential(context)), signingSecret];
	/** @returns true for an event that needs no execution */
	const isSettled = (event: LoggedEvent, identity: EventIdentity) => {
		if (findStarted(memory, identity)) return true;
		if (!wasAccepted(memory, identity)) return false;
		// A restart forgets what was accepted, and the log has the event as failed.
		noteDone(memory, event, { ...identity, wasAccepted: true });
		return true;
	};
	return {
		/** @returns the items of an event; undefined if it starts nothing */
		makeItems(missed: LoggedEvent): MissedItems | undefined {
			const events = judgeLogged(missed, settings, catalog);
			const identity = { ...missed.identity, type: typeOfAll(events) };
			if (events.length === 0 || isSettled(missed, identity)) return undefined;
			return { items: hideSecrets(toItems(events, outputs), secrets), identity };
		},
		/** @returns true for an event that would start the workflow if the log held it */
		isLost(missed: LoggedEvent): boolean {
			if (missed.details.event !== null) return false;
			const places = missed.type === null ? [] : [{ text: missed.type, level: 0 }];
			const { kind } = typeReader(settings.events, catalog).read(places);
			const isReported = findStarted(memory, identityOfRecord(missed)) !== undefined;
			return kind !== 'notSelected' && !isReported && !isSettled(missed, missed.identity);
		},
	};
}

/** Remembers an event that needs no execution any more, also after a restart. */
export function noteDone(
	memory: TriggerMemory,
	event: LoggedEvent,
	identity: Omit<CaughtUp, 'time'> = identityOfRecord(event),
): void {
	const done = { ...identity, time: timeOf(event) };
	rememberStarted(memory, done);
	memory.unrecorded.push(done);
}

/** @returns what identifies an event that is only reported: its delivery would not be a duplicate */
function identityOfRecord({ type, identity: { ids }, details }: LoggedEvent): EventIdentity {
	return { type, ids: [`record ${ids[0] ?? details.id ?? details.time ?? details.eventType}`] };
}
