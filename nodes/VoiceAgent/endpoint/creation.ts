import { NodeApiError, NodeOperationError, sleep, type JsonObject } from 'n8n-workflow';

import { isSameAddress, tokenOf, withToken } from '../api/callbackUrl';
import { statusOf } from '../api/errors';
import { assertEventTypes } from '../answers/eventTypes';
import { readCreatedEndpoint, type Endpoint } from '../answers/records';
import { request } from '../api/request';
import { mayBeAt, ownershipOf } from './ownership';
import { removeEndpoint, removeOwn } from './removal';
import { isSubscribed } from './subscription';
import { hashOf, isNewer, isTokenOf, madeAt, makeToken } from './token';
import { listEndpoints, remember, type Trigger } from './trigger';

/** How far the clocks of two processes may be apart. */
const CLOCKS_APART_MS = 60_000;

/**
 * Has the service create an endpoint, and checks that it is the requested one, and enabled.
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
		// At once: n8n answers a throw from here on with a `delete`, which needs the ID.
		remember(trigger, { endpoints: [...before, { id, url: webhookUrl }], events }, hashOf(token));

		const shownToken = tokenOf(shown.url ?? '');
		const isOld =
			before.some((old) => old.id === id) || (shownToken !== undefined && shownToken !== token);
		const isRequested = !shown.events || (await isSubscribed(trigger, shown.events, events));
		if (isRequested !== false && !isOld) {
			assertEnabled(trigger, shown);
			return { id, token, answer: answer.body };
		}

		// A service that takes an address only once may give back the record that it has.
		if (tries > 1) {
			throw new NodeOperationError(
				context.getNode(),
				`The service returned a different webhook: ${id}, for ${shown.events?.join(', ') || 'every event'}. Delete it with the Voice Agent node, then publish again.`,
			);
		}
		await removeEndpoint(trigger, id, trigger.deadline);
	}
}

/** @throws NodeOperationError where the service shows that it delivers nothing to an endpoint */
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
 * Sends the POST. A refusal may concern an event type that the catalog lacks, or an own endpoint: some
 * services take an address only once, whatever its query, or only so many endpoints.
 */
async function post(trigger: Trigger, events: string[]) {
	const { context, credential, webhookUrl, binding, deadline } = trigger;
	const send = async () => {
		// Another one each time, so that the newest endpoint has the newest token.
		const token = makeToken(credential.apiKey, binding);
		const body = {
			url: withToken(webhookUrl, token),
			...(events.length > 0 && { events }),
		};
		const asked = { method: 'POST', path: '/webhooks', body } as const;
		// It is not sent twice, so it gets all the time that is left.
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

/** Waits until the list shows the created endpoint: by its token, or where it hides that, by its ID. */
async function findCreated(
	trigger: Trigger,
	token: string,
	id: string | undefined,
): Promise<Endpoint | undefined> {
	const { until } = trigger.deadline;
	for (let delay = 250; ; delay *= 2) {
		const { endpoints } = await listEndpoints(trigger);
		const found =
			endpoints.find(({ url }) => tokenOf(url) === token) ??
			endpoints.find((one) => one.id === id && mayBeAt(one.url, trigger.webhookUrl));
		if (found || Date.now() + delay >= until) return found;
		await sleep(delay);
	}
}

/** Finds the newest enabled endpoint that another call has registered after this token was made. */
export async function findNewer(
	trigger: Trigger,
	listed: Endpoint[],
	own: string,
	selected: string[],
): Promise<Endpoint | undefined> {
	const { credential, webhookUrl, binding } = trigger;
	let newest: Endpoint | undefined;
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
		if (isNew && (!events || (await isSubscribed(trigger, events, selected)) !== false)) {
			[newest, token] = [endpoint, other];
		}
	}
	return newest;
}
