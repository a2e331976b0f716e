import {
	NodeApiError,
	NodeOperationError,
	sleep,
	type IDataObject,
	type IHookFunctions,
	type JsonObject,
} from 'n8n-workflow';

import { tokenOf, withToken } from '../api/callbackUrl';
import { statusOf } from '../api/errors';
import { assertEventTypes } from '../answers/eventTypes';
import { readCreatedEndpoint, readSigningSecret, type Endpoint } from '../answers/records';
import { request } from '../api/request';
import { lifecycleDeadline } from '../api/retry';
import { ownershipOf } from './ownership';
import { removeEndpoint, removeOwn } from './remove';
import { mayBeAt } from './shownUrl';
import { stateOf } from './endpointState';
import { adoptNothing, remember } from './newestState';
import { mayBeSubscribed } from './subscription';
import { hashOf, makeToken } from './token';
import { listEndpoints, openTrigger, type EndpointSettings, type Trigger } from './trigger';

/** How long the DELETE for a created endpoint may exceed the deadline of a failed call. */
const UNDO_MS = 400;

/** The time that n8n needs to store the test listener after `create` has returned. */
const TEST_EVENT_DELAY_MS = 500;

/**
 * Creates the trigger's endpoint, then removes all other own endpoints. In this order, an endpoint
 * exists for every event, unless the service refuses a second endpoint: see {@link post}. An endpoint whose
 * creation got no answer is found by the next list, so no POST is sent after a list that could not be read.
 * After any other error, the created endpoint gets one DELETE.
 *
 * @throws NodeOperationError if the webhook URL is not HTTPS, the catalog lacks an event type, the service
 *   returns a different or a disabled endpoint, or signatures can't be verified without a secret
 */
export async function create(context: IHookFunctions, settings: EndpointSettings): Promise<void> {
	const trigger = await openTrigger(context);
	const { webhookUrl } = trigger;
	if (!webhookUrl.startsWith('https://')) {
		throw new NodeOperationError(
			context.getNode(),
			`The service delivers only to HTTPS addresses, but this n8n's webhook URL is ${webhookUrl}. Set the environment variable WEBHOOK_URL of n8n to its public address, which begins with https://`,
		);
	}
	assertEngine(context);
	if (stateOf(context).mustCreate === true) await listEndpoints(trigger);
	await replaceEndpoints(trigger, settings).catch(async (error: Error) => {
		await undo(trigger);
		throw error;
	});
}

/** @throws NodeOperationError if n8n's engine v2, which runs no trigger's `execute`, can't do what is set */
function assertEngine(context: IHookFunctions): void {
	// n8n 2.0 does not show the settings.
	if (context.getWorkflowSettings?.().engineType !== 'v2') return;
	const { acknowledge, outputs } = context.getNode().parameters.options as IDataObject;
	if (acknowledge !== 'finished' && !outputs) return;
	throw new NodeOperationError(
		context.getNode(),
		"This workflow uses n8n's engine v2, which supports neither Respond → When Last Node Finishes nor several Outputs. Set Respond to Immediately, and remove the option Outputs.",
	);
}

/** Removes the created endpoint if it can: the `delete` that n8n calls next fails without a list. */
async function undo(trigger: Trigger): Promise<void> {
	const { context, createdId, deadline } = trigger;
	adoptNothing(context);
	const endsAt = deadline.endsAt + UNDO_MS;
	if (createdId) await removeEndpoint(trigger, createdId, { ...deadline, endsAt, once: true });
}

async function replaceEndpoints(trigger: Trigger, settings: EndpointSettings): Promise<void> {
	const { context, webhookUrl, deadline } = trigger;
	const { events } = settings;
	const { id, token, answer } = await createEndpoint(trigger, events);
	const signingSecret = signingSecretIn(trigger, answer, settings);
	const { newer, kept, unconfirmed } = await removeOwn(trigger, { id, token, events });
	if (newer) {
		// A concurrent call came later, and stores the newer endpoint.
		remember(trigger, { endpoints: unconfirmed });
		return;
	}
	assertEnabled(trigger, kept);
	const catalog = await assertEventTypes(context, events, deadline);
	const endpoints = [...unconfirmed, { id, url: webhookUrl }];
	remember(trigger, { endpoints, events, catalog, signingSecret }, hashOf(token));
	if (context.getMode() === 'manual' && settings.requestSample) {
		void requestTestEvent(trigger, id);
	}
}

