import { clockOf } from '../text/times';
import { newestFirst } from '../log/attempts';
import { requestNewest } from '../log/requestLog';
import { requestEndpoints } from '../lists/requestList';
import { isGone, isTransient, statusOf } from '../service/errors';
import { presentEndpoint, type StoredEndpoint } from '../state/triggerState';
import {
	isOvertaken,
	listEndpoints,
	writeState,
	completeTask,
	type TriggerTask,
	type EndpointSettings,
} from '../webhook/triggerTask';
import { canVerify, examine, FAULTS, type Examined } from '../webhook/examine';
import { faultOfUrl, undoCreate } from '../webhook/createEndpoint';
import { replaceEndpoint } from '../webhook/publish';
import { removeOwn, queueAllMissed, warnOfUnread } from '../webhook/remove';
import { type Poll, addFailedExecution, claimReport, report, REPORTED_FAILURE } from './schedule';

/** Within this time, a second repair would help no more than the first. */
const REPAIRED_MS = 6 * 60 * 60_000;
/** So many failed attempts in a row are why a service disables a webhook. */
const FAILED_IN_A_ROW = 3;

/** What a repair keeps of a poll's time for the POST and the DELETE. */
const REPLACE_MS = 20_000;

const PUBLISH = 'Unpublish the workflow, and publish it again.';
const UNLISTED = `The list of the service lacks the webhook of a Voice Agent Trigger, whose log can be read. If calls no longer start the workflow: ${PUBLISH}`;

/** The endpoints of a trigger at the service, and what they are compared with. */
interface Found extends Examined {
	task: TriggerTask;
	settings: EndpointSettings;
}

/**
 * Compares the service's list with the trigger's state, and publishes an endpoint again that does not serve the
 * trigger, by the steps of a publish: the POST, what the former one has missed, the DELETE. Until n8n stores its ID,
 * the token proves itself, its URL makes the endpoint own, and the list shows the ID.
 *
 * A fault that only a person can repair is reported: see {@link reasonForManualRepair}.
 *
 * @throws NodeApiError or NodeOperationError if a request failed; the poll of the next quarter of an hour tries again
 */
export async function repair(poll: Poll, settings: EndpointSettings): Promise<void> {
	const { context, memory, deadline } = poll;
	const { webhookUrl, state } = memory;
	const begun = { context, webhookUrl, state: { ...state }, deadline };
	const task = await completeTask({ kind: 'poll', ...begun });
	const listed = await listEndpoints(task);
	const found = { ...(await examine(task, settings, listed)), task, settings };
	const { fault, others } = found;
	if (!fault) {
		memory.polls.reportedAt.delete('missing');
		return await removeOthers(poll, found).finally(() => noteListed(poll, found));
	}
	if (fault === 'missing' && others.length === 0 && !(await isDeleted(found))) {
		if (claimReport(poll, 'unlisted')) context.logger.warn(UNLISTED);
		return;
	}
	const obstacle = await reasonForManualRepair(poll, found);
	if (obstacle) report(poll, fault, obstacle);
	else await publishAgain(poll, found);
}

/** Lets later steps of this process use the listed endpoint. The others may still have to be removed. */
function noteListed({ memory }: Poll, { task, endpoint, tokenHash, others }: Found): void {
	const { state, webhookUrl } = task;
	const isNoted = presentEndpoint(state)?.id === endpoint?.id && state.owner === task.owner;
	if (!endpoint || isNoted) return;
	const isOther = ({ id }: StoredEndpoint) => others.some((other) => other.id === id);
	const endpoints = (state.endpoints ?? []).filter(isOther);
	endpoints.push({ id: endpoint.id, url: webhookUrl });
	writeState(task, { ...state, endpoints }, tokenHash);
	if (!isOvertaken(task)) memory.state = state;
}

/**
 * Decides whether an endpoint that the list lacks is deleted: the list says so, or its log is gone. The list may be
 * late or cut. Only an endpoint without a stored ID is missing by the list alone.
 */
async function isDeleted({ task }: Found): Promise<boolean> {
	const present = presentEndpoint(task.ownState);
	if (!present) return true;
	const { context, deadline } = task;
	const { value } = await requestEndpoints(context, deadline);
	if (value.some(({ id, isRemoved }) => id === present.id && isRemoved)) return true;
	return await requestNewest(context, present, deadline).then(
		() => false,
		(error: Error) => {
			if (!isGone(statusOf(error))) throw error;
			return true;
		},
	);
}

