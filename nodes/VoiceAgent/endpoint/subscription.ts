import { isSameSelection } from '../eventTypes/selection';
import { isWildcard } from '../eventTypes/spelling';
import { listEventTypes } from '../answers/eventTypes';
import type { CallContext } from './callContext';

/**
 * Tests whether an endpoint gets exactly the selected event types.
 *
 * @param shown the event types of the endpoint as the service shows them
 * @returns undefined if only the catalog decides, and can't be read
 */
export async function isSubscribed(
	{ context, deadline }: CallContext,
	shown: string[],
	chosen: string[],
): Promise<boolean | undefined> {
	if (isSameSelection(shown, chosen)) return true;
	// The catalog is needed only for wildcards and for every event type.
	if (chosen.length > 0 && ![...shown, ...chosen].some(isWildcard)) return false;
	try {
		const { value } = await listEventTypes(context, deadline);
		const names = value.map(({ name }) => name);
		return names.length > 0 ? isSameSelection(shown, chosen, names) : undefined;
	} catch (error) {
		context.logger.warn(`Voice Agent Trigger cannot compare events: ${(error as Error).message}`);
		return undefined;
	}
}

/** Tests the same as {@link isSubscribed}; hidden event types, and those that only the catalog decides, may fit. */
export async function mayBeSubscribed(
	call: CallContext,
	shown: string[] | undefined,
	chosen: string[],
): Promise<boolean> {
	return !shown || (await isSubscribed(call, shown, chosen)) !== false;
}
