import {
	isTokenOf,
	madeAt,
	isSameAddress,
	tokenOf,
	workflowIdOf,
	hashOf,
	isEqual,
} from '../auth/token';
import { isSameSelection, isWildcard } from '../events/names';
import { assertEventTypes } from '../lists/requestList';
import type { Endpoint } from '../lists/records';
import type { TriggerState } from '../state/triggerState';
import type { TriggerTask, EndpointSettings } from './triggerTask';

/** A test listener of n8n is open for at most 10 minutes. An older endpoint belongs to no listener. */
const LISTENER_MS = 12 * 60_000;

/** Why an endpoint is own: it is at the present URL, at a stored former URL, or of a stale test listener. */
type Ownership = 'present' | 'former' | 'listener';

/**
 * Decides whether a listed endpoint is the trigger's own, by the rules in docs/architecture.md. No other listed
 * endpoint is ever removed.
 */
export function ownershipOf(
	task: TriggerTask,
	{ id, url }: Pick<Endpoint, 'id' | 'url'>,
): Ownership | undefined {
	const { credential, testBinding, webhookUrl, ownState } = task;
	if (task.kind === 'unpublish' && namesAnother(task, url)) return undefined;
	if (isSameAddress(url, webhookUrl)) return 'present';
	const stored = ownState.endpoints?.find((one) => one.id === id);
	if (stored && isSameAddress(url, stored.url)) return 'former';
	const token = tokenOf(url);
	const isStale = token !== undefined && madeAt(token) + LISTENER_MS < Date.now();
	return isStale && isTokenOf(credential.apiKey, testBinding, token) ? 'listener' : undefined;
}

/** Two workflows can share a path: n8n publishes one of them, and calls `delete` of the other one as well. */
function namesAnother({ context }: TriggerTask, url: string): boolean {
	const named = workflowIdOf(url);
	return named !== undefined && named !== context.getWorkflow().id;
}

/** Why an endpoint does not serve the trigger, as messages say it of the webhook. */
export const FAULTS = {
	missing: 'is missing',
	moved: 'has another URL',
	disabled: 'is turned off',
	/** It neither is stored nor proves itself. */
	token: 'has a token that is not from this trigger',
	secret: 'has a signing secret that n8n does not know',
	events: 'has other events',
};

type Fault = keyof typeof FAULTS;

/** What the service's list says of a trigger's endpoints. */
export type Examined = Awaited<ReturnType<typeof examine>>;

/**
 * Compares the list with what the trigger needs.
 *
 * @returns an own endpoint at the present URL, if possible with a valid token, without a fault, and stored; its fault, if
 *   any; and the other own endpoints but those of test listeners
 */
export async function examine(task: TriggerTask, settings: EndpointSettings, listed: Endpoint[]) {
	const ownedAs = (ownership: Ownership) =>
		listed.filter((one) => ownershipOf(task, one) === ownership);
	const present = ownedAs('present');
	const examined = await Promise.all(present.map((one) => examineOne(task, settings, one)));
	const storedId = task.ownState.endpoints?.at(-1)?.id;
	const isMoved = listed.some((one) => one.id === storedId && !ownershipOf(task, one));
	const none: ExaminedOne = { fault: isMoved ? 'moved' : 'missing' };
	// Somebody may have registered the URL once more, with another token; or a repair could not remove the old endpoint.
	const [best = none] = examined.sort((one, other) => rankOf(other) - rankOf(one));
	const others = [...present.filter((one) => one !== best.endpoint), ...ownedAs('former')];
	return { ...best, others };
}

type ExaminedOne = Partial<Awaited<ReturnType<typeof examineOne>>>;

/** @returns an endpoint at the present URL with the state, if it is about it, the hash of a valid token, and its fault */
async function examineOne(task: TriggerTask, settings: EndpointSettings, endpoint: Endpoint) {
	const stored = task.ownState.endpoints?.at(-1)?.id === endpoint.id ? task.ownState : undefined;
	const tokenHash = validTokenHash(task, endpoint, stored);
	const fault = await faultOf(task, settings, endpoint, stored, tokenHash);
	return { endpoint, stored, tokenHash, fault };
}

/** The first of these that differs decides: a valid token, no fault, being stored. */
function rankOf({ tokenHash, fault, stored }: ExaminedOne): number {
	return Number(tokenHash !== undefined) * 4 + Number(!fault) * 2 + Number(stored !== undefined);
}

/** A hidden token, or hidden events, of an endpoint that is not stored is a fault for a publish, but not for a poll. */
async function faultOf(
	task: TriggerTask,
	settings: EndpointSettings,
	endpoint: Endpoint,
	stored: TriggerState | undefined,
	tokenHash: string | undefined,
): Promise<Fault | undefined> {
	const maySuffice = task.kind === 'poll';
	const isHidden = maySuffice && !tokenOf(endpoint.url);
	if (!tokenHash && !isHidden) return 'token';
	if (endpoint.isDisabled) return 'disabled';
	if (!canVerify(task, settings, stored)) return 'secret';
	const shown = endpoint.events ?? stored?.events;
	const isFitting = await isSubscribed(task, shown, settings.events);
	return (isFitting ?? maySuffice) ? undefined : 'events';
}

/**
 * @param stored the state, if it is about this endpoint
 * @returns the hash of the endpoint's token; undefined for one that neither is stored nor proves itself
 */
function validTokenHash(
	{ credential, binding, ownState }: TriggerTask,
	{ url }: Endpoint,
	stored?: TriggerState,
) {
	const token = tokenOf(url);
	// If the list hides the token, only the hash stored for this endpoint confirms it.
	if (!token) return stored?.tokenHashes?.[0];
	const hash = hashOf(token);
	const isStored = ownState.tokenHashes?.some((one) => isEqual(one, hash));
	return isStored || isTokenOf(credential.apiKey, binding, token) ? hash : undefined;
}

/**
 * Whether signatures can be verified, if they have to: only the answer to the POST shows an endpoint's secret. A
 * service that returned none for the stored endpoint uses the credential's for others, too.
 */
export function canVerify(
	{ credential, ownState }: TriggerTask,
	settings: EndpointSettings,
	stored?: TriggerState,
): boolean {
	if (!settings.verifySignature || stored?.signingSecret) return true;
	const isShared = ownState.endpoints !== undefined && ownState.signingSecret === undefined;
	return (stored !== undefined || isShared) && Boolean(credential.webhookSigningSecret);
}

/**
 * Tests whether an endpoint gets exactly the selected event types.
 *
 * @param shown the event types of the endpoint as the service shows them; undefined for hidden ones
 * @returns undefined if they are hidden, or only the catalog decides, and can't be read: they may fit
 */
export async function isSubscribed(
	{ context, deadline }: TriggerTask,
	shown: string[] | undefined,
	chosen: string[],
): Promise<boolean | undefined> {
	if (!shown) return undefined;
	if (isSameSelection(shown, chosen)) return true;
	// The catalog is needed only for wildcards and for every event type.
	if (chosen.length > 0 && ![...shown, ...chosen].some(isWildcard)) return false;
	const names = await assertEventTypes(context, [], deadline);
	return names && isSameSelection(shown, chosen, names);
}
