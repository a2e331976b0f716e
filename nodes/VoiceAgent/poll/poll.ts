import type { IPollFunctions } from 'n8n-workflow';

import { forgetCredential, readCredential } from '../service/credential';
import { isGone, statusOf } from '../service/errors';
import { presentEndpoint } from '../state/triggerState';
import { isCatchUpOn } from '../trigger/description';
import { readValidSettings } from '../trigger/settings';
import { readMissed } from './readMissed';
import { sendResults } from './sendResults';
import { repair } from './repair';
import { beginPoll, type Poll, report, REPORTED_FAILURE } from './schedule';
import { startWaiting } from './startWaiting';

/**
 * Repairs the trigger's endpoint, reads its log, and starts an execution for each event that did not arrive, the
 * oldest first. It never throws, because a throw would fail a publish, and writes no static data: n8n would store
 * those of the activation, over what other nodes have stored since.
 *
 * @returns null, since each execution is started by itself
 */
export async function runPoll(context: IPollFunctions): Promise<null> {
	const poll = beginPoll(context);
	if (!poll) return null;
	const { memory } = poll;
	const { polls } = memory;
	// n8n polls with the same context for days, and the API key may have been rotated.
	forgetCredential(context);
	try {
		if (!isCatchUpOn(context))
			Object.assign(memory, { waiting: [], leftInLog: 0, undecided: new Map() });
		const failure = poll.isDue ? await readService(poll) : undefined;
		await startWaiting(poll);
		await sendResults(context, memory);
		// The log holds more than was remembered, or than was read.
		const hasMore = memory.leftInLog > 0 || memory.reading !== undefined;
		if (hasMore && memory.waiting.length === 0) polls.isUrgent = true;
		if (failure) throw failure;
		if (poll.isDue && !memory.reading) polls.failures = 0;
	} catch (error) {
		polls.failures++;
		// After several failures, the next try is in the next quarter of an hour.
		if (polls.failures >= REPORTED_FAILURE) polls.isUrgent = false;
		reportFailure(poll, error as Error);
	} finally {
		polls.isRunning = false;
	}
	return null;
}

/** @returns the last error. What could be read is used all the same */
async function readService(poll: Poll): Promise<Error | void> {
	const { context, memory } = poll;
	// They are in memory, so the log is not read again. A repair may add those of another log.
	const areWaiting = memory.waiting.length > 0;
	let failure = await repair(poll, readValidSettings(context)).catch((error: Error) => error);
	const endpoint = presentEndpoint(memory.state);
	const { baseUrl } = await readCredential(context);
	// With another Base URL, the ID may be that of somebody else's webhook.
	const isHere = memory.state.owner?.startsWith(`${baseUrl} `);
	if (!endpoint || !isHere || !isCatchUpOn(context) || areWaiting) return failure;
	await readMissed(poll, endpoint).catch((error: Error) => {
		// The repair has reported a removed endpoint. A listed one may have no log.
		const isKnown = failure ?? memory.polls.reportedAt.has('missing');
		if (!isKnown || !isGone(statusOf(error))) failure = error;
	});
	return failure;
}

/** Reports readings that fail in a row, once a day. */
function reportFailure(poll: Poll, error: Error): void {
	const { context, memory } = poll;
	const id = presentEndpoint(memory.state)?.id;
	const message = `Voice Agent Trigger could not look for missed events: its webhook ${id} or the deliveries of it could not be read. ${error.message}`;
	const isLasting = memory.polls.failures >= REPORTED_FAILURE;
	if (!isLasting || !report(poll, 'reading', message)) context.logger.warn(message);
}
