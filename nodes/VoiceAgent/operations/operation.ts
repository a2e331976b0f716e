import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import type { Deadline } from '../api/retry';

/** One operation of the node: how it shows in the editor, and what it does with one item. */
export interface Operation {
	/** Its entry in the list of operations. */
	option: INodePropertyOptions;
	/** Its parameters, each shown for this operation only. */
	fields: INodeProperties[];
	/**
	 * What to do about items that were carried out before another failed, whose output is lost with
	 * the run; where there is nothing to do, they need not be run again.
	 */
	adviceOnLostOutput?: string;
	/**
	 * Why an AI agent may not use it, in words for the user: the editor does not offer it to one, and it
	 * is refused where a workflow has one use it all the same.
	 */
	notAsTool?: string;
	/**
	 * Carries it out for one item.
	 *
	 * @param deadline for each of its requests, which go when it is the item's turn
	 * @returns the records to output, paired with the item
	 * @throws NodeApiError or NodeOperationError, in words for the user
	 */
	execute: (
		context: IExecuteFunctions,
		itemIndex: number,
		deadline: () => Deadline,
	) => Promise<IDataObject | IDataObject[]>;
}

/**
 * Refuses to create what n8n would create twice.
 *
 * @param what is created, in words for the user: "keys"
 * @throws NodeOperationError where the node is set to run again on a failure
 */
export function assertNoRetry(context: IExecuteFunctions, itemIndex: number, what: string): void {
	if (!context.getNode().retryOnFail) return;
	throw new NodeOperationError(
		context.getNode(),
		`Turn off Retry On Fail in the settings of this node: it runs all items again, which would create ${what} twice. The node itself tries again where that is safe.`,
		{ itemIndex },
	);
}
