import { identityOf } from '../../../nodes/VoiceAgent/events/identity';
import {
	checkEndpoint,
	type EndpointFacts,
} from '../../../nodes/VoiceAgent/operations/check/checkEndpoint';
import {
	hasArrived,
	readAttempt,
	type DeliveryDetails,
	type LoggedAttempt,
} from '../../../nodes/VoiceAgent/log/attempts';
import type { Endpoint } from '../../../nodes/VoiceAgent/lists/records';

export const TRIGGER_URL = `https://n8n.example.com/webhook/6d1c/webhook?voice_agent_token=${'A'.repeat(43)}`;
export const CRM_URL = 'https://crm.example.com/hooks';

export const endpoint: Endpoint = {
	id: 'we_1',
	url: TRIGGER_URL,
	events: ['call.completed'],
	isDisabled: false,
	isRemoved: false,
	isUnverified: false,
};

const nothing = readAttempt({}, { id: 'we_1' });

/** @returns a delivery at a minute, with these details */
export const at = (minute: number, details: Partial<DeliveryDetails> = {}): DeliveryDetails => ({
	...nothing.details,
	id: `d-${minute}`,
	time: new Date(Date.UTC(2026, 0, 31, 9, minute)).toISOString(),
	...details,
});
export const arrived = { status: 200, succeeded: true };
export const failed = (status: number) => ({ status, succeeded: false });
export const starting = { ...arrived, response: 'n8n is starting up. Please wait' };

export const complete = <T>(value: T[]) => ({ value, complete: true });
export const lost = (why: string) => ({ value: [], complete: false, error: new Error(why) });
export const attemptOf = (details: DeliveryDetails): LoggedAttempt => ({
	...nothing,
	details,
	identity: identityOf(null, [], details.event),
	hasArrived: hasArrived(details),
	lastArrived: hasArrived(details),
});
/** Judges an endpoint in good order with this log, unless other facts are given. */
export const check = (log: DeliveryDetails[], more: Partial<EndpointFacts> = {}) =>
	checkEndpoint({
		id: 'we_1',
		list: complete([endpoint]),
		log: complete(log.map(attemptOf)),
		timezone: 'UTC',
		...more,
	});
export const withEndpoint = (more: Partial<Endpoint>) => ({
	list: complete([{ ...endpoint, ...more }]),
});
