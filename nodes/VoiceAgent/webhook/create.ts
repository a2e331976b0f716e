import { NodeOperationError, sleep, type IDataObject, type IHookFunctions } from 'n8n-workflow';

import { assertEventTypes } from '../lists/eventTypes';
import { readSigningSecret } from '../lists/records';
import { ADDRESS_VARIABLE, warningOfLocalUrl } from '../service/hosts';
import { request } from '../service/request';
import { lifecycleDeadline } from '../service/retry';
import { CLOCKS_APART_MS } from './ownership';
import { assertEnabled, createEndpoint } from './postEndpoint';
import { removeEndpoint } from './removalProof';
import { removeOwn, type RescueMissed } from './remove';
import { hashOf } from '../auth/token';
import {
	markRemoval,
	listEndpoints,
	readContext,
	remember,
	type EndpointSettings,
	type CallContext,
} from './callContext';

/** How long the DELETE for a created endpoint may exceed the deadline of a failed call. */
const UNDO_MS = 400;

/** The time that n8n needs to store the test listener after `create` has returned. */
const TEST_EVENT_DELAY_MS = 500;

/**
 * Creates the trigger's endpoint, then removes all other own endpoints. In this order, an endpoint
 * exists for every event, unless the service refuses a second endpoint: see {@link createEndpoint}. An
 * endpoint whose creation got no answer is found by the next list, so no POST is sent after a list that
 * could not be read. After any other error, the created endpoint gets one DELETE.
 *
 * @param rescue reads the log of the former endpoint, see {@link RescueMissed}
 * @throws NodeOperationError if the webhook URL is not HTTPS, the catalog lacks an event type, the service
 *   returns a different or a disabled endpoint, or signatures can't be verified without a secret
 */
export async function create(
	context: IHookFunctions,
	settings: EndpointSettings,
	rescue: RescueMissed,
): Promise<void> {
	const call = await readContext(context);
	const { webhookUrl, state } = call;
	if (!webhookUrl.startsWith('https://')) {
		throw new NodeOperationError(
			context.getNode(),
			`The service delivers only to HTTPS addresses, but this n8n's webhook URL is ${webhookUrl}. Set n8n's ${ADDRESS_VARIABLE} to its public address, which begins with https://`,
		);
	}
	const warning = warningOfLocalUrl(webhookUrl);
	if (warning) context.logger.warn(warning);
	assertEngine(context);
	if (state.removal === 'begun') await listEndpoints(call);
	const rescued = rescue(call);
	state.since = Date.now() - CLOCKS_APART_MS;
	await replaceEndpoints(call, settings, rescued).catch(async (error: Error) => {
		await undo(call);
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
		"This workflow uses n8n's engine v2, which supports neither Respond → When Last Node Finishes nor Separate Outputs. Set Respond to Immediately, and remove the option Separate Outputs.",
	);
}

/** Removes the created endpoint if it can: the `delete` that n8n calls next fails without a list. */
async function undo(call: CallContext): Promise<void> {
	const { createdId, deadline } = call;
	markRemoval(call);
	const endsAt = deadline.endsAt + UNDO_MS;
	if (createdId) await removeEndpoint(call, createdId, { ...deadline, endsAt, once: true });
}

async function replaceEndpoints(
	call: CallContext,
	settings: EndpointSettings,
	rescued: Promise<void>,
): Promise<void> {
	const { context, webhookUrl, deadline } = call;
	const { events, verifySignature, requestSample } = settings;
	const { id, token, answer } = await createEndpoint(call, events, rescued);
	const signingSecret = verifySignature ? signingSecretIn(call, answer) : undefined;
	const { newer, kept, unconfirmed } = await removeOwn(call, rescued, { id, token, events });
	if (newer) {
		// A concurrent call came later, and stores the newer endpoint.
		remember(call, { endpoints: unconfirmed });
		return;
	}
	assertEnabled(call, kept);
	const catalog = await assertEventTypes(context, events, deadline);
	const endpoints = [...unconfirmed, { id, url: webhookUrl }];
	remember(call, { endpoints, events, catalog, signingSecret }, hashOf(token));
	if (context.getMode() === 'manual' && requestSample) void requestTestEvent(call, id);
}

/**
 * Reads the endpoint's own signing secret, if the service returned one.
 *
 * @throws NodeOperationError if neither the service nor the credential has a secret
 */
function signingSecretIn(
	{ context, credential }: CallContext,
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
async function requestTestEvent({ context }: CallContext, endpointId: string): Promise<void> {
	try {
		await sleep(TEST_EVENT_DELAY_MS);
		const path = `/webhooks/${encodeURIComponent(endpointId)}/test`;
		await request(context, { method: 'POST', path, mayReportFailure: true }, lifecycleDeadline());
	} catch (error) {
		context.logger.warn(`Voice Agent Trigger got no test event: ${(error as Error).message}`);
	}
}
