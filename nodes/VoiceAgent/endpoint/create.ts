import { NodeOperationError, sleep, type IHookFunctions } from 'n8n-workflow';

import { assertEventTypes } from '../answers/eventTypes';
import { readSigningSecret } from '../answers/records';
import { request } from '../api/request';
import { lifecycleDeadline } from '../api/retry';
import { assertEnabled, createEndpoint } from './creation';
import { removeOwn } from './removal';
import { hashOf } from './token';
import { openTrigger, remember, type EndpointSettings, type Trigger } from './trigger';

/** The time that n8n needs to store the test listener after `create` has returned. */
const TEST_EVENT_DELAY_MS = 500;

/**
 * Creates the trigger's endpoint, then removes all other own endpoints. In this order, an endpoint
 * exists for every event. An endpoint whose creation got no answer is found by the next list.
 *
 * @throws NodeOperationError if the webhook URL is not HTTPS, the catalog lacks an event type, the service
 *   returns a different or a disabled endpoint, or signatures can't be verified without a secret
 */
export async function create(context: IHookFunctions, settings: EndpointSettings): Promise<void> {
	const trigger = await openTrigger(context);
	const { webhookUrl, deadline } = trigger;
	assertHttps(context, webhookUrl);

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
	if (context.getActivationMode() === 'manual' && settings.requestSample) {
		void requestTestEvent(context, id);
	}
}

/** Reads the endpoint's own signing secret, if signatures are verified. */
function signingSecretIn(
	{ context, credential }: Trigger,
	answer: unknown,
	{ verification }: EndpointSettings,
): string | undefined {
	if (verification.scheme === 'none') return undefined;
	const secret = readSigningSecret(answer);
	if (secret ?? credential.webhookSigningSecret) return secret;
	throw new NodeOperationError(
		context.getNode(),
		"The service returned no signing secret for the webhook, so signatures can't be verified. Put the signing secret into the credential (Webhook Signing Secret), or set Verify Signature → Scheme to None.",
	);
}

/** Runs after `create`, which opens the listener. A failure is only logged: the user can try again. */
async function requestTestEvent(context: IHookFunctions, endpointId: string): Promise<void> {
	try {
		await sleep(TEST_EVENT_DELAY_MS);
		const path = `/webhooks/${encodeURIComponent(endpointId)}/test`;
		await request(context, { method: 'POST', path, mayReportFailure: true }, lifecycleDeadline());
	} catch (error) {
		context.logger.warn(`Voice Agent Trigger got no test event: ${(error as Error).message}`);
	}
}

function assertHttps(context: IHookFunctions, webhookUrl: string): void {
	if (webhookUrl.startsWith('https://')) return;
	throw new NodeOperationError(
		context.getNode(),
		`The service delivers only to HTTPS addresses, but this n8n's webhook URL is ${webhookUrl}. Set the environment variable WEBHOOK_URL of n8n to its public address, which begins with https://`,
	);
}
