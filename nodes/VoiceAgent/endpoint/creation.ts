import { NodeApiError, NodeOperationError, sleep, type JsonObject } from 'n8n-workflow';

import { tokenOf, withToken } from '../api/callbackUrl';
import { statusOf } from '../api/errors';
import { assertEventTypes } from '../answers/eventTypes';
import { readCreatedEndpoint, type Endpoint } from '../answers/records';
import { request } from '../api/request';
import { ownershipOf } from './ownership';
import { removeEndpoint, removeOwn } from './removal';
import { mayBeAt } from './shownUrl';
import { isSubscribed } from './subscription';
import { hashOf, makeToken } from './token';
import { listEndpoints, remember, type Trigger } from './trigger';

/**
 * Creates an endpoint at the service, and checks that the service created the requested one, enabled.
 *
 * @returns its ID and token, and the answer, which may hold its signing secret
 */
export async function createEndpoint(
	trigger: Trigger,
	events: string[],
): Promise<{ id: string; token: string; answer: unknown }> {
	const { context, webhookUrl, known } = trigger;
	const before = known.endpoints ?? [];
	for (let tries = 1; ; tries++) {
		const { token, answer } = await post(trigger, events);
		const created = readCreatedEndpoint(answer.body, withToken(webhookUrl, token));
		const shown =
			created?.url === undefined ? await findCreated(trigger, token, created?.id) : created;
		if (!shown) throw answer.unreadable('the created webhook');
		const { id } = shown;
		// Stored before any further throw, because n8n then calls `delete`, which needs the ID.
		remember(trigger, { endpoints: [...before, { id, url: webhookUrl }], events }, hashOf(token));

		const shownToken = tokenOf(shown.url ?? '');
		const isOld =
			before.some((old) => old.id === id) || (shownToken !== undefined && shownToken !== token);
		const isRequested = !shown.events || (await isSubscribed(trigger, shown.events, events));
		if (isRequested !== false && !isOld) {
			assertEnabled(trigger, shown);
			return { id, token, answer: answer.body };
		}

		// A service that allows one endpoint for each URL may return its old record.
		if (tries > 1) {
			throw new NodeOperationError(
				context.getNode(),
				`The service returned a different webhook: ${id}, for ${shown.events?.join(', ') || 'every event'}. Delete it with the Voice Agent node, then publish again.`,
			);
		}
		await removeEndpoint(trigger, id, trigger.deadline);
	}
}

/** @throws NodeOperationError if the service shows that the endpoint is disabled */
export function assertEnabled(
	{ context }: Trigger,
	endpoint: Pick<Endpoint, 'id' | 'isDisabled'> | undefined,
): void {
	if (!endpoint?.isDisabled) return;
	throw new NodeOperationError(
		context.getNode(),
		`The service created the webhook ${endpoint.id} disabled, so no event would arrive. Find out in the service why it disables new webhooks, then publish again.`,
	);
}

/**
 * Sends the POST. After a refusal, it removes the own endpoints and sends the POST again: some services
 * allow one endpoint for each URL without its query, or a limited number of endpoints.
 *
 * @throws NodeOperationError if the catalog lacks a selected event type, NodeApiError for other refusals
 */
async function post(trigger: Trigger, events: string[]) {
	const { context, credential, webhookUrl, binding, deadline } = trigger;
	const send = async () => {
		// Each POST has a new token, so that the newest endpoint has the newest token.
		const token = makeToken(credential.apiKey, binding);
		const body = {
			url: withToken(webhookUrl, token),
			...(events.length > 0 && { events }),
		};
		const asked = { method: 'POST', path: '/webhooks', body } as const;
		// The POST is not repeated, so it gets all the time until the deadline.
		return { token, answer: await request(context, asked, { ...deadline, timeout: Infinity }) };
	};
	try {
		return await send();
	} catch (error) {
		const status = statusOf(error) ?? 0;
		const isRefused = [400, 402, 409, 422].includes(status);
		if (isRefused) await assertEventTypes(context, events, deadline);
		const { endpoints } = isRefused ? await listEndpoints(trigger) : { endpoints: [] };
		if (!endpoints.some((endpoint) => ownershipOf(trigger, endpoint))) {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
		await removeOwn(trigger);
		return await send();
	}
}

/** Waits until the list shows the created endpoint, by its token, or by its ID if the list hides tokens. */
async function findCreated(
	trigger: Trigger,
	token: string,
	id: string | undefined,
): Promise<Endpoint | undefined> {
	const { endsAt } = trigger.deadline;
	for (let delay = 250; ; delay *= 2) {
		const { endpoints } = await listEndpoints(trigger);
		const found =
			endpoints.find(({ url }) => tokenOf(url) === token) ??
			endpoints.find((one) => one.id === id && mayBeAt(one.url, trigger.webhookUrl));
		if (found || Date.now() + delay >= endsAt) return found;
		await sleep(delay);
	}
}
