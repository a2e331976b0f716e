import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

interface Execution {
	customData?: { set: (key: string, value: string) => void };
}

/** The keys of n8n's custom data. */
const KEYS = ['call', 'event', 'customer'];
/** The longest value: n8n logs an error for each longer one. */
const LONGEST_VALUE = 255;

/**
 * Sets n8n's custom data of an execution, by which a person finds the execution of a call. Of a batch, all calls are
 * in one value: `call_1, call_2`
 */
export function setCustomData(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	// n8n 1.x has it only here.
	const execution = context.getWorkflowDataProxy(0).$execution as Execution;
	for (const key of KEYS) {
		const values = items.flatMap(({ customData }) => (customData as IDataObject)?.[key] ?? []);
		const text = [...new Set(values)].join(', ').slice(0, LONGEST_VALUE);
		if (text) execution.customData?.set(key, text);
	}
}
