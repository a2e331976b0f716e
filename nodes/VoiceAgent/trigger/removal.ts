import { NodeApiError, NodeOperationError, sleep, type JsonObject } from 'n8n-workflow';

import { isGone, statusOf } from '../transport/errors';
import type { Endpoint } from '../transport/records';
import { request } from '../transport/request';
import type { Patience } from '../transport/retry';
import { isDeadListener, isOurs, listEndpoints } from './ours';
import type { Trigger } from './trigger';

/** How often an endpoint that stays listed is removed, before a lying service is given up. */
const REMOVAL_TRIES = 5;

/** How often in a row it has to be said that one is gone, at the least: fewer may be chance. */
const LEAST_REMOVALS = 3;

/** What a list that still shows what was removed is given first, to come after; then twice as much. */
const LIST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 2_000;

/** An endpoint that was just registered, and what tells of one that another call registered after it. */
export interface Registered {
	id: string;
	findLater: (listed: Endpoint[]) => Promise<Endpoint | undefined>;
}

/**
 * Removes our endpoints until the list shows none; with one that was just registered, none but the
 * newest.
 *
 * @returns the one that came later, if any, and has taken the place of what was registered; and the
 *   IDs of those that are not listed, and whose removal failed: nobody knows
 * @throws NodeApiError where the removal of one that is listed fails, NodeOperationError where they
 *   are removed and stay, or the one to keep has gone meanwhile
 */
export async function removeOurs(
	trigger: Trigger,
	own?: Registered,
): Promise<{ later?: Endpoint; doubtful: string[] }> {
	const { context, patience } = trigger;
	const removals = new Removals(trigger);
	await removeRemembered(trigger, removals, own?.id);
	let wasKeptListed = false;
	for (let round = 1; ; round++) {
		const listed = await listEndpoints(trigger);
		const later = await own?.findLater(listed);
		const kept = later?.id ?? own?.id;
		const left = listed
			.filter((endpoint) => isOurs(trigger, endpoint) || isDeadListener(trigger, endpoint))
			// Some keep what was removed in their list, and say that it serves nobody.
			.filter(({ id, isDisabled }) => !(isDisabled && removals.isDone(id)))
			.map(({ id }) => id)
			.filter((id) => id !== kept);
		// It gives way, be it that the list does not show it yet.
		if (own && kept !== own.id && round === 1 && !left.includes(own.id)) left.push(own.id);

		const isKeptListed = listed.some(({ id }) => id === kept);
		if (wasKeptListed && !isKeptListed) {
			throw new NodeOperationError(
				context.getNode(),
				'Another call has removed the webhook endpoint that this one registered. Publish the workflow again.',
			);
		}
		wasKeptListed = isKeptListed;
		// What is listed and yet not found may be gone, where the list lags behind, or be there, where
		// a proxy had a bad moment: only an answer that stays the same is believed.
		const delay = round > 1 ? Math.min(LIST_DELAY_MS * 2 ** (round - 2), LONGEST_DELAY_MS) : 0;
		const isLate = delay > 0 && Date.now() + delay >= patience().until;
		const tried = left.filter((id) => removals.isDecided(id, isLate));
		const stubborn = tried.filter((id) => !removals.isBelieved(id));
		if (stubborn.length > 0) throw removals.failureOf(stubborn);
		if (tried.length === left.length) return { later, doubtful: [...removals.doubtful] };
		if (delay > 0 && !isLate) await sleep(delay);
		for (const id of left) if (!tried.includes(id)) await removals.attempt(id, patience());
	}
}

/**
 * Removes what is remembered, whether the list shows it or not: a list may lag behind, or have pages
 * that it does not tell of. Where it does show it, that is tried again.
 */
