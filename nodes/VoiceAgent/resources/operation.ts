import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

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
	 * Carries it out for one item.
	 *
	 * @returns the records to output, paired with the item
	 * @throws NodeApiError or NodeOperationError, in words for the user
	 */
	execute: (context: IExecuteFunctions, itemIndex: number) => Promise<IDataObject | IDataObject[]>;
}
