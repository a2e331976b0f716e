import { NodeApiError, NodeOperationError, sleep, type JsonObject } from 'n8n-workflow';

import { assertEventTypes } from '../lists/eventTypes';
import { readCreatedEndpoint, type Endpoint } from '../lists/records';
import { mayBeAt, tokenOf, withToken } from '../auth/callbackUrl';
import { statusOf } from '../service/errors';
import { request } from '../service/request';
import { ownershipOf } from './ownership';
import { removeEndpoint } from './removalProof';
import { removeOwn } from './remove';
import { isSubscribed } from './examine';
import { hashOf, makeToken } from '../auth/token';
import { listEndpoints, remember, type CallContext } from './callContext';

/**
 * Creates an endpoint at the service, and checks that the service created the requested one, enabled.
 * See {@link post} for a service that refuses the endpoint.
 *
 * @param rescued is awaited before a removal
 * @returns its ID and token, and the answer, which may hold its signing secret
 * @throws NodeOperationError if the service returns a different or a disabled endpoint, or as {@link post};
 *   NodeApiError if the answer can't be read
 */
export async function createEndpoint(call: CallContext, events: string[], rescued: Promise<void>) {
	const { webhookUrl, known } = call;
	const before = known.endpoints ?? [];
	for (let tries = 1; ; tries++) {
		const { token, url, answer } = await post(call, events, rescued);
		const created = readCreatedEndpoint(answer.body, url);
		const shown = created?.url ? created : await findCreated(call, token, created?.id);
		if (!shown) throw answer.unreadable('the created webhook');
		const { id } = shown;
		call.createdId = id;
		// Stored before any further throw, because n8n then calls `delete`, which needs the ID.
		remember(call, { endpoints: [...before, { id, url: webhookUrl }], events }, hashOf(token));

		const isOld = before.some((old) => old.id === id) || hasOtherToken(shown, token);
		if (!isOld && (await isSubscribed(call, shown.events, events)) !== false) {
			assertEnabled(call, shown);
			return { id, token, answer: answer.body };
		}

		// A service that allows one endpoint for each URL may return its old record.
		if (tries > 1) throw differentEndpoint(call, shown);
		await removeEndpoint(call, id, call.deadline);
	}
}

function differentEndpoint(
	{ context }: CallContext,
	{ id, events }: Pick<Endpoint, 'id' | 'events'>,
) {
	return new NodeOperationError(
		context.getNode(),
		`The service returned a different webhook: ${id}, for ${events?.join(', ') || 'every event'}. Delete it with the Voice Agent node, then publish again.`,
	);
}

function hasOtherToken({ url = '' }: Partial<Endpoint>, token: string): boolean {
	const shown = tokenOf(url);
	return shown !== undefined && shown !== token;
}

/** @throws NodeOperationError if the service shows that the endpoint is disabled */
export function assertEnabled({ context }: CallContext, endpoint?: Omit<Endpoint, 'url'>): void {
	if (!endpoint?.isDisabled) return;
	throw new NodeOperationError(
		context.getNode(),
		`The service created the webhook ${endpoint.id} disabled, so no event would arrive. Find out in the service why it disables new webhooks, then publish again.`,
	);
}

/**
 * Sends the POST. After a refusal, it removes the own endpoints and sends the POST again: some services
 * allow one endpoint for each URL without its query, or a limited number of endpoints. After a 400 or 422,
 * the URL lacks the ID of the workflow: a service may refuse a second query parameter.
 *
 * @throws NodeOperationError if the catalog lacks a selected event type, NodeApiError for other refusals
 */
async function post(call: CallContext, events: string[], rescued: Promise<void>) {
	const { context, credential, webhookUrl, binding, deadline } = call;
	const send = async (workflowId?: string) => {
		// Each POST has a new token, so that the newest endpoint has the newest token.
		const token = makeToken(credential.apiKey, binding);
		const url = withToken(webhookUrl, token, workflowId);
		const body = { url, ...(events.length > 0 && { events }) };
		const asked = { method: 'POST', path: '/webhooks', body } as const;
		// A POST without an answer is not repeated, so it gets all the time until the deadline.
		const answer = await request(context, asked, { ...deadline, timeout: Infinity });
		return { token, url, answer };
	};
	const { id } = context.getWorkflow();
	try {
		return await send(id);
	} catch (error) {
		const status = statusOf(error) ?? 0;
		const isRefused = [400, 402, 409, 422].includes(status);
		if (isRefused) await assertEventTypes(context, events, deadline);
		const endpoints = isRefused ? (await listEndpoints(call)).value : [];
		const isInvalid = status === 400 || status === 422;
		const own = endpoints.filter((endpoint) => ownershipOf(call, endpoint));
		// Only a poll has no change to note. It removes a working endpoint only if the service allows one for each URL.
		const isPoll = call.noteChange === undefined;
		const mayRemove = !isPoll || status === 409 || own.every((one) => one.isDisabled);
		if (own.length > 0 && mayRemove) await removeOwn(call, rescued);
		else if (!isInvalid) throw new NodeApiError(context.getNode(), error as JsonObject);
		return await send(isInvalid ? undefined : id);
	}
}

/** Waits until the list shows the created endpoint, by its token, or by its ID if the list hides tokens. */
async function findCreated(call: CallContext, token: string, id: string | undefined) {
	const { endsAt } = call.deadline;
	for (let delay = 250; ; delay *= 2) {
		const { value: endpoints } = await listEndpoints(call);
		const found =
			endpoints.find(({ url }) => tokenOf(url) === token) ??
			endpoints.find((one) => one.id === id && mayBeAt(one.url, call.webhookUrl));
		if (found || Date.now() + delay >= endsAt) return found;
		await sleep(delay);
	}
}
