import {
	NodeApiError,
	NodeOperationError,
	sleep,
	type IHookFunctions,
	type IWebhookFunctions,
	type JsonObject,
} from 'n8n-workflow';

import { isSameAddress, isSameOrigin, pathOf, tokenOf } from '../transport/callbackUrl';
import { isGone, statusOf } from '../transport/errors';
import { readEndpoint, type Endpoint } from '../transport/records';
import { request, requestList } from '../transport/request';
import type { Patience } from '../transport/retry';
import { madeAt } from './token';
import type { Trigger } from './trigger';

/** How often an endpoint that stays listed is removed, before a lying service is given up. */
const REMOVAL_TRIES = 4;

/** What a list that still shows what was removed is given first, to come after; then twice as much. */
const LIST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 2_000;

/** n8n's longest test listener is open for 10 minutes: what is older belongs to none. */
const LISTENER_MS = 12 * 60_000;

/**
 * Lists the endpoints of the workspace.
 *
 * @param followWeakSigns see {@link requestList}
 */
export async function listEndpoints(
	{ context, patience }: Trigger<IHookFunctions | IWebhookFunctions>,
	followWeakSigns: boolean,
): Promise<Endpoint[]> {
	const { entries, complete } = await requestList(context, '/webhooks', 'webhooks', patience, {
		followWeakSigns,
	});
	if (!complete) {
		context.logger.warn(
			'Voice Agent Trigger could not read the whole list of webhook endpoints: the service says that there are more, but not how to get them. An old endpoint of this trigger among them would stay.',
		);
	}
	return entries
		.map(readEndpoint)
		.filter((endpoint) => endpoint !== undefined)
		.filter(({ isRemoved }) => !isRemoved);
}

/**
 * Tells whether an endpoint is this trigger's: it has our address, or the one that we had before, or
 * an ID that we remember. One that was remembered and has gone to another host is somebody else's now.
 */
export function isOurs(
	{ webhookUrl, known }: Trigger<IHookFunctions | IWebhookFunctions>,
	{ id, url }: Endpoint,
): boolean {
	const own = [webhookUrl, known.webhookUrl ?? webhookUrl];
	if (own.some((address) => isSameAddress(address, url))) return true;
	const mayBeHere = isHidden(url) || own.some((address) => isSameOrigin(address, url));
	return mayBeHere && !!known.endpointIds?.includes(id);
}

/** Tells whether a listed URL does not show its address: it is absent, or a mask such as `https://***`. */
function isHidden(url: string): boolean {
	return !URL.canParse(url) || /[*•●…]/.test(url.split('?')[0] ?? '');
}

/** Whether an endpoint may be at our address, as far as the list shows it. */
export function isHere({ webhookUrl }: Trigger, { url }: Endpoint): boolean {
	return isHidden(url) || isSameAddress(url, webhookUrl);
}

/** An endpoint that was just registered, and what tells of one that another call registered after it. */
export interface Registered {
	id: string;
	findLater: (listed: Endpoint[]) => Promise<Endpoint | undefined>;
}

/** What the removals of an endpoint that stays listed were answered. */
interface Removal {
	/** How often in a row that it is gone, be it just now or before. */
	removed: number;
	/** How often it was refused. */
	refused: number;
	/** Whether it was there at the last one. */
	wasThere: boolean;
}
const NOT_TRIED: Removal = { removed: 0, refused: 0, wasThere: true };

/** Whether one more try would tell nothing new. */
const isDecided = ({ removed, refused }: Removal) => Math.max(removed, refused) >= REMOVAL_TRIES;

/** Whether it is believed to be gone; what was refused before, only once that was said often enough. */
const isBelieved = ({ removed, refused, wasThere }: Removal) =>
	!wasThere && (refused === 0 || removed >= REMOVAL_TRIES);

/**
 * Removes our endpoints until the list shows none; with one that was just registered, none but the
 * newest.
 *
 * @returns the one that came later, if any, and has taken the place of what was registered; and the
 *   IDs of those that are remembered, not listed, and whose removal failed: nobody knows
 * @throws NodeApiError where the removal of one that is listed fails, NodeOperationError where they
 *   are removed and stay, or the one to keep has gone meanwhile
 */
