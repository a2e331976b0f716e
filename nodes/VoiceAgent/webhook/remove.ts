import { NodeOperationError, sleep, type IHookFunctions } from 'n8n-workflow';

import type { Endpoint } from '../lists/records';
import type { StoredEndpoint } from '../state/triggerState';
import { listEndpoints, markRemoval, readContext, remember, type CallContext } from './callContext';
import { deleteEndpoint, type RemovalAnswer } from './deleteEndpoint';
import { ownershipOf } from './ownership';
import { rescueMissed } from './rescue';

/** The time before a second DELETE: a list may still show a removed endpoint. */
const PAUSE_MS = 500;

/** What a removal has left. */
export interface Removal {
	/** The last list. */
	listed: Endpoint[];
	/** The endpoints that the service does not list, without a proof of their removal. The next call tries again. */
	unconfirmed: StoredEndpoint[];
	/** Whether the service knows no stored endpoint: the API key may be of another workspace now. */
	isElsewhere: boolean;
}

/**
 * Removes all own endpoints. After the last of n8n's attempts, the next publish removes the rest.
 *
 * @throws NodeApiError or NodeOperationError, so that n8n tries again
 */
export async function remove(context: IHookFunctions): Promise<void> {
	const call = await readContext(context, 'unpublish');
	const rescued = rescueMissed(call);
	// Set before any throw: a removed endpoint may stay listed for a while, and must not be adopted.
	markRemoval(call);
	const { unconfirmed, isElsewhere } = await removeOwn(call, rescued);
	const former = isElsewhere ? { ...call, known: {} } : call;
	remember(former, { endpoints: unconfirmed, removal: 'listed' });
	if (unconfirmed.length > 0) throw stillThere(call, unconfirmed, 'and does not list them');
}

/**
 * Removes the own endpoints but one. After a DELETE, the list decides. An endpoint that it still shows as enabled gets a
 * second DELETE, for which 404 or 410 is a proof.
 *
 * @param rescued is awaited before the first removal
 * @param keptId the ID of the endpoint that stays
 * @throws NodeApiError or NodeOperationError if a listed endpoint can't be removed, or stays listed
 */
export async function removeOwn(
	call: CallContext,
	rescued: Promise<void>,
	keptId?: string,
): Promise<Removal> {
	const first = await listEndpoints(call);
	const own = ownIn(call, first, keptId);
	if (own.length === 0) return { listed: first, unconfirmed: [], isElsewhere: false };
	await rescued;
	const answers = new Map<string, RemovalAnswer>();
	for (const { id } of own) answers.set(id, await removeOne(call, id, first));
	const isMissing = ({ id }: StoredEndpoint) => answers.get(id) === 'missing';
	const isElsewhere = own.every((one) => isMissing(one) && !isListed(first, one.id));
	let listed = await listEndpoints(call);
	const again = own.filter(({ id }) => isEnabledIn(listed, id));
	if (again.length > 0) await sleep(PAUSE_MS);
	for (const { id } of again) answers.set(id, await removeOne(call, id, listed));
	if (!again.every(isMissing)) listed = await listEndpoints(call);
	const left = again.filter((one) => !isMissing(one) && isEnabledIn(listed, one.id));
	if (left.length > 0) throw stillThere(call, left, 'and still lists them');
	const isOpen = ({ id }: StoredEndpoint) => /unclear|kept/.test(answers.get(id)!);
	const unconfirmed = own.filter(isOpen);
	return { listed, unconfirmed, isElsewhere };
}

/** @returns the stored endpoints and all that the list shows as own, without those that the list shows elsewhere */
function ownIn(call: CallContext, listed: Endpoint[], keptId?: string): StoredEndpoint[] {
	const { known, webhookUrl } = call;
	const own = new Map((known.endpoints ?? []).map((endpoint) => [endpoint.id, endpoint]));
	for (const endpoint of listed) {
		const { id } = endpoint;
		if (!ownershipOf(call, endpoint)) own.delete(id);
		else if (!own.has(id)) own.set(id, { id, url: webhookUrl });
	}
	if (keptId !== undefined) own.delete(keptId);
	return [...own.values()];
}

/** @throws NodeApiError if nothing shows what became of a listed endpoint. An unlisted one gets one attempt */
async function removeOne(call: CallContext, id: string, listed: Endpoint[]) {
	const deadline = { ...call.deadline, once: !isListed(listed, id) };
	const { answer, error } = await deleteEndpoint(call, id, deadline);
	if (error && answer === 'unclear' && isListed(listed, id)) throw error;
	return answer;
}

function isListed(listed: Endpoint[], id: string): boolean {
	return listed.some((endpoint) => endpoint.id === id);
}

function isEnabledIn(listed: Endpoint[], id: string): boolean {
	return listed.some((endpoint) => endpoint.id === id && !endpoint.isDisabled);
}

function stillThere({ context }: CallContext, endpoints: StoredEndpoint[], how: string) {
	const ids = endpoints.map(({ id }) => id).join(', ');
	const message = `The service failed to remove webhooks of this trigger, ${how}: ${ids}. Try again later, or delete them with the Voice Agent node.`;
	return new NodeOperationError(context.getNode(), message);
}
