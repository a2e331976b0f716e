import type { IPollFunctions } from 'n8n-workflow';

import { bindingOf, bindingOfResults, makeToken, RESULTS_HEADER, withToken } from '../auth/token';
import { readCredential } from '../service/credential';
import type { TriggerMemory } from '../state/triggerMemory';
import type { PollResults } from '../state/triggerState';
import { claimReport } from './schedule';

/** How long n8n may take to store results (ms). */
const STORE_MS = 10_000;

/**
 * Sends what polls have done to the trigger's own webhook, which stores it. If that fails, the next poll tries again,
 * and the next delivery to this process stores it; until then, a restart starts the events again. It never throws.
 */
export async function sendResults(context: IPollFunctions, memory: TriggerMemory): Promise<void> {
	// One request after the other: the one under way may have begun before the last event was settled.
	memory.storing = memory.storing.then(async () => {
		await sendAll(context, memory).catch((error: Error) => noteFailure(context, memory, error));
	});
	await memory.storing;
}

function noteFailure(context: IPollFunctions, memory: TriggerMemory, error: Error): void {
	memory.storeFailure = error.message;
	if (!claimReport({ memory }, 'store')) return;
	context.logger.warn(
		`Voice Agent Trigger could not reach its own webhook URL ${memory.webhookUrl}, to store which missed events were started, so a restart of n8n may start them again: ${error.message}`,
	);
}

async function sendAll(context: IPollFunctions, memory: TriggerMemory): Promise<void> {
	while (memory.unstored.length > 0 || memory.unstoredReplacement || memory.storeFailure) {
		const { unstored, unstoredReplacement: replaced } = memory;
		const settled = [...unstored];
		const [tokenHash] = memory.state.tokenHashes ?? [];
		await send(context, memory.webhookUrl, { settled, replaced, tokenHash });
		memory.unstored = memory.unstored.filter((event) => !settled.includes(event));
		if (memory.unstoredReplacement === replaced) memory.unstoredReplacement = undefined;
		memory.storeFailure = undefined;
	}
}

/** @throws Error if n8n did not store the results */
async function send(context: IPollFunctions, webhookUrl: string, results: PollResults) {
	const { apiKey, ignoreSSLIssues } = await readCredential(context);
	const token = makeToken(apiKey, bindingOf('production', context.getWorkflow().id, webhookUrl));
	const body = JSON.stringify(results);
	const proof = makeToken(apiKey, bindingOfResults(body));
	const answer = (await context.helpers.httpRequest({
		method: 'POST',
		url: withToken(webhookUrl, token),
		body,
		headers: { 'content-type': 'application/json', [RESULTS_HEADER]: proof },
		timeout: STORE_MS,
		skipSslCertificateValidation: ignoreSSLIssues,
	})) as { stored?: number } | undefined;
	if (answer?.stored !== results.settled.length)
		throw new Error('another server than n8n answered');
}
