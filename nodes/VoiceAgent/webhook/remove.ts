import { NodeOperationError, sleep, type IHookFunctions } from 'n8n-workflow';

import type { Endpoint } from '../lists/records';
import { findAllMissed, timeOf, type LoggedEvent } from '../log/missed';
import { assertNewestRead, requestLog } from '../log/requestLog';
import { isGone, statusOf } from '../service/errors';
import {
	addWaiting,
	findSettled,
	memoryOf,
	MOST_WAITING,
	unreadPart,
} from '../state/triggerMemory';
import type { StoredEndpoint } from '../state/triggerState';
import { isCatchUpOn } from '../trigger/description';
import {
	type TriggerTask,
	isOvertaken,
	listEndpoints,
	markRemoval,
	beginTask,
	writeState,
	deleteEndpoint,
	type RemovalAnswer,
} from './triggerTask';
import { ownershipOf } from './examine';

/** How long a removal waits for the log (ms). */
const LOG_READ_MS = 2_000;

/** By how much the service's clock may be ahead (ms). */
const AHEAD_MS = 60_000;

/**
 * Queues what a published endpoint has missed, before it is removed: the service forgets the log with the endpoint.
 * The next poll after a publish starts these events, also those that the service would have resent. If the log can't be
 * read in time, n8n's log says so. It never throws. A poll has queued them before.
 */
async function queueBeforeRemoval(task: TriggerTask, own: StoredEndpoint[]): Promise<void> {
	const { context, kind, webhookUrl, stateAtStart: state } = task;
	const isPublished = kind !== 'test' && memoryOf(context).webhookUrl === webhookUrl;
	// An earlier attempt of n8n may have begun the removal, or n8n has lost what was stored.
	const endpoint = state.endpoints?.at(-1) ?? own.at(-1);
	if (kind === 'poll' || !isPublished || !endpoint) return;
	await queueAllMissed(task, endpoint, Date.now() + LOG_READ_MS).catch((error: Error) =>
		warnOfUnread(task, endpoint, error),
	);
}

/** Warns that a log could not be read, or not completely, before its endpoint is removed. */
export function warnOfUnread({ context }: TriggerTask, { id }: StoredEndpoint, { message }: Error) {
	context.logger.warn(
		`Voice Agent Trigger could not read all that its removed webhook ${id} had missed, so the rest is not caught up: ${message}`,
	);
}

/**
 * Queues all events that an endpoint has missed, also those that the service is about to resend; none if the
 * user has turned catching up off, or the service has removed the endpoint. What the log does not hold is noted for a
 * report.
 *
 * @param endsAt ms since the epoch
 * @throws NodeApiError if the log can't be read
 */
export async function queueAllMissed(
	{ context, stateAtStart, removedAt }: TriggerTask,
	endpoint: StoredEndpoint,
	endsAt: number,
): Promise<void> {
	if (!isCatchUpOn(context)) return;
	const memory = memoryOf(context);
	const part = unreadPart(memory, endpoint.id);
	const deadline = { endsAt, timeout: endsAt - Date.now() };
	const log = await requestLog(context, endpoint, deadline, part).catch((error: Error) => {
		if (!isGone(statusOf(error))) throw error;
	});
	if (!log) return;
	assertNewestRead(context, log);
	const { since = 0 } = memory.state;
	const now = Date.now();
	// What happens while it is unpublished starts nothing later. A local time may be ahead of UTC.
	const isOfTrigger = (time: number) =>
		time >= Math.max(since, 1) && Math.min(time, now) < removedAt + AHEAD_MS;
	const missed = findAllMissed(log.value, now).filter((event) => isOfTrigger(timeOf(event)));
	const isHeld = ({ details }: LoggedEvent) => details.event !== null;
	const isNew = (event: LoggedEvent) => isHeld(event) && !findSettled(memory, event.identity);
	const unheld = missed.filter((event) => !isHeld(event));
	// Another endpoint beside the trigger's own may have refused what arrived there.
	if (stateAtStart.endpoints?.at(-1)?.id === endpoint.id) memory.undecided.set(endpoint.id, unheld);
	const tooMany = addWaiting(memory, missed.filter(isNew));
	if (tooMany > 0) {
		context.logger.warn(
			`Voice Agent Trigger keeps ${MOST_WAITING} of ${MOST_WAITING + tooMany} events that its webhook ${endpoint.id} had missed before its removal. Process the later ones by hand.`,
		);
	}
	if (log.error) throw log.error;
}

/** The time before a second DELETE: a list may still show a removed endpoint. */
const PAUSE_MS = 500;

