import { isSameSelection } from '../eventTypes/selection';
import { isWildcard } from '../eventTypes/spelling';
import { listEventTypes } from '../answers/eventTypes';
import type { Trigger } from './trigger';

/**
 * Whether an endpoint gets exactly the selected event types, however the service shows that.
 *
 * @returns undefined where only the catalog decides it, and can't be read
 */
export async function isSubscribed(
	{ context, deadline }: Trigger,
	shown: string[],
	chosen: string[],
): Promise<boolean | undefined> {
	if (isSameSelection(shown, chosen)) return true;
	// Only what stands for several event types has to be written out.
	if (chosen.length > 0 && ![...shown, ...chosen].some(isWildcard)) return false;
	try {
		const { eventTypes } = await listEventTypes(context, deadline);
		const names = eventTypes.map(({ name }) => name);
		return names.length > 0 ? isSameSelection(shown, chosen, names) : undefined;
	} catch (error) {
		context.logger.warn(`Voice Agent Trigger cannot compare events: ${(error as Error).message}`);
		return undefined;
	}
}
