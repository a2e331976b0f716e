import type { IWebhookFunctions } from 'n8n-workflow';

import { idIn, identityOf, isSameEvent, readBodyIds, type EventIdentity } from '../events/identity';
import { findSettled, memoryOf, type AcceptedEvent } from '../state/triggerMemory';
import { addSettled, presentEndpoint, stateOf, type SettledEvent } from '../state/triggerState';
import { idsIn } from '../events/places';
import type { Delivery } from './decide';
import { commonTypeOf, type ReceivedEvent } from './item';

/*
 * A service may send an event twice within a second, and both executions would then find no CRM record. So a
 * delivery that equals one which still runs is refused: the service sends it again, and finds it done. Losing this
 * memory, as at a restart, only lets both run.
 */

/** A later delivery with the same content is no repetition, but a resend that somebody asked for. */
const REMEMBERED_MS = 60_000;
/** After this time, an event that is caught up counts as processed even if its execution still runs. */
const LONGEST_RUN_MS = 60_000;

/**
 * `duplicate`: the event was caught up, or an equal delivery succeeded; `running`: an equal delivery still runs, or its
 * event has been caught up for less than a minute.
 */
type Repetition = 'duplicate' | 'running';

/**
 * Claims an accepted delivery for an execution, unless it repeats an event. This process remembers its event as
 * accepted, once n8n has answered it with success: the poll never starts it.
 *
 * @param events that the delivery would start
 * @param endpointIds see {@link idsIn}
 * @returns undefined for a claimed delivery
 */
export function claimDelivery(
	context: IWebhookFunctions,
	{ headers, body }: Delivery,
	events: ReceivedEvent[],
	endpointIds: string[],
): Repetition | undefined {
	const { sure } = readBodyIds(body);
	const ids = [...sure, ...idsIn(headers, endpointIds)].flatMap((id) => idIn(id) ?? []);
	const identity = identityOf(commonTypeOf(events), ids, body);
	storeSettled(context);
	// Two events without an ID, of the event or its call, may have the same content, such as `{"type": "call.ended"}`. The
	// events of a batch may have the only IDs.
	if (ids.length > 0 || identity.bareId || events.every(hasId)) {
		const repetition = findCaughtUp(context, identity) ?? findAccepted(context, identity);
		if (repetition) return repetition;
	}
	rememberAccepted(context, identity);
	return undefined;
}

function hasId({ sent, details }: ReceivedEvent): boolean {
	const { sure, bare } = readBodyIds(sent);
	return sure.length > 0 || bare !== undefined || details.id !== null;
}

/** Stores the settled events that n8n lacks, because a poll could not send them: see `poll/sendResults.ts`. */
function storeSettled(context: IWebhookFunctions): void {
	const memory = memoryOf(context);
	if (memory.unstored.length === 0) return;
	const state = stateOf(context);
	memory.unstored = memory.unstored.filter((event) => !isIn(state.settled, event));
	if (presentEndpoint(state)) addSettled(state, memory.unstored);
}

function isIn(events: SettledEvent[] = [], identity: EventIdentity): boolean {
	return events.some((event) => isSameEvent(event, identity));
}

/** Compares an event with those that were caught up, as n8n stores them, and as this process knows them. */
function findCaughtUp(context: IWebhookFunctions, identity: EventIdentity): Repetition | undefined {
	const settled = findSettled(memoryOf(context), identity);
	// Until n8n has stored that it ran, a crash could lose the event.
	const isRunning = Date.now() - (settled?.runsSince ?? -Infinity) < LONGEST_RUN_MS;
	if (isRunning) return 'running';
	const isCaughtUp = (event: SettledEvent) => !event.wasAccepted;
	const isStored = isIn(stateOf(context).settled?.filter(isCaughtUp), identity);
	return (settled && isCaughtUp(settled)) || isStored ? 'duplicate' : undefined;
}

/** Compares an event with the deliveries of the last minute that have the same ids. */
function findAccepted(context: IWebhookFunctions, identity: EventIdentity): Repetition | undefined {
	const now = Date.now();
	const hasSameIds = ({ ids }: AcceptedEvent) => ids.join('\n') === identity.ids.join('\n');
	const isRecent = ({ at, succeeded }: AcceptedEvent) =>
		succeeded === undefined || (succeeded && now - at < REMEMBERED_MS);
	const equal = memoryOf(context).accepted.find(
		identity,
		(event) => hasSameIds(event) && isRecent(event),
	);
	if (!equal) return undefined;
	return equal.succeeded === undefined ? 'running' : 'duplicate';
}

/** Remembers an event, with its result once n8n answers. */
function rememberAccepted(context: IWebhookFunctions, identity: EventIdentity): void {
	const accepted: AcceptedEvent = { ...identity, at: Date.now() };
	memoryOf(context).accepted.add(accepted);
	const response = context.getResponseObject();
	// Unlike `finish` and `close`, it is emitted with n8n's answer also if the service has hung up before.
	response.once('prefinish', () => {
		Object.assign(accepted, { at: Date.now(), succeeded: response.statusCode < 400 });
	});
}
