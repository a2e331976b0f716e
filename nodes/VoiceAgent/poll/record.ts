import type { IPollFunctions } from 'n8n-workflow';

import { bindingOf, makeToken, RECORD_HEADER, signRecord, withToken } from '../auth/token';
import { readCredential } from '../service/credential';
import type { TriggerMemory } from '../state/triggerMemory';
import type { TriggerRecord } from '../state/triggerState';
import { claimReport } from './schedule';

/** How long n8n may take to store a record (ms). */
const RECORD_MS = 10_000;

/** How long no further request is sent after one that failed (ms). */
const PAUSE_MS = 60_000;

/**
 * Sends what polls have done to the trigger's own webhook, which stores it. If that fails, a later poll tries again,
 * and the next delivery to this process stores it; until then, a restart starts the events again. It never throws.
 */
export async function record(context: IPollFunctions, memory: TriggerMemory): Promise<void> {
	// One request after the other: the one under way may have begun before the last event was done.
	memory.recording = memory.recording.then(async () => {
		if (Date.now() - (memory.recordFailure?.at ?? -Infinity) < PAUSE_MS) return;
		await sendAll(context, memory).catch((error: Error) => noteFailure(context, memory, error));
	});
	await memory.recording;
}

function noteFailure(context: IPollFunctions, memory: TriggerMemory, error: Error): void {
	memory.recordFailure = { at: Date.now(), why: error.message };
	if (!claimReport({ memory }, 'record')) return;
	context.logger.warn(
		`Voice Agent Trigger could not reach its own webhook URL ${memory.webhookUrl}, to store which missed events were started, so a restart of n8n may start them again: ${error.message}`,
	);
}

async function sendAll(context: IPollFunctions, memory: TriggerMemory): Promise<void> {
	while (memory.unrecorded.length > 0 || memory.unrecordedReplacement) {
		const { unrecorded: caughtUp, unrecordedReplacement: replaced } = memory;
		const events = [...caughtUp];
		await send(context, memory.webhookUrl, { caughtUp: events, replaced });
		memory.unrecorded = memory.unrecorded.filter((event) => !events.includes(event));
		if (memory.unrecordedReplacement === replaced) memory.unrecordedReplacement = undefined;
		memory.recordFailure = undefined;
	}
}

/** @throws Error if n8n did not store the record */
async function send(context: IPollFunctions, webhookUrl: string, stored: TriggerRecord) {
	const { apiKey, ignoreSSLIssues } = await readCredential(context);
	const token = makeToken(
		apiKey,
		bindingOf('production', `${context.getWorkflow().id}`, webhookUrl),
	);
	const body = JSON.stringify(stored);
	const answer = (await context.helpers.httpRequest({
		method: 'POST',
		url: withToken(webhookUrl, token),
		body,
		headers: { 'content-type': 'application/json', [RECORD_HEADER]: signRecord(apiKey, body) },
		timeout: RECORD_MS,
		skipSslCertificateValidation: ignoreSSLIssues,
	})) as { recorded?: number } | undefined;
	if (answer?.recorded !== stored.caughtUp.length)
		throw new Error('the answer is not the one of n8n');
}
