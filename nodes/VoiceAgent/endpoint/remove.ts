import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { removeOwn } from './removal';
import { stateOf } from './state';
import { openTrigger, remember } from './trigger';

/**
 * Removes all own endpoints. After the last of n8n's attempts, the next publish removes the rest.
 *
 * @throws NodeApiError or NodeOperationError, so that n8n tries again
 */
export async function remove(context: IHookFunctions): Promise<void> {
	const trigger = await openTrigger(context);
	// Set before any throw: a removed endpoint may stay listed for a while, and must not be adopted.
	stateOf(context.getWorkflowStaticData('node')).mustCreate = true;
	const { unconfirmed } = await removeOwn(trigger);
	remember(trigger, { endpoints: unconfirmed, mustCreate: true });
	if (unconfirmed.length === 0) return;
	const ids = unconfirmed.map(({ id }) => id).join(', ');
	throw new NodeOperationError(
		context.getNode(),
		`The service failed to remove webhooks of this trigger, and does not list them: ${ids}. Try again later, or delete them with the Voice Agent node.`,
	);
}
