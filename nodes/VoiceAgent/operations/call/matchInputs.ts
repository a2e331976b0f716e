/** Reads the two inputs of Match Customer, and says what is wrong with them. */
import { UserError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { readCustomer, type CallCustomer } from '../../customerMatch/call';
import { readCustomerRecord, type ReadRecord } from '../../customerMatch/record';
import { reportsFailure } from '../../service/errors';
import { setOf } from '../../text/words';

/** What to connect, for the user. */
export const WIRING =
	'Connect the Voice Agent Trigger to Calls, and the search of your CRM or table to Records.';

/**
 * Reads the customers of the items at Calls.
 *
 * @throws UserError for an item that is no call, and without items
 */
export function readCalls(calls: INodeExecutionData[]): CallCustomer[] {
	if (calls.length === 0) throw new UserError(`No call is at the input Calls. ${WIRING}`);
	return calls.map(({ json }, index) => {
		const customer = readCustomer(json);
		if (customer) return customer;
		throw new UserError(
			`Item ${index} at the input Calls has no call details. ${WIRING} The Output of the trigger must not be Event Only.`,
		);
	});
}

/**
 * Reads the items at Records. The empty item of *Always Output Data* is not a record.
 *
 * @param customerFields the names of fields that hold the customer's own values
 * @throws UserError if nothing is connected, and for a search that failed, or calls in place of records
 */
export function readRecords(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	calls: INodeExecutionData[],
	customerFields: string[],
): ReadRecord[] {
	const source = context.getExecuteData().source?.main?.[1]?.previousNode;
	// A search without results has no source. It is connected beside the node of the calls.
	const nodes = context.getParentNodes(context.getNode().name, { depth: 1 });
	if (source === undefined && nodes.length < 2) {
		throw new UserError(`Nothing is connected to the input Records. ${WIRING}`);
	}
	// A node that fails and continues outputs its input, at its error output with the error.
	const keyOf = (json: object) => JSON.stringify({ ...json, error: undefined });
	const callItems = new Set(calls.map(({ json }) => keyOf(json)));
	if (items.some((item) => isFailure(item) || callItems.has(keyOf(item.json)))) {
		throw new UserError(
			`"${source}" failed or is no search, so it is unknown which customers have a record. Correct the cause, then run the execution again. ${WIRING}`,
		);
	}
	return items
		.filter(({ json }) => Object.keys(json).length > 0)
		.map(({ json }) => readCustomerRecord(json, customerFields));
}

/** The fields of an item that stands for an error, of n8n or of a service. */
const ERROR_FIELDS = setOf('error, errors, message, details, data, status, code, extensions');

/** Whether an item stands for an error: `{ error: '401 …' }`, `{ errors: […], data: null }` */
function isFailure({ json, error }: INodeExecutionData): boolean {
	const isAlone = Object.keys(json).every((key) => ERROR_FIELDS.has(key));
	return error !== undefined || (isAlone && reportsFailure(json));
}
