/** Detects a search of a CRM that failed, whose missing records would make every customer a new one. */
import { UserError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

/** The fields of an item that stands for an error, as n8n detects it. */
const ERROR_FIELDS = ['error', 'message', 'details'];

/** More outputs than any node has. A pinned node seems to have its items at each of any number of outputs. */
const MOST_OUTPUTS = 100;

/**
 * Throws if a node before the input Records failed: by the items of its errors at Records, or at its error
 * output, which leaves Records empty.
 *
 * @param records the items at Records
 * @throws UserError that names the node
 */
export function throwSearchError(context: IExecuteFunctions, records: INodeExecutionData[]): void {
	const at = records.find(isErrorItem);
	if (at) throw searchError(sourceOf(context, 1) ?? 'the search', at);
	for (const node of nodesBeforeRecords(context)) {
		const items = errorOutputOf(context, node);
		const failed = items.find(({ json, error }) => error ?? json.error);
		if (failed) throw searchError(node, failed);
	}
}

/** Returns the name of the node whose items are at an input. */
export function sourceOf(context: IExecuteFunctions, input: number): string | undefined {
	return context.getExecuteData().source?.main?.[input]?.previousNode;
}

function searchError(node: string, { json, error }: INodeExecutionData): UserError {
	const given = error ?? json.error;
	const text = typeof given === 'string' ? given : (given as { message?: string }).message;
	return new UserError(
		`"${node}" failed, so it is unknown which customers have a record: ${text ?? 'no reason given'}. Correct the cause, then run the execution again.`,
	);
}

function isErrorItem({ json, error }: INodeExecutionData): boolean {
	const isError = Object.keys(json).every((key) => ERROR_FIELDS.includes(key));
	return error !== undefined || (isError && Boolean(json.error));
}

/** Returns the nodes before this one that are neither the source of the calls nor before that. */
export function nodesBeforeRecords(context: IExecuteFunctions): string[] {
	const before = (node: string) => context.getParentNodes(node).map(({ name }) => name);
	const calls = sourceOf(context, 0);
	const ofCalls = new Set(calls === undefined ? [] : [calls, ...before(calls)]);
	return before(context.getNode().name).filter((name) => !ofCalls.has(name));
}

/** Returns the items at the last output of a node, if it has several: its error output is the last one. None if pinned. */
function errorOutputOf(context: IExecuteFunctions, node: string): INodeExecutionData[] {
	const outputs: INodeExecutionData[][] = [];
	const { $ } = context.getWorkflowDataProxy(0) as {
		$: (name: string) => { all: (output: number) => INodeExecutionData[] };
	};
	try {
		while (outputs.length < MOST_OUTPUTS) outputs.push($(node).all(outputs.length));
		return [];
	} catch {
		// n8n throws for a node that did not run, and behind the last output.
		return outputs.length > 1 ? (outputs.at(-1) ?? []) : [];
	}
}
