import type { Endpoint } from '../lists/records';
import type { ReadList } from '../lists/requestList';
import { isSameAddress, mayBeAt } from '../auth/callbackUrl';
import { ADDRESS_VARIABLE } from '../service/hosts';
import { clockOf } from '../callDetails/clock';
import { hasNewestArrived } from '../log/arrival';
import { requestNewest } from '../log/requestLog';
import { canVerify, describeFault, type Examined } from '../webhook/examine';
import type { EndpointSettings, CallContext } from '../webhook/callContext';
import type { Poll } from './polls';

/** Within this time, a second replacement would help no more than the first. */
const REPLACED_MS = 6 * 60 * 60_000;

/** Parts of reports. */
export const PUBLISH = 'Unpublish the workflow, and publish it again.';
export const HIDDEN_URLS =
	'The service hides the URLs of webhooks, so a new one could not be recognized.';

/** The endpoints of a trigger at the service, and what they are compared with. */
export interface TriggerEndpoints extends Examined {
	call: CallContext;
	settings: EndpointSettings;
	/** All endpoints of the workspace. */
	list: ReadList<Endpoint>;
}

/** @returns why only a person can mend the webhook, and how; undefined if it can be replaced */
export async function obstacleTo(poll: Poll, found: TriggerEndpoints): Promise<string | undefined> {
	const { context, polls, deadline } = poll;
	const { call, settings, endpoint, list, fault } = found;
	const { webhookUrl } = call;
	if (!webhookUrl.startsWith('https://')) {
		return `The webhook of this workflow would have to be at ${webhookUrl}, where a service can't deliver. Set n8n's ${ADDRESS_VARIABLE} to its public address, which begins with https://, and restart n8n.`;
	}
	if (endpoint && fault === 'disabled') {
		const log = await requestNewest(context, endpoint, deadline);
		if (hasNewestArrived(log.value.map(({ details }) => details)) !== false) {
			return `The webhook ${endpoint.id} of this workflow is turned off in the service, so no event starts the workflow. Its last deliveries did not fail, so a person may have turned it off. Turn it on in the service. Or: ${PUBLISH}`;
		}
	}
	const what = `At the service, the webhook of this workflow ${describeFault(fault)}, so events do not start the workflow.`;
	if (fault === 'secret' || !canVerify(call, settings)) {
		return `${what} Only a publish can store the signing secret of a new webhook. ${PUBLISH}`;
	}
	if (list.value.some(({ url }) => mayBeAt(url, webhookUrl) && !isSameAddress(url, webhookUrl))) {
		return `${what} ${HIDDEN_URLS} ${PUBLISH}`;
	}
	const { replacedAt = -Infinity } = polls;
	if (Date.now() - replacedAt < REPLACED_MS) {
		return `${what} It was replaced on ${clockOf(context.getTimezone())(replacedAt)}, and the new one had the same fate. Find out why with Webhook → Check of the Voice Agent node. Then: ${PUBLISH}`;
	}
	return undefined;
}
