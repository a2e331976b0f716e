import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readCredential } from '../api/credential';
import { hideSecrets } from '../api/secrets';
import { judge } from '../delivery/judge';
import { readOutputs, toItems } from '../delivery/outputs';
import { readSettings } from '../delivery/triggerSettings';
import type { MissedEvent } from '../deliveryLog/missed';
import { newestState } from '../endpoint/newestState';
import { typeReader } from '../eventTypes/reader';

/** Makes the items of an event that was missed. */
export type MakeItems = (event: MissedEvent) => INodeExecutionData[][] | 'ignored' | 'withoutEvent';

/**
 * Prepares the judgement of missed events, as if each were delivered now: the same events start the
 * workflow, with the same items.
 */
export async function itemMaker(context: IPollFunctions): Promise<MakeItems> {
	const settings = { ...readSettings(context), verifySignature: false };
	const { catalog = [], signingSecret = '' } = newestState(context);
	const { apiKey, webhookSigningSecret } = await readCredential(context);
	const outputs = readOutputs(context.getNode().parameters);
	const secrets = [apiKey, signingSecret, webhookSigningSecret];
	const state = { catalog, secrets: [], endpointIds: [], manual: false, now: 0 };

	return ({ details, eventId, reason, attempts, lastAttemptAt }) => {
		const { event, eventType } = details;
		if (event === null) {
			const places = eventType === null ? [] : [{ text: eventType, level: 0 }];
			const { kind } = typeReader(settings.events, catalog).read(places);
			return kind === 'notSelected' ? 'ignored' : 'withoutEvent';
		}
		// The log may have both from headers of the delivery.
		const headers = { 'event-type': eventType ?? '', 'event-id': eventId ?? '' };
		const delivery = { headers, query: {}, rawBody: Buffer.alloc(0), body: event };
		const missed = { reason, attempts, lastAttemptAt };
		const verdict = judge(delivery, { ...state, missed }, settings);
		if (verdict.kind !== 'accepted') return 'ignored';
		return hideSecrets(toItems(verdict.events, outputs), secrets);
	};
}