export async function removeOurs(
	trigger: Trigger,
	own?: Registered,
): Promise<{ later?: Endpoint; doubtful: string[] }> {
	const doubtful = await removeRemembered(trigger, own?.id);
	const removals = new Map<string, Removal>();
	let wasKeptListed = false;
	let refusal: unknown;
	for (let round = 1; ; round++) {
		const listed = await listEndpoints(trigger, true);
		const later = await own?.findLater(listed);
		const kept = later?.id ?? own?.id;
		const left = listed
			.filter((endpoint) => isOurs(trigger, endpoint) || isDeadListener(trigger, endpoint))
			.map(({ id }) => id)
			.filter((id) => id !== kept);
		// It gives way, be it that the list does not show it yet.
		if (later && own && round === 1 && !left.includes(own.id)) left.push(own.id);

		const isKeptListed = listed.some(({ id }) => id === kept);
		if (wasKeptListed && !isKeptListed) {
			throw new NodeOperationError(
				trigger.context.getNode(),
				'Another call has removed the webhook endpoint that this one registered. Publish the workflow again.',
			);
		}
		wasKeptListed = isKeptListed;
		// What is listed and yet not found may be gone, where the list lags behind, or be there, where
		// a proxy had a bad moment: only an answer that stays the same is believed.
		const delay = round > 1 ? Math.min(LIST_DELAY_MS * 2 ** (round - 2), LONGEST_DELAY_MS) : 0;
		const isLate = delay > 0 && Date.now() + delay >= trigger.patience().until;
		const removalOf = (id: string) => removals.get(id) ?? NOT_TRIED;
		const isTried = (id: string) => isLate || isDecided(removalOf(id));
		if (left.every((id) => isTried(id) && isBelieved(removalOf(id)))) {
			return { later, doubtful: [...doubtful] };
		}
		const stubborn = left.filter((id) => isTried(id) && !isBelieved(removalOf(id)));
		if (stubborn.length > 0) {
			throw refusal !== undefined
				? new NodeApiError(trigger.context.getNode(), refusal as JsonObject)
				: new NodeOperationError(
						trigger.context.getNode(),
						`The service still lists webhook endpoints of this trigger that it said were removed: ${stubborn.join(', ')}. Try again later, or remove them with the Voice Agent node.`,
					);
		}
		if (delay > 0) await sleep(delay);
		for (const id of left.filter((one) => !isTried(one))) {
			const { removed, refused } = removalOf(id);
			doubtful.delete(id);
			try {
				const wasThere = await removeEndpoint(trigger, id, trigger.patience());
				removals.set(id, { removed: removed + 1, refused, wasThere });
			} catch (error) {
				if (tellsNothing(error)) {
					throw new NodeApiError(trigger.context.getNode(), error as JsonObject);
				}
				// Services refuse in many ways to remove what is gone, and a late list still shows it.
				refusal = error;
				removals.set(id, { removed: 0, refused: refused + 1, wasThere: true });
			}
		}
	}
}

/**
 * Removes an endpoint.
 *
 * @returns false where the service knew none with this ID
 */
export async function removeEndpoint(
	{ context }: Trigger,
	id: string,
	patience: Patience,
): Promise<boolean> {
	try {
		const path = `/webhooks/${encodeURIComponent(id)}`;
		await request(context, { method: 'DELETE', path }, patience);
		return true;
	} catch (error) {
		if (isGone(statusOf(error))) return false;
		throw new NodeApiError(context.getNode(), error as JsonObject);
	}
}

/**
 * Removes what is remembered, whether the list shows it or not: a list may lag behind, or have pages
 * that it does not tell of. Where it does show it, that is tried again.
 *
 * @returns the IDs of those whose removal failed
 */
async function removeRemembered(trigger: Trigger, keep?: string): Promise<Set<string>> {
	const { context, known, patience } = trigger;
	const doubtful = new Set<string>();
	for (const id of known.endpointIds ?? []) {
		if (id === keep) continue;
		try {
			const wasThere = await removeEndpoint(trigger, id, { ...patience(), once: true });
			// A service that never knew it makes no more tries with its token.
			if (!wasThere) known.tokenHashes = known.tokenHashes?.slice(0, keep === undefined ? 0 : 1);
		} catch (error) {
			if (tellsNothing(error)) doubtful.add(id);
			context.logger.debug(`Voice Agent Trigger removes by its list: ${(error as Error).message}`);
		}
	}
	return doubtful;
}

/** Whether a removal that failed says nothing of its endpoint: else the list tells if that is still there. */
function tellsNothing(error: unknown): boolean {
	const status = statusOf(error) ?? 0;
	return status === 0 || status >= 500 || [401, 403, 408, 429].includes(status);
}

/**
 * Tells whether an endpoint is left from a test listener of this node that is no more: it is at
 * another path than the production URL, which ends alike, and its token is old. The production URL's
 * methods see to it: those of a test URL do not know the other's.
 */
function isDeadListener({ context, webhookUrl, known }: Trigger, { url }: Endpoint): boolean {
	const token = tokenOf(url);
	const [own, path] = [pathOf(webhookUrl), pathOf(url)];
	return (
		context.getMode() !== 'manual' &&
		token !== undefined &&
		madeAt(token) + LISTENER_MS < Date.now() &&
		path.endsWith(`/${own.split('/').slice(-2).join('/')}`) &&
		path.toLowerCase() !== own.toLowerCase() &&
		[webhookUrl, known.webhookUrl ?? ''].some((address) => isSameOrigin(address, url))
	);
}
