import { NodeApiError, NodeOperationError, sleep, type JsonObject } from 'n8n-workflow';

import { isSameAddress, tokenOf, withToken } from '../transport/callbackUrl';
import { statusOf } from '../transport/errors';
import { assertEventTypes } from '../transport/eventTypes';
import { readCreatedEndpoint, type Endpoint } from '../transport/records';
import { request } from '../transport/request';
import { isHere, isOurs, listEndpoints } from './ours';
import { removeEndpoint, removeOurs } from './removal';
import { isSubscribed } from './subscription';
import { hashOf, isNewer, isTokenOf, madeAt, makeToken } from './token';
import { remember, type Trigger } from './trigger';

/** How far the clocks of two processes may be apart. */
const CLOCKS_APART_MS = 60_000;

/**
 * Has the service create an endpoint, and makes sure that it is the one which was asked for.
 *
 * @param before the endpoints that are remembered from before
 * @returns its ID and token, and the answer, which may hold its signing secret
 */
export async function createEndpoint(
	trigger: Trigger,
	events: string[],
	before: string[],
): Promise<{ id: string; token: string; answer: unknown }> {
	const { context, webhookUrl } = trigger;
	for (let tries = 1; ; tries++) {
		const { token, answer } = await post(trigger, events);
		const created = readCreatedEndpoint(answer.body, withToken(webhookUrl, token));
		const shown =
			created?.url === undefined ? await findCreated(trigger, token, created?.id) : created;
		if (!shown?.id) throw answer.unreadable('the created webhook endpoint');
		// At once: n8n answers a throw from here on with a `delete`, which has to know of it.
		remember(trigger, hashOf(token), { endpointIds: [...before, shown.id], events });

		const shownToken = tokenOf(shown.url ?? '');
		const isOld = before.includes(shown.id) || (shownToken !== undefined && shownToken !== token);
		const isAsked = !shown.events || (await isSubscribed(trigger, shown.events, events));
		if (isAsked !== false && !isOld) return { id: shown.id, token, answer: answer.body };

		// A service that takes an address only once may give back the record that it has.
		if (tries > 1) {
			throw new NodeOperationError(
				context.getNode(),
				`The service registered another webhook endpoint than the one asked for: ${shown.id}, for ${shown.events?.join(', ') || 'every event'}. Remove it with the Voice Agent node, and try again.`,
			);
		}
		await removeEndpoint(trigger, shown.id, trigger.patience());
	}
}

/**
 * Sends the POST. Refused, it may be for an event type that the catalog lacks, or for an endpoint of
 * ours: some services take an address only once, whatever its query, or only so many endpoints.
 */
async function post(trigger: Trigger, events: string[]) {
	const { context, credential, webhookUrl, binding, patience } = trigger;
	const send = async () => {
		// Another one each time, so that the newest endpoint has the newest token.
		const token = makeToken(credential.apiKey, binding);
		const body = {
			url: withToken(webhookUrl, token),
			...(events.length > 0 && { events: [...new Set(events)] }),
		};
		const asked = { method: 'POST', path: '/webhooks', body } as const;
		return { token, answer: await request(context, asked, patience()) };
	};
	try {
		return await send();
	} catch (error) {
		const status = statusOf(error) ?? 0;
		const isRefused = [400, 402, 409, 422].includes(status);
		if (isRefused) await assertEventTypes(context, events, patience());
		const listed = isRefused ? await listEndpoints(trigger) : [];
		if (!listed.some((endpoint) => isOurs(trigger, endpoint))) {
			throw new NodeApiError(context.getNode(), error as JsonObject);
		}
		await removeOurs(trigger);
		return await send();
	}
}

/** Waits until the list shows the endpoint that was created: by its token, or where it hides that, by its ID. */
async function findCreated(
	trigger: Trigger,
	token: string,
	id: string | undefined,
): Promise<Endpoint | undefined> {
	const { until } = trigger.patience();
	for (let delay = 250; ; delay *= 2) {
		const listed = await listEndpoints(trigger);
		const found =
			listed.find(({ url }) => tokenOf(url) === token) ??
			listed.find((endpoint) => endpoint.id === id && isHere(trigger, endpoint));
		if (found || Date.now() + delay >= until) return found;
		await sleep(delay);
	}
}

/** Finds the newest endpoint that another call has registered after ours, and that serves. */
export async function findLater(
	trigger: Trigger,
	listed: Endpoint[],
	own: string,
	chosen: string[],
): Promise<Endpoint | undefined> {
	const { credential, webhookUrl, binding } = trigger;
	let later: Endpoint | undefined;
	let token = own;
	for (const endpoint of listed) {
		const { url, events, isDisabled } = endpoint;
		const other = tokenOf(url);
		const isNew =
			other !== undefined &&
			isNewer(other, token) &&
			// From a clock that was wrong once, it would stay the newest for ever.
			madeAt(other) < Date.now() + CLOCKS_APART_MS &&
			isSameAddress(url, webhookUrl) &&
			isTokenOf(credential.apiKey, binding, other) &&
			!isDisabled;
		if (isNew && (!events || (await isSubscribed(trigger, events, chosen)) !== false)) {
			[later, token] = [endpoint, other];
		}
	}
	return later;
}
