import { NodeOperationError, type IPollFunctions } from 'n8n-workflow';

import type { Deadline } from '../api/retry';
import { assertValid } from '../delivery/settings';
import { findMissed, isOld, type LoggedAttempt, type MissedEvent } from '../deliveryLog/missed';
import { requestLog } from '../deliveryLog/requestLog';
import { itemMaker, type LoggedEvent, type MakeItems, type PollOutputs } from './items';
import { readPollSettings, type PollSettings } from './settings';
import { forgetOldest, msSinceFirstPoll, openState, saveState, type PollState } from './state';
import { findWebhooks } from './webhooks';

/** A poll ends before n8n's shortest interval, a minute. */
const BUDGET_MS = 45_000;
/** The first poll is a part of the publish. */
const FIRST_BUDGET_MS = 10_000;
/** A publish takes at most 84 s. n8n creates the webhooks of the workflow meanwhile. */
const PUBLISH_MS = 90_000;
const ATTEMPT_MS = 20_000;
/** The executions that one poll starts at most. The next poll starts the others. */
const MOST_EXECUTIONS = 50;

/** The nodes whose poll has not ended, by workflow and node: n8n's schedule does not wait for it. */
const polling = new Set<string>();

/**
 * Reports missed events: one execution for each, the oldest first.
 *
 * @returns null, since each execution is started by itself; for *Fetch test event* one event
 * @throws NodeOperationError for a wrong mapping or country code, which fails the publish; NodeApiError or
 *   NodeOperationError if a log can't be read or no webhook is found, but only after the publish
 */
export async function poll(context: IPollFunctions): Promise<PollOutputs | null> {
	if (context.getMode() === 'manual') return await fetchTestEvent(context);
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (polling.has(node)) return null;
	const activeMs = msSinceFirstPoll(context);
	const settings = readPollSettings(context);
	const isPublished = activeMs !== undefined && activeMs > PUBLISH_MS;
	// n8n may repeat the poll at activation.
	if (!isPublished) assertValid(context, settings);
	polling.add(node);
	try {
		await report(context, settings, activeMs === undefined ? FIRST_BUDGET_MS : BUDGET_MS);
	} catch (error) {
		if (isPublished) throw new NodeOperationError(context.getNode(), error as Error);
		context.logger.warn(
			`Voice Agent Missed Events Trigger could not read the deliveries yet: ${(error as Error).message}`,
		);
	} finally {
		polling.delete(node);
	}
	return null;
}

async function report(
	context: IPollFunctions,
	settings: PollSettings,
	budgetMs: number,
): Promise<void> {
	const state = openState(context, settings);
	const deadline = deadlineIn(context, budgetMs);
	const { attempts, failure } = await readLogs(context, deadline);
	const events = findMissed(attempts);
	const missed = dueEvents(events, settings, state);
	if (missed.length > 0) {
		const makeItems = await itemMaker(context, settings, deadline);
		startExecutions(context, missed, makeItems, state);
		const times = events.flatMap((event) => event.keys.map((key) => [key, timeOf(event)] as const));
		if (!failure) forgetOldest(state, new Map(times));
		saveState(context, state);
	}
	if (failure) throw failure;
}

/** Selects the missed events to report: due, not before the publish, not yet reported. */
function dueEvents(
	events: MissedEvent[],
	{ minAgeMs }: PollSettings,
	{ since, reported }: PollState,
): MissedEvent[] {
	const known = new Set(reported);
	const now = Date.now();
	return events
		.filter((event) => isOld(event, minAgeMs, now) && timeOf(event) >= since)
		.filter(({ keys }) => !keys.some((key) => known.has(key)))
		.sort((one, other) => timeOf(one) - timeOf(other));
}

function startExecutions(
	context: IPollFunctions,
	missed: MissedEvent[],
	makeItems: MakeItems,
	state: PollState,
): void {
	let started = 0;
	for (const event of missed) {
		const outputs = makeItems(event);
		if (outputs && ++started > MOST_EXECUTIONS) return;
		state.reported.push(...event.keys);
		if (!outputs) continue;
		// n8n saves the static data with each execution.
		saveState(context, state);
		context.__emit(outputs);
	}
}

/** Shows a missed event, else a delivered one. It changes no state. */
async function fetchTestEvent(context: IPollFunctions): Promise<PollOutputs> {
	const settings = readPollSettings(context);
	assertValid(context, settings);
	const deadline = deadlineIn(context, BUDGET_MS);
	const { attempts, failure } = await readLogs(context, deadline);
	const makeItems = await itemMaker(context, settings, deadline);
	const missed = findMissed(attempts).sort((one, other) => timeOf(other) - timeOf(one));
	const delivered = attempts
		.map(({ details }): LoggedEvent => {
			const { time, attempt } = details;
			return { keys: [], reason: null, attempts: attempt ?? 1, lastAttemptAt: time, details };
		})
		.sort((one, other) => timeOf(other) - timeOf(one));
	for (const event of [...missed, ...delivered]) {
		const outputs = makeItems(event);
		if (outputs) return outputs;
	}
	if (failure) throw failure;
	throw new NodeOperationError(
		context.getNode(),
		'The delivery log holds none of the chosen events yet. Make a call, or send a test event to the webhook with the Voice Agent node.',
	);
}

/** Reads the logs of all watched webhooks. One log that can't be read does not keep the others back. */
async function readLogs(
	context: IPollFunctions,
	deadline: Deadline,
): Promise<{ attempts: LoggedAttempt[]; failure?: Error }> {
	const attempts: LoggedAttempt[] = [];
	let failure: Error | undefined;
	for (const endpoint of await findWebhooks(context, deadline)) {
		try {
			attempts.push(...(await requestLog(context, endpoint, () => deadline)).attempts);
		} catch (error) {
			failure ??= new NodeOperationError(
				context.getNode(),
				`The deliveries of the webhook ${endpoint.id} could not be read: ${(error as Error).message}`,
			);
		}
	}
	return { attempts, failure };
}

function deadlineIn(context: IPollFunctions, budgetMs: number): Deadline {
	const ms = Math.min(context.getPollBudgetMs?.() ?? budgetMs, budgetMs);
	return { endsAt: Date.now() + ms, timeout: Math.min(ATTEMPT_MS, ms) };
}

const timeOf = ({ lastAttemptAt }: LoggedEvent) => Date.parse(lastAttemptAt ?? '') || 0;
