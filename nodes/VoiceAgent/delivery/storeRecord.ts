import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isRecord, RECORD_HEADER } from '../auth/record';
import { readCredential } from '../service/credential';
import { addCaughtUp, presentEndpoint, stateOf, type TriggerRecord } from '../state/triggerState';
import type { Delivery } from './judge';

/**
 * Stores what a poll has sent to its own webhook: see `poll/record.ts`. It starts nothing.
 *
 * @returns the answer; undefined for a delivery of the service
 */
export async function storeRecord(
	context: IWebhookFunctions,
	{ headers, rawBody, body }: Delivery,
): Promise<IWebhookResponseData | undefined> {
	const proof = headers[RECORD_HEADER];
	if (proof === undefined || context.getMode() === 'manual') return undefined;
	const { apiKey } = await readCredential(context);
	if (!isRecord(apiKey, rawBody, proof)) return undefined;
	const { caughtUp, replaced } = body as TriggerRecord;
	const state = stateOf(context);
	const present = presentEndpoint(state);
	// An unpublish has removed what the poll had.
	if (present) addCaughtUp(state, caughtUp);
	if (present && replaced && present.id === replaced.former) {
		state.endpoints = [...state.endpoints!.slice(0, -1), { ...present, id: replaced.id }];
	}
	return { webhookResponse: { recorded: caughtUp.length } };
}
