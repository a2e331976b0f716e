import {
	NodeApiError,
	NodeOperationError,
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { readCredential, secretsOf } from '../service/credential';
import { actionDeadline } from '../service/retry';
import { hideAllSecrets, hideInError, hideSecrets } from '../service/secrets';
import { isTool, type BatchOperation, type Item, type Operation } from './operation';
import { operations } from './operations';

/**
 * Executes the chosen operation.
 *
 * @returns the items of each output
 * @throws as {@link runItems}
 */
export async function runOperation(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = operationOf(context);
	if ('executeAll' in operation) return runAll(context, operation);
	return [await runItems(context, operation)];
}

/**
 * Executes an operation with several outputs once. With On Error on Continue, each item of the first input is
 * its error at the last output, from where n8n moves it to the error output. Thrown, it would reach the first one.
 */
function runAll(
	context: IExecuteFunctions,
	{ executeAll, notAsTool, outputs }: BatchOperation,
): INodeExecutionData[][] {
	try {
		if (isTool({ context })) throw new UserError(`${notAsTool}`);
		return executeAll(context);
	} catch (error) {
		if (!context.continueOnFail()) {
			throw new NodeOperationError(context.getNode(), error as Error);
		}
		const json = { error: (error as Error).message };
		const items = context.getExecuteData().data.main?.[0] ?? [];
		const failed = items.map((_, item) => ({ json, pairedItem: { item } }));
		return [...outputs.slice(1).map(() => []), failed.length > 0 ? failed : [{ json }]];
	}
}

/**
 * Executes an operation for every item, one after the other.
 *
 * @returns the output in the order of the items, each paired with its item. With On Error on Continue,
 *   the output of a failed item is its error.
 * @throws the error of the first failed item otherwise, after which no item is executed
 */
export async function runItems(
	context: IExecuteFunctions,
	operation: Operation,
): Promise<INodeExecutionData[]> {
	const outputs: INodeExecutionData[] = [];
	const cancelled = context.getExecutionCancelSignal();
	for (const index of context.getInputData().keys()) {
		if (cancelled?.aborted) break;
		// The records of a local operation are its items, which keep their files.
		const binary = operation.isLocal && context.getInputData()[index]?.binary;
		const item: Item = {
			context,
			index,
			read: (parameter, byDefault) => context.getNodeParameter(parameter, index, byDefault),
			deadline: { ...actionDeadline(), cancelled },
		};
		const made = await runItem(item, operation).then(
			(records) => records.map((json) => ({ json, binary })),
			(error: Error) => {
				if (context.continueOnFail()) return [{ json: { error: error.message } }];
				throw withProgress(item, operation, error);
			},
		);
		for (const one of made) outputs.push({ ...one, pairedItem: { item: index } });
	}
	return outputs;
}

/** Executes the operation, and hides secrets in its records, unless it is local, and in its errors. */
async function runItem(item: Item, operation: Operation): Promise<IDataObject[]> {
	try {
		const { execute, notAsTool, isLocal, passesEvents, showsSecret } = operation;
		if (notAsTool && isTool(item)) throw new UserError(notAsTool);
		const records = [await execute(item)].flat();
		if (isLocal) return records;
		const known = secretsOf(await readCredential(item.context));
		if (passesEvents?.(item)) return hideSecrets(records, known);
		const hidden = hideAllSecrets(records, known);
		// A person needs a created key or signing secret once. A model never needs it.
		if (!showsSecret || isTool(item)) return hidden;
		return hidden.map((record, at) =>
			showsSecret in record ? { ...record, [showsSecret]: records[at]![showsSecret] } : record,
		);
	} catch (error) {
		// An invalid credential may be the error itself.
		const known = await readCredential(item.context).then(secretsOf, () => []);
		throw hideInError(error as Error, known);
	}
}

/** @throws UserError for an operation that an expression or an imported workflow has made up */
function operationOf(context: IExecuteFunctions): Operation | BatchOperation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = operations[resource]?.[name];
	if (operation) return operation;
	throw new UserError(
		`There is no operation "${name}" for "${resource}". Choose one from the list.`,
	);
}

/** A message's first sentence, and the advice after it: `'Name' is empty. Enter a label.` */
const ADVICE = /^((?:[^(.]|\([^)]*\)|\.(?! \p{Lu}))*\.) (\p{Lu}.*)$/su;

/**
 * Adds the node, the item and the fate of the items before it to an error, since a failed execution has no output. n8n
 * shows message and description: what happened, and what to do. A model is shown the message only.
 */
function withProgress(item: Item, operation: Operation, error: Error): Error {
	// n8n replaces the message of a NodeApiError inside another error.
	const shown =
		error instanceof NodeApiError ? error : new NodeOperationError(item.context.getNode(), error);
	shown.context.itemIndex = item.index;
	const [, happened, advice] = (!isTool(item) && ADVICE.exec(shown.message)) || [];
	if (happened && advice) {
		// The description of a failed request is its name: `DELETE /webhooks/wh_1`
		const more =
			shown instanceof NodeApiError ? `(${shown.description})` : (shown.description ?? '');
		shown.message = happened;
		shown.description = `${advice} ${more}`.trim();
	}
	if (item.index > 0) {
		const lost = operation.showsSecret
			? 'What they created exists, but its secret is lost: delete or revoke it, and run these items again.'
			: 'What they changed is done, but their output is lost.';
		const before = advice ? `${shown.description} ` : '';
		shown.description = `${before}The items before this one were processed. ${lost} To go on after a failed item, set On Error to Continue in the settings of this node.`;
	}
	return shown;
}
