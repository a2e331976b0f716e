import { NodeOperationError, sleep, type IHookFunctions } from 'n8n-workflow';

import { assertEventTypes } from '../answers/eventTypes';
import { readSigningSecret } from '../answers/records';
import { request } from '../api/request';
import { lifecycleDeadline } from '../api/retry';
import { assertEnabled, createEndpoint, findNewer } from './creation';
import { removeOwn } from './removal';
import { hashOf } from './token';
import { openTrigger, remember, type EndpointSettings, type Trigger } from './trigger';

/** Long enough for n8n to store the test listener, which it does after `create` has returned. */
const SAMPLE_DELAY_MS = 500;

/**
 * Registers the trigger's endpoint, then removes every other own one: new first, old after, so that
 * no event is without an endpoint. One whose creation was never answered is found by the next list.
 *
 * @throws NodeOperationError where the webhook URL is not HTTPS, an event type is not in the catalog,
 *   the service registers something else or a disabled endpoint, or signatures are to be verified and
 *   there is no secret
 */
export async function create(context: IHookFunctions, settings: EndpointSettings): Promise<void> {
	const trigger = await openTrigger(context);
	const { known, webhookUrl, deadline } = trigger;
	assertHttps(context, webhookUrl);

	const { id, token, answer } = await createEndpoint(trigger, settings.events);
	const signingSecret = signingSecretIn(trigger, answer, settings);
	const before = known.endpoints ?? [];
	const { newer, kept, unconfirmed } = await removeOwn(trigger, {
		id,
		// An endpoint from before is not newer, even if the clock was set back.
		findNewer: async (listed) =>
			await findNewer(
				trigger,
				listed.filter((one) => !before.some((old) => old.id === one.id)),
				token,
				settings.events,
			),
	});
	if (newer) {
		// Another call came after this one, and stores the endpoint that stays.
		remember(trigger, { endpoints: unconfirmed });
		return;
	}
	assertEnabled(trigger, kept);
	const catalog = await assertEventTypes(context, settings.events, deadline);
	const endpoints = [...unconfirmed, { id, url: webhookUrl }];
	const { events } = settings;
	remember(trigger, { endpoints, events, catalog, signingSecret }, hashOf(token));
	if (context.getActivationMode() === 'manual' && settings.requestSample) {
		void requestSampleFor(context, id);
	}
}

/** The endpoint's own signing secret, while signatures are verified. */
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

/** Runs on after `create`: the listener is open when that returns, and a sample can be asked for again. */
async function requestSampleFor(context: IHookFunctions, endpointId: string): Promise<void> {
	try {
		await sleep(SAMPLE_DELAY_MS);
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
