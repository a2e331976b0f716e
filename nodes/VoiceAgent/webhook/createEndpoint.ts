import { NodeApiError, NodeOperationError, sleep, type JsonObject } from 'n8n-workflow';

import { hashOf, makeToken, tokenOf, withToken } from '../auth/token';
import { recordsIn } from '../lists/lists';
import { assertEventTypes } from '../lists/requestList';
import { readCreatedEndpoint, type Endpoint } from '../lists/records';
import { ADDRESS_VARIABLE } from '../service/causes';
import { operationError, statusOf } from '../service/errors';
import { request } from '../service/request';
import { listEndpoints, writeState, type TriggerTask, deleteEndpoint } from './triggerTask';
import { removeOwn } from './remove';
import { isSubscribed, ownershipOf } from './examine';

/** An endpoint that this task has created. */
export type CreatedEndpoint = Awaited<ReturnType<typeof createEndpoint>>;

type Posted = Awaited<ReturnType<typeof send>>;

/** @returns why the service can't deliver to this node's URL, and what to do; undefined if it can */
export function faultOfUrl({ webhookUrl }: TriggerTask): string | undefined {
	if (webhookUrl.startsWith('https://')) return undefined;
	return `The service delivers only to HTTPS addresses, but this n8n's webhook URL is ${webhookUrl}. Set n8n's ${ADDRESS_VARIABLE} to its public address, which begins with https://, and restart n8n.`;
}

/** How long the DELETE for a created endpoint may exceed the deadline of a failed task. */
const UNDO_MS = 400;

/**
 * Creates an endpoint at the service, and checks that the service created the requested one.
 *
 * @returns the endpoint, the answer to its POST, and the service's time (ms since the epoch)
 * @throws NodeOperationError if the service returns a different endpoint, or shows none; else as {@link post}
 */
export async function createEndpoint(task: TriggerTask, events: string[]) {
	for (let tries = 1; ; tries++) {
		const posted = await post(task, events);
		const shown = await findCreated(task, posted);
		const { id, isDisabled } = shown;
		const { token, answer } = posted;
		// Stored before any further throw, because n8n then calls `delete`, which needs the ID.
		const endpoints = [...(task.ownState.endpoints ?? []), { id, url: task.webhookUrl }];
		writeState(task, { endpoints, events }, hashOf(token));
		if (await isRequested(task, token, shown, events)) {
			const createdAt = Date.parse(String(answer.headers.date)) || Date.now();
			// The answer may hold its signing secret.
			return { id, isDisabled, token, answer: answer.body, createdAt };
		}
		// A service that allows one endpoint for each URL may return its old record.
		if (tries > 1 || task.kind === 'poll' || !ownershipOf(task, shown)) {
			throw differentEndpoint(task, shown);
		}
		await deleteEndpoint(task, id, task.deadline);
	}
}

/** Whether the service shows the requested endpoint: a new one, with the sent token and event types. */
async function isRequested(task: TriggerTask, token: string, shown: Endpoint, events: string[]) {
	const isOld = task.ownState.endpoints?.some(({ id }) => id === shown.id);
	if (isOld || (tokenOf(shown.url) ?? token) !== token) return false;
	return (await isSubscribed(task, shown.events, events)) !== false;
}

/** Removes a created endpoint if it can: the `delete` that n8n calls next fails without a list. */
export async function undoCreate(task: TriggerTask, id: string): Promise<void> {
	const { deadline } = task;
	await deleteEndpoint(task, id, { ...deadline, endsAt: deadline.endsAt + UNDO_MS, once: true });
}

function differentEndpoint({ context }: TriggerTask, { id, events }: Endpoint) {
	return new NodeOperationError(
		context.getNode(),
		`The service returned a different webhook: ${id}, for ${events?.join(', ') || 'every event'}. Delete it with the Voice Agent node, then publish again.`,
	);
}

/** Sends the POST. Each has a new token. */
async function send(task: TriggerTask, events: string[], workflowId?: string) {
	const { context, credential, webhookUrl, binding, deadline } = task;
	const token = makeToken(credential.apiKey, binding);
	const url = withToken(webhookUrl, token, workflowId);
	const body = { url, ...(events.length > 0 && { events }) };
	const asked = { method: 'POST', path: '/webhooks', body } as const;
	// A POST without an answer is not repeated, so it gets all the time until the deadline.
	const answer = await request(context, asked, { ...deadline, timeout: Infinity });
	return { token, url, answer };
}

/**
 * Sends the POST. After a refusal, a publish removes the own endpoints and sends the POST again: some services
 * allow one endpoint for each URL without its query, or a limited number of endpoints. After a 400 or 422,
 * the URL lacks the ID of the workflow: a service may refuse a second query parameter. A poll removes nothing.
 *
 * @throws NodeOperationError if the catalog lacks a selected event type, NodeApiError for other refusals
 */
async function post(task: TriggerTask, events: string[]): Promise<Posted> {
	const { context, deadline, kind } = task;
	const { id } = context.getWorkflow();
	try {
		return await send(task, events, id);
	} catch (error) {
		const status = statusOf(error) ?? 0;
		const isRefused = [400, 402, 409, 422].includes(status);
		if (isRefused) await assertEventTypes(context, events, deadline);
		const mayRemove = isRefused && kind !== 'poll';
		const endpoints = mayRemove ? await listEndpoints(task) : [];
		const isInvalid = status === 400 || status === 422;
		if (endpoints.some((endpoint) => ownershipOf(task, endpoint))) await removeOwn(task);
		else if (!isInvalid) throw new NodeApiError(context.getNode(), error as JsonObject);
		return await send(task, events, isInvalid ? undefined : id);
	}
}

/**
 * Finds the created endpoint: in the answer, else in the list, by its token, or by its ID if the list hides tokens.
 *
 * @throws NodeOperationError if neither shows it until the deadline; a new endpoint whose ID is known gets one DELETE
 */
async function findCreated(task: TriggerTask, { url, token, answer }: Posted): Promise<Endpoint> {
	const created = readCreatedEndpoint(answer.body, url);
	if (created?.url !== undefined) return { ...created, url: created.url };
	const { endsAt } = task.deadline;
	for (let delay = 250; ; delay *= 2) {
		const endpoints = await listEndpoints(task);
		const found =
			endpoints.find((one) => tokenOf(one.url) === token) ??
			endpoints.find((one) => one.id === created?.id && ownershipOf(task, one) === 'present');
		if (found) return found;
		if (Date.now() + delay >= endsAt) {
			// One with another URL, or a stored one, may be older; of several records, another one may be meant.
			const others = [...endpoints, ...(task.ownState.endpoints ?? [])];
			const isOld = others.some(({ id }) => id === created?.id);
			const isOnly = recordsIn(answer.body, 'webhooks').length === 1;
			if (created && isOnly && !isOld) await undoCreate(task, created.id);
			// Not as a failure that may pass: each POST may leave a webhook.
			const { message, description } = answer.unreadable('the created webhook');
			throw operationError(task.context.getNode(), message, description ?? undefined);
		}
		await sleep(delay);
	}
}