/** Reads the endpoint's own signing secret, if signatures are verified. */
function signingSecretIn(
	{ context, credential }: Trigger,
	answer: unknown,
	{ verifySignature }: EndpointSettings,
): string | undefined {
	if (!verifySignature) return undefined;
	const secret = readSigningSecret(answer);
	if (secret ?? credential.webhookSigningSecret) return secret;
	throw new NodeOperationError(
		context.getNode(),
		"The service returned no signing secret for the webhook, so signatures can't be verified. Put the signing secret into the credential (Webhook Signing Secret), or turn off Verify Signature.",
	);
}

/** Runs after `create`, which opens the listener. A failure is only logged: the user can try again. */
async function requestTestEvent({ context }: Trigger, endpointId: string): Promise<void> {
	try {
		await sleep(TEST_EVENT_DELAY_MS);
		const path = `/webhooks/${encodeURIComponent(endpointId)}/test`;
		await request(context, { method: 'POST', path, mayReportFailure: true }, lifecycleDeadline());
	} catch (error) {
		context.logger.warn(`Voice Agent Trigger got no test event: ${(error as Error).message}`);
	}
}

/**
 * Creates an endpoint at the service, and checks that the service created the requested one, enabled.
 *
 * @returns its ID and token, and the answer, which may hold its signing secret
 */
async function createEndpoint(
	trigger: Trigger,
	events: string[],
): Promise<{ id: string; token: string; answer: unknown }> {
	const { context, webhookUrl, known } = trigger;
	const before = known.endpoints ?? [];
	for (let tries = 1; ; tries++) {
		const { token, url, answer } = await post(trigger, events);
		const created = readCreatedEndpoint(answer.body, url);
		const shown = created?.url ? created : await findCreated(trigger, token, created?.id);
		if (!shown) throw answer.unreadable('the created webhook');
		const { id } = shown;
		trigger.createdId = id;
		// They are about the log of another endpoint.
		Object.assign(stateOf(context), { since: undefined, caughtUp: undefined });
		// Stored before any further throw, because n8n then calls `delete`, which needs the ID.
		remember(trigger, { endpoints: [...before, { id, url: webhookUrl }], events }, hashOf(token));

		const isOld = before.some((old) => old.id === id) || hasOtherToken(shown, token);
		if (!isOld && (await mayBeSubscribed(trigger, shown.events, events))) {
			assertEnabled(trigger, shown);
			return { id, token, answer: answer.body };
		}

		// A service that allows one endpoint for each URL may return its old record.
		if (tries > 1) throw differentEndpoint(trigger, shown);
		await removeEndpoint(trigger, id, trigger.deadline);
	}
}

function differentEndpoint({ context }: Trigger, { id, events }: Pick<Endpoint, 'id' | 'events'>) {
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
function assertEnabled(
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
 * allow one endpoint for each URL without its query, or a limited number of endpoints. After a 400 or 422,
 * the URL lacks the ID of the workflow: a service may refuse a second query parameter.
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
	const { id } = context.getWorkflow();
	try {
		return await send(id);
	} catch (error) {
		const status = statusOf(error) ?? 0;
		const isRefused = [400, 402, 409, 422].includes(status);
		if (isRefused) await assertEventTypes(context, events, deadline);
		const { endpoints } = isRefused ? await listEndpoints(trigger) : { endpoints: [] };
		const isInvalid = status === 400 || status === 422;
		if (endpoints.some((endpoint) => ownershipOf(trigger, endpoint))) await removeOwn(trigger);
		else if (!isInvalid) throw new NodeApiError(context.getNode(), error as JsonObject);
		return await send(isInvalid ? undefined : id);
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
