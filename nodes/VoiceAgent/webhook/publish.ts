import { NodeOperationError, sleep, type IHookFunctions } from 'n8n-workflow';

import { hashOf } from '../auth/token';
import { assertEventTypes } from '../lists/requestList';
import { readSigningSecret } from '../lists/records';
import { request } from '../service/request';
import { lifecycleDeadline } from '../service/retry';
import {
	listEndpoints,
	markRemoval,
	beginTask,
	writeState,
	type TriggerTask,
	type EndpointSettings,
} from './triggerTask';
import { createEndpoint, faultOfUrl, undoCreate, type CreatedEndpoint } from './createEndpoint';
import { removeOwn } from './remove';

/** The time that n8n needs to store the test listener after `create` has returned. */
const TEST_EVENT_DELAY_MS = 500;

/** No delivery of an endpoint is earlier than its creation by more than this. */
const CREATION_MS = 60_000;

/**
 * Creates the trigger's endpoint, then removes all other own endpoints. An endpoint whose creation got no answer is
 * found by the next list, so no POST is sent after a list that could not be read.
 *
 * @throws NodeOperationError if the webhook URL is not HTTPS, the catalog lacks an event type, the service
 *   returns a different or a disabled endpoint, or signatures can't be verified without a secret
 */
export async function create(context: IHookFunctions, settings: EndpointSettings): Promise<void> {
	const task = await beginTask(context, 'publish');
	const fault = faultOfUrl(task);
	if (fault) throw new NodeOperationError(context.getNode(), fault);
	if (task.state.removal === 'begun') await listEndpoints(task);
	const id = await replaceEndpoint(task, settings).catch((error: Error) => {
		markRemoval(task);
		throw error;
	});
	if (task.kind === 'test' && settings.requestTest) void requestTestEvent(task, id);
}

/**
 * Puts a new endpoint in the place of all own ones: first the POST, at last the DELETE, so that an endpoint exists for
 * every event, unless the service refuses a second endpoint. If a step after the POST fails, an endpoint whose ID is
 * known to be new gets one DELETE.
 *
 * @returns the ID of the new endpoint
 */
export async function replaceEndpoint(
	task: TriggerTask,
	settings: EndpointSettings,
): Promise<string> {
	const created = await createEndpoint(task, settings.events);
	await finishReplacement(task, settings, created).catch(async (error: Error) => {
		await undoCreate(task, created.id);
		throw error;
	});
	return created.id;
}

/** Removes all own endpoints but the created one, and stores it. */
async function finishReplacement(
	task: TriggerTask,
	{ events, verifySignature }: EndpointSettings,
	{ id, isDisabled, token, answer, createdAt }: CreatedEndpoint,
): Promise<void> {
	const { context, webhookUrl, deadline, state } = task;
	assertEnabled(task, id, isDisabled);
	const signingSecret = verifySignature ? signingSecretIn(task, answer) : undefined;
	const { listed, unconfirmed, ownState } = await removeOwn(task, id);
	assertEnabled(task, id, listed.find((endpoint) => endpoint.id === id)?.isDisabled);
	const catalog = await assertEventTypes(context, events, deadline);
	const endpoints = [...unconfirmed, { id, url: webhookUrl }];
	state.publishedAt = state.since = createdAt - CREATION_MS;
	writeState({ ...task, ownState }, { endpoints, events, catalog, signingSecret }, hashOf(token));
}

/** @throws NodeOperationError if the service shows that the endpoint is disabled */
function assertEnabled({ context }: TriggerTask, id: string, isDisabled = false): void {
	if (!isDisabled) return;
	throw new NodeOperationError(
		context.getNode(),
		`The service created the webhook ${id} disabled, so no event would arrive. Find out in the service why it disables new webhooks, then publish again.`,
	);
}

/**
 * Reads the endpoint's own signing secret, if the service returned one.
 *
 * @throws NodeOperationError if neither the service nor the credential has a secret
 */
function signingSecretIn(
	{ context, credential }: TriggerTask,
	answer: unknown,
): string | undefined {
	const secret = readSigningSecret(answer);
	if (secret ?? credential.webhookSigningSecret) return secret;
	throw new NodeOperationError(
		context.getNode(),
		"The service returned no signing secret for the webhook, so signatures can't be verified. Put the signing secret into the credential (Webhook Signing Secret), or turn off Verify Signature.",
	);
}

/** Runs after `create`, which opens the listener. A failure is only logged: the user can try again. */
async function requestTestEvent({ context }: TriggerTask, endpointId: string): Promise<void> {
	try {
		await sleep(TEST_EVENT_DELAY_MS);
		const path = `/webhooks/${encodeURIComponent(endpointId)}/test`;
		await request(context, { method: 'POST', path, mayReportFailure: true }, lifecycleDeadline());
	} catch (error) {
		context.logger.warn(`Voice Agent Trigger got no test event: ${(error as Error).message}`);
	}
}
