import type { INodeExecutionData } from 'n8n-workflow';

import { readCredential } from '../api/credential';
import { hideSecrets } from '../api/secrets';
import { typeOfAll } from '../delivery/item';
import { judge } from '../delivery/judge';
import { toItems } from '../delivery/outputItems';
import { readOutputs } from '../trigger/outputs';
import { readSettings } from '../trigger/settings';
import type { EventIdentity } from '../deliveryLog/eventKeys';
import { timeOf, type MissedEvent } from '../deliveryLog/missed';
import type { Trigger } from '../endpoint/trigger';
import { wasAccepted, type TriggerMemory } from '../endpoint/triggerMemory';
import { typeReader } from '../eventTypes/reader';

/** Makes the items of an event that was missed. */
export type MakeItems = (
	event: MissedEvent,
) => { items: INodeExecutionData[][]; identity: EventIdentity } | 'ignored' | 'withoutEvent';

/**
 * Prepares the judgement of missed events, as if each were delivered now: the same events start the
 * workflow, with the same items. An event that was caught up or accepted by now is ignored.
 */
export async function itemMaker(
	context: Trigger['context'],
	memory: TriggerMemory,
): Promise<MakeItems> {
	const settings = { ...readSettings(context), verifySignature: false };
	const { catalog = [], signingSecret = '' } = memory.state;
	const { apiKey, webhookSigningSecret } = await readCredential(context);
	const outputs = readOutputs(context.getNode().parameters);
	const secrets = [apiKey, signingSecret, webhookSigningSecret];
	const state = { catalog, secrets: [], endpointIds: [], manual: false, now: 0 };
	const isDone = (event: MissedEvent, identity: EventIdentity) =>
		memory.caughtUp.find(identity) !== undefined || wasAccepted(memory, identity, timeOf(event));

	return (missedEvent) => {
		const { details, type, keys, eventId, reason, attempts, lastAttemptAt } = missedEvent;
		const { event } = details;
		if (event === null) {
			const places = type === null ? [] : [{ text: type, level: 0 }];
			const { kind } = typeReader(settings.events, catalog).read(places);
			return kind === 'notSelected' || isDone(missedEvent, { type, keys })
				? 'ignored'
				: 'withoutEvent';
		}
		// The log may have both from headers of the delivery.
		const headers = { 'event-type': type ?? '', 'event-id': eventId ?? '' };
		const delivery = { headers, query: {}, rawBody: Buffer.alloc(0), body: event };
		const missed = { reason, attempts, lastAttemptAt };
		const verdict = judge(delivery, { ...state, missed }, settings);
		if (verdict.kind !== 'accepted') return 'ignored';
		const identity = { type: typeOfAll(verdict.events), keys };
		if (isDone(missedEvent, identity)) return 'ignored';
		return { items: hideSecrets(toItems(verdict.events, outputs), secrets), identity };
	};
}
