import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	NodeParameterValueType,
} from 'n8n-workflow';

import type { Deadline } from '../api/retry';

/** An item of a run, for which an operation is executed. */
export interface Item {
	context: IExecuteFunctions;
	index: number;
	/** Reads a parameter; without a default, a parameter that is not set is an error. */
	read: (parameter: string, byDefault?: NodeParameterValueType) => unknown;
	/** Starts the deadline of a request. */
	deadline: () => Deadline;
}

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
	 * @returns the records to output
	 * @throws NodeApiError, NodeOperationError or UserError, in words for the user
	 */
	execute: (item: Item) => Promise<IDataObject | IDataObject[]>;
}