/** @returns why only a person can repair the webhook, and how; undefined if it can be published again */
async function reasonForManualRepair(poll: Poll, found: Found): Promise<string | undefined> {
	const { context, memory } = poll;
	const { task, settings, endpoint, fault } = found;
	const faultHere = faultOfUrl(task);
	if (faultHere) return faultHere;
	if (endpoint && fault === 'disabled' && !(await isFailing(found))) {
		return `The webhook ${endpoint.id} of this workflow is turned off in the service, so no event starts the workflow. Fewer than ${FAILED_IN_A_ROW} deliveries in a row had failed, so a person may have turned it off. Turn it on in the service. Or: ${PUBLISH}`;
	}
	const what = `At the service, the webhook of this workflow ${FAULTS[fault!]}, so events may not start the workflow.`;
	// Somebody moved it, or the list shows URLs in a form of its own. Only a publish can store a new signing secret.
	if (fault === 'moved' || fault === 'secret' || !canVerify(task, settings)) {
		return `${what} ${PUBLISH}`;
	}
	const { repairedAt = -Infinity } = memory.polls;
	if (Date.now() - repairedAt < REPAIRED_MS) {
		return `${what} n8n tried to create it anew on ${clockOf(context.getTimezone())(repairedAt)}. Find out why it does not last with Webhook → Check of the Voice Agent node. Then: ${PUBLISH}`;
	}
	return undefined;
}

/** Whether the service disabled an endpoint: its last three attempts failed. Else a person may have paused it. */
async function isFailing({ task, endpoint }: Found): Promise<boolean> {
	const log = await requestNewest(task.context, endpoint!, task.deadline);
	const newest = (newestFirst(log.value) ?? []).slice(0, FAILED_IN_A_ROW);
	// A record may count the attempts of its event.
	const attempts = Math.max(newest.length, newest[0]?.details.attempt ?? 0);
	return attempts >= FAILED_IN_A_ROW && newest.every(({ lastArrived }) => lastArrived === false);
}

/**
 * Publishes the endpoint again. If that fails, all is as before, and the report states the reason.
 *
 * @throws NodeApiError in the first polls if a former endpoint's log can't be read
 */
async function publishAgain(poll: Poll, found: Found): Promise<void> {
	const { context, memory } = poll;
	const { task, settings, endpoint, others, fault } = found;
	const before = presentEndpoint(task.stateAtStart);
	const former = [presentEndpoint(task.ownState), endpoint, ...others].filter(
		(one) => one !== undefined,
	);
	await queueMissedOf(poll, task, former);
	const what = `At the service, the webhook of this workflow ${FAULTS[fault!]}`;
	const id = await replaceEndpoint(task, settings).catch((error: Error) => {
		if (isOvertaken(task)) return;
		const isCreated = presentEndpoint(task.state)?.id !== before?.id;
		if (isCreated || !isTransient(error)) memory.polls.repairedAt = Date.now();
		const text = `${what}, so events may not start the workflow. n8n could not create it anew: ${error.message} ${PUBLISH}`;
		if (!report(poll, fault!, text)) context.logger.warn(text);
	});
	if (id === undefined) return;
	if (isOvertaken(task)) {
		// The publish may have adopted it.
		if (presentEndpoint(memory.state)?.id !== id) await undoCreate(task, id);
		return;
	}
	memory.polls.repairedAt = Date.now();
	memory.state = task.state;
	const { owner, webhookUrl } = task;
	// n8n may not have stored the replacement before.
	const formerIds = [before?.id, ...(memory.unstoredReplacement?.formerIds ?? [])];
	memory.unstoredReplacement = { formerIds, endpoint: { id, url: webhookUrl }, owner };
	const text = `${what}. It was created anew, as ${id}.`;
	const wasActive = others.length > 0 && others.every(({ isDisabled }) => !isDisabled);
	const wasSentAll = endpoint ? fault === 'token' && !endpoint.isDisabled : wasActive;
	if (wasSentAll) return context.logger.warn(`Voice Agent Trigger: ${text}`);
	addFailedExecution(
		context,
		`${text} Events of the time before may never have been sent, so no log shows them. Compare the calls since its last delivery in the service with the executions of this workflow.`,
	);
}

/** Removes former endpoints, once what they have missed waits to be started. */
async function removeOthers(poll: Poll, found: Found): Promise<void> {
	const { task, others, endpoint, tokenHash } = found;
	// Without a known token, any of them may be the one that serves the trigger.
	if (others.length === 0 || !tokenHash) return;
	await queueMissedOf(poll, task, others);
	await removeOwn(task, endpoint!.id);
}

/** Queues what former endpoints have missed. @throws NodeApiError in the first polls if a log can't be read */
async function queueMissedOf(
	{ memory, deadline }: Poll,
	task: TriggerTask,
	former: StoredEndpoint[],
) {
	for (const one of new Map(former.map((one) => [one.id, one])).values()) {
		await queueAllMissed(task, one, deadline.endsAt - REPLACE_MS).catch((error: Error) => {
			if (memory.polls.failures + 1 < REPORTED_FAILURE) throw error;
			warnOfUnread(task, one, error);
		});
	}
}