async function removeRemembered(trigger: Trigger, removals: Removals, keep?: string) {
	const { known, patience } = trigger;
	for (const id of known.endpointIds ?? []) {
		if (id === keep) continue;
		const wasThere = await removals.attempt(id, { ...patience(), once: true }).catch(() => true);
		// A service that never knew it makes no more tries with its token.
		if (!wasThere) known.tokenHashes = known.tokenHashes?.slice(0, keep === undefined ? 0 : 1);
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

/** What the removals of an endpoint were answered. */
interface Answers {
	/** How often in a row that it is gone, be it just now or before. */
	removed: number;
	/** How often it was refused. */
	refused: number;
	/** Whether it was there at the last one. */
	wasThere: boolean;
}

/** The removals of one call, by the IDs of the endpoints. */
class Removals {
	/** Those whose last removal failed, so that they may be there. */
	readonly doubtful = new Set<string>();

	private readonly answers = new Map<string, Answers>();

	private refusal: unknown;

	constructor(private readonly trigger: Trigger) {}

	/**
	 * Removes an endpoint.
	 *
	 * @returns whether it was there, as far as the service says
	 * @throws NodeApiError where the answer tells nothing of it
	 */
	async attempt(id: string, patience: Patience): Promise<boolean> {
		const { removed, refused } = this.answersOf(id);
		try {
			const wasThere = await removeEndpoint(this.trigger, id, patience);
			this.answers.set(id, { removed: removed + 1, refused, wasThere });
			this.doubtful.delete(id);
			return wasThere;
		} catch (error) {
			const { context } = this.trigger;
			context.logger.debug(
				`Voice Agent Trigger could not remove ${id} yet: ${(error as Error).message}`,
			);
			if (tellsNothing(error) || isRefusedForState(error)) this.doubtful.add(id);
			else this.doubtful.delete(id);
			if (tellsNothing(error)) throw new NodeApiError(context.getNode(), error as JsonObject);
			// Services refuse in many ways to remove what is gone, and a late list still shows it.
			this.refusal = error;
			this.answers.set(id, { removed: 0, refused: refused + 1, wasThere: true });
			return true;
		}
	}

	/** Whether the service keeps to it that it is gone: enough for one that it lists as serving nobody. */
	isDone(id: string): boolean {
		return this.answersOf(id).removed >= LEAST_REMOVALS;
	}

	/**
	 * Whether one more try would tell nothing new. With no time to wait for the list, what was not tried
	 * is, and what was not found is asked for as often as it needs to be believed.
	 */
	isDecided(id: string, isLate: boolean): boolean {
		const { removed, refused, wasThere } = this.answersOf(id);
		if (Math.max(removed, refused) >= REMOVAL_TRIES) return true;
		return isLate && (refused > 0 || removed >= (wasThere ? 1 : LEAST_REMOVALS));
	}

	/**
	 * Whether it is believed to be gone, though it is listed. After a refusal that has to be said as
	 * often as anything is tried.
	 */
	isBelieved(id: string): boolean {
		const { removed, refused, wasThere } = this.answersOf(id);
		return !wasThere && removed >= (refused > 0 ? REMOVAL_TRIES : LEAST_REMOVALS);
	}

	/** What to say of endpoints that stay. */
	failureOf(ids: string[]): Error {
		const node = this.trigger.context.getNode();
		if (this.refusal !== undefined) return new NodeApiError(node, this.refusal as JsonObject);
		return new NodeOperationError(
			node,
			`The service still lists webhook endpoints of this trigger that it said were removed: ${ids.join(', ')}. Try again later, or remove them with the Voice Agent node.`,
		);
	}

	private answersOf(id: string): Answers {
		return this.answers.get(id) ?? { removed: 0, refused: 0, wasThere: true };
	}
}

/** Whether a removal that failed says nothing of its endpoint: else the list tells if that is still there. */
function tellsNothing(error: unknown): boolean {
	const status = statusOf(error) ?? 0;
	return status === 0 || status >= 500 || [401, 403, 408, 429].includes(status);
}

/** Whether a removal was refused as only what is there is refused: for the state that it is in. */
function isRefusedForState(error: unknown): boolean {
	return [405, 409, 412, 423, 425].includes(statusOf(error) ?? 0);
}
