import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Line, type Place } from '../api/line';
import { readCredential } from '../api/request';
import { actionDeadline, type Deadline } from '../api/retry';
import { hideAllSecrets, hideSecrets } from '../api/secrets';
import type { Operation } from './operation';
import { operations } from './operations';
import { isTool, refuseTool } from './tool';

interface Failure {
	error: Error;
	itemIndex: number;
}

/**
 * Runs the chosen operation for every item.
 *
 * @returns the output in the order of the items, each paired with its item; with "continue on fail",
 *   an error stands in the place of its item alone
 * @throws the first error otherwise, which says how many items were carried out before
 */
export async function runItems(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const outputs: INodeExecutionData[][] = [];
	const failures: Failure[] = [];
	const line = new Line(context.getExecutionCancelSignal());

	const run = async (itemIndex: number, place: Place) => {
		try {
			outputs[itemIndex] = await runItem(context, itemIndex, () => ({
				...actionDeadline(),
				place,
			}));
		} catch (error) {
			if (context.continueOnFail()) {
				const { message } = error as Error;
				outputs[itemIndex] = [{ json: { error: message }, pairedItem: { item: itemIndex } }];
			} else {
				failures.push({ error: error as Error, itemIndex });
				line.close();
			}
		}
		place.leave();
	};
	const runs: Array<Promise<void>> = [];
	for (const itemIndex of items.keys()) {
		const place = await line.enter(itemIndex);
		if (!place) break;
		runs.push(run(itemIndex, place));
	}
	await Promise.all(runs);

	const [first] = failures.sort((a, b) => a.itemIndex - b.itemIndex);
	if (first) throw withProgress(context, first, Object.keys(outputs));
	return outputs.flat();
}

async function runItem(
	context: IExecuteFunctions,
	itemIndex: number,
	deadline: () => Deadline,
): Promise<INodeExecutionData[]> {
	const { execute, notAsTool } = operationOf(context, itemIndex);
	if (notAsTool) refuseTool(context, itemIndex, notAsTool);
	const records = [await execute(context, itemIndex, deadline)].flat();
	const { apiKey } = await readCredential(context);
	// A person needs the key or the signing secret that was just created; a model never does.
	const hide = isTool(context) ? hideAllSecrets : hideSecrets;
	return hide(records, [apiKey]).map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

function operationOf(context: IExecuteFunctions, itemIndex: number): Operation {
	const resource = context.getNodeParameter('resource', itemIndex) as string;
	const name = context.getNodeParameter('operation', itemIndex) as string;
	const operation = operations[resource]?.[name];
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`There is no operation "${name}" for "${resource}". Choose one from the list.`,
		{ itemIndex },
	);
}

/** A failed run has no output: the user is told which items were carried out all the same. */
function withProgress(
	context: IExecuteFunctions,
	{ error, itemIndex }: Failure,
	done: string[],
): Error {
	// Wrapped in another, a NodeApiError would lose its message to n8n's own list of words.
	const shown =
		error instanceof NodeApiError ? error : new NodeOperationError(context.getNode(), error);
	shown.context.itemIndex = itemIndex;
	if (done.length > 0) {
		const { adviceOnLostOutput = 'They need not be run again.' } = operationOf(context, itemIndex);
		shown.description = `These items were carried out before: ${done.join(', ')}. ${adviceOnLostOutput} With the node's setting On Error on Continue, a failed item does not end the run.`;
	}
	return shown;
}
