import { NodeApiError, NodeOperationError, sleep, type JsonObject } from 'n8n-workflow';

import { assertEventTypes } from '../answers/eventTypes';
import { readCreatedEndpoint, type Endpoint } from '../answers/records';
import { tokenOf, withToken } from '../api/callbackUrl';
import { statusOf } from '../api/errors';
import { request } from '../api/request';
import { stateOf } from './endpointState';
import { removeEndpoint } from './removal';
import { removeOwn } from './remove';
import { mayBeAt } from './shownUrl';
import { isSubscribed } from './subscription';
import { hashOf, makeToken } from './token';
import { listEndpoints, remember, type Trigger } from './trigger';

/** Statuses of a POST that the service refuses for its content, or for another endpoint. */
const POST_REFUSALS = [400, 402, 409, 422];

/** An endpoint that the service returned. */
interface Registered {
	endpoint: Pick<Endpoint, 'id' | 'events' | 'isDisabled'>;
	token: string;
	/** The answer to the POST, which may hold the signing secret. */
	answer: unknown;
	/** Whether the endpoint is new, with the sent token and event types, as far as they are shown. */
	isRequested: boolean;
}

/**
 * Registers an endpoint at the service, and stores its ID. A service that allows one endpoint for each URL
 * may return its old record: that is removed, and the POST is sent again.
 *
 * @throws NodeOperationError if the service returns a different endpoint
 */
export async function register(trigger: Trigger, selected: string[]): Promise<Registered> {
	const first = await registerOnce(trigger, selected);
	if (first.isRequested) return first;
	await removeEndpoint(trigger, first.endpoint.id, trigger.deadline);
	const second = await registerOnce(trigger, selected);
	if (second.isRequested) return second;
	const { id, events } = second.endpoint;
	throw new NodeOperationError(
		trigger.context.getNode(),
		`The service returned a different webhook: ${id}, for ${events?.join(', ') || 'every event'}. Delete it with the Voice Agent node, then publish again.`,
	);
}

async function registerOnce(trigger: Trigger, events: string[]): Promise<Registered> {
	const { context, webhookUrl, known } = trigger;
	const before = known.endpoints ?? [];
	const { token, url, answer } = await post(trigger, events);
	const created = readCreatedEndpoint(answer.body, url);
	const endpoint = created?.url ? created : await findCreated(trigger, token, created?.id);
	if (!endpoint) throw answer.unreadable('the created webhook');
	const { id, url: shown = '' } = endpoint;
	trigger.createdId = id;
	// They are about the log of another endpoint.
	Object.assign(stateOf(context), { since: undefined, caughtUp: undefined });
	// Stored before any further throw, because n8n then calls `delete`, which needs the ID.
	remember(trigger, { endpoints: [...before, { id, url: webhookUrl }], events }, hashOf(token));
	const isNew = !before.some((old) => old.id === id) && (tokenOf(shown) ?? token) === token;
	const isRequested = isNew && (await isSubscribed(trigger, endpoint.events, events)) !== false;
	return { endpoint, token, answer: answer.body, isRequested };
}

/**
 * Sends the POST. After a refusal, it removes the own endpoints and sends the POST again, without the ID of the
 * workflow in the URL: some services allow one endpoint for each URL without its query, a limited number of
 * endpoints, or one query parameter.
 *
 * @throws NodeOperationError if the catalog lacks a selected event type, NodeApiError for other refusals
 */
async function post(trigger: Trigger, events: string[]) {
	const { context, credential, webhookUrl, binding, deadline } = trigger;
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
	try {
		return await send(context.getWorkflow().id);
	} catch (error) {
		if (!POST_REFUSALS.includes(statusOf(error) ?? 0)) {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
		await assertEventTypes(context, events, deadline);
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