/**
 * Removes all own endpoints. After the last of n8n's attempts, the next publish removes the rest.
 *
 * @throws NodeApiError or NodeOperationError, so that n8n tries again
 */
export async function remove(context: IHookFunctions): Promise<void> {
	const task = await beginTask(context, 'unpublish');
	// Set before any throw: a removed endpoint may stay listed for a while, and must not be adopted.
	markRemoval(task);
	const { unconfirmed, ownState } = await removeOwn(task);
	writeState({ ...task, ownState }, { endpoints: unconfirmed, removal: 'listed' });
	if (unconfirmed.length > 0) throw stillThere(task, unconfirmed, 'and does not list them');
}

/**
 * Removes the own endpoints but one. After a DELETE, the list decides. An endpoint that it still shows as enabled gets
 * a second DELETE, for which 404 or 410 is a proof. A poll that is overtaken removes nothing more.
 *
 * @param keptId the ID of the endpoint that stays
 * @returns the last list; the endpoints that it lacks, without a proof of their removal, for which the next task tries
 *   again; and the stored state, empty if the service knows none of its endpoints, as with a key of another workspace
 * @throws NodeApiError or NodeOperationError if a listed endpoint can't be removed, or stays listed
 */
export async function removeOwn(task: TriggerTask, keptId?: string) {
	const first = await listEndpoints(task);
	const own = ownIn(task, first, keptId);
	const endWith = (listed: Endpoint[]) => ({ listed, unconfirmed: [], ownState: task.ownState });
	if (own.length === 0) return endWith(first);
	await queueBeforeRemoval(task, own);
	const answers = new Map<string, RemovalAnswer>();
	for (const { id } of own) {
		if (isOvertaken(task)) return endWith(first);
		answers.set(id, await removeOne(task, id, first));
	}
	const isMissing = ({ id }: StoredEndpoint) => answers.get(id) === 'missing';
	const isElsewhere = own.every((one) => isMissing(one) && !isListed(first, one.id));
	let listed = await listEndpoints(task);
	// A list that is late may show more of them only now. A poll has not read their logs.
	const found = ownIn(task, listed, keptId).filter(({ id }) => isEnabledIn(listed, id));
	const again = task.kind === 'poll' ? found.filter(({ id }) => answers.has(id)) : found;
	if (again.length > 0) await sleep(PAUSE_MS);
	for (const { id } of again) {
		if (isOvertaken(task)) return endWith(listed);
		answers.set(id, await removeOne(task, id, listed));
	}
	if (!again.every(isMissing)) listed = await listEndpoints(task);
	const left = again.filter((one) => !isMissing(one) && isEnabledIn(listed, one.id));
	if (left.length > 0) throw stillThere(task, left, 'and still lists them');
	const unconfirmed = own.filter(({ id }) => answers.get(id) === 'open');
	return { listed, unconfirmed, ownState: isElsewhere ? {} : task.ownState };
}

/** @returns the stored endpoints and all that the list shows as own, without those that the list shows elsewhere */
function ownIn(task: TriggerTask, listed: Endpoint[], keptId?: string): StoredEndpoint[] {
	const { ownState, webhookUrl } = task;
	const own = new Map((ownState.endpoints ?? []).map((endpoint) => [endpoint.id, endpoint]));
	for (const endpoint of listed) {
		const { id } = endpoint;
		if (!ownershipOf(task, endpoint)) own.delete(id);
		else if (!own.has(id)) own.set(id, { id, url: webhookUrl });
	}
	if (keptId !== undefined) own.delete(keptId);
	return [...own.values()];
}

/** @throws NodeApiError if nothing shows what became of a listed endpoint. An unlisted one gets one attempt */
async function removeOne(task: TriggerTask, id: string, listed: Endpoint[]) {
	const deadline = { ...task.deadline, once: !isListed(listed, id) };
	const { answer, error } = await deleteEndpoint(task, id, deadline);
	if (error && isListed(listed, id)) throw error;
	return answer;
}

function isListed(listed: Endpoint[], id: string): boolean {
	return listed.some((endpoint) => endpoint.id === id);
}

function isEnabledIn(listed: Endpoint[], id: string): boolean {
	return listed.some((endpoint) => endpoint.id === id && !endpoint.isDisabled);
}

function stillThere({ context }: TriggerTask, endpoints: StoredEndpoint[], how: string) {
	const ids = endpoints.map(({ id }) => id).join(', ');
	const message = `The service failed to remove webhooks of this trigger, ${how}: ${ids}. Try again later, or delete them with the Voice Agent node.`;
	return new NodeOperationError(context.getNode(), message);
}
