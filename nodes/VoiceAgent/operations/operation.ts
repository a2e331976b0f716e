import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { Deadline } from '../api/retry';

/** An operation of the node: its texts and fields in the editor, and its work for one item. */
export interface Operation {
	/** Its name in the list of operations. */
	name: string;
	description: string;
	/** Its name in the list of all nodes and their operations. */
	action: string;
	/** Its fields. The editor shows them for this operation only. */
	fields: INodeProperties[];
	/**
	 * Advice for the user if an item fails, since the output of the items before it is lost. By default,
	 * nothing has to be done.
	 */
	adviceOnLostOutput?: string;
	/** Why AI agents may not use it, in words for the user. The editor does not offer it to them. */
	notAsTool?: string;
	/**
	 * Executes the operation for one item.
	 *
	 * @param deadline starts the deadline of a request
	 * @returns the records to output
	 * @throws NodeApiError, NodeOperationError or UserError, in words for the user
	 */
	execute: (
		context: IExecuteFunctions,
		itemIndex: number,
		deadline: () => Deadline,
	) => Promise<IDataObject | IDataObject[]>;
}
