import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

/** Tells whether the node is a tool of an AI agent: all that it puts out then goes to a model. */
export function isTool(context: IExecuteFunctions): boolean {
	// The tool variant that n8n makes of a node has its own type name.
	return context.getNode().type.endsWith('Tool');
}

/**
 * Refuses to do for an AI agent what only a person may have done.
 *
 * @param why in words for the user
 * @throws NodeOperationError where the node is a tool
 */
export function refuseTool(context: IExecuteFunctions, itemIndex: number, why: string): void {
	if (isTool(context)) throw new NodeOperationError(context.getNode(), why, { itemIndex });
}
