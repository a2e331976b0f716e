import { UserError } from 'n8n-workflow';

import type { Item } from './operation';

/** Detects a tool of an AI agent, whose output goes to a model. n8n ends the type of such nodes in `Tool`. */
export function isTool({ context }: Item): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Refuses to create records if n8n would create them twice.
 *
 * @param records in words for the user: "keys"
 * @throws UserError if the node's setting Retry On Fail is on
 */
export function refuseRetry({ context }: Item, records: string): void {
	if (!context.getNode().retryOnFail) return;
	throw new UserError(
		`Turn off Retry On Fail in the settings of this node: it runs all items again, which would create ${records} twice. The node itself tries again if that is safe.`,
	);
}
