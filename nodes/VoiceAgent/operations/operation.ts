import {
	UserError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { maskQuery } from '../auth/token';
import type { Deadline } from '../service/retry';
import { readSettings, type ParameterReader, type Settings } from '../trigger/settings';

/** An item of a run, for which an operation is executed. */
export interface Item {
	context: IExecuteFunctions;
	index: number;
	/** Reads a parameter; without a default, a parameter that is not set is an error. */
	read: (parameter: string, byDefault?: NodeParameterValueType) => unknown;
	/** The deadline of each request. */
	deadline: Deadline;
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
	/** Whether it sends no request. Its records come from the workflow, so no secrets are hidden in them. */
	isLocal?: true;
	/** The error for an AI agent that may not use it. The editor does not offer it to agents. */
	notAsTool?: string;
	/** The field with a created secret, which a person needs once. The other secrets of such a record are hidden. */
	showsSecret?: string;
	/** Whether its records are events, of which only the secrets are hidden that an item of the trigger hides. */
	passesEvents?: (item: Item) => boolean;
	/** The names of its inputs and outputs, for an operation that is executed once for all items. */
	inputs?: string[];
	outputs?: string[];
	/**
	 * Executes the operation for one item. For an AI agent, it returns chosen fields only: any other field of a
	 * record of the service may hold a secret.
	 *
	 * @returns the records to output
	 * @throws NodeApiError, NodeOperationError or UserError, for the user to read
	 */
	execute: (item: Item) => Promise<IDataObject | IDataObject[]>;
}

/** An operation with several inputs or outputs, which is executed once for all items. */
export interface BatchOperation extends Omit<Operation, 'execute'> {
	inputs: string[];
	outputs: string[];
	/**
	 * Executes the operation.
	 *
	 * @returns the items of each output
	 * @throws UserError, for the user to read
	 */
	executeAll: (context: IExecuteFunctions) => INodeExecutionData[][];
}

/** Detects a tool of an AI agent, whose output goes to a model. n8n ends the type of such nodes in `Tool`. */
export function isTool({ context }: Pick<Item, 'context'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Reads how the events of an item are chosen and shown, as the trigger reads it.
 *
 * @param names the parameters of the node by those of the trigger, where they have other names
 * @param parse see {@link readSettings}
 * @throws UserError for a wrong mapping or country code
 */
export function readEventSettings(
	{ context, index }: Item,
	names: Record<string, string> = {},
	parse?: Parameters<typeof readSettings>[1],
): Settings {
	const getNodeParameter: ParameterReader['getNodeParameter'] = (name, byDefault, options) =>
		context.getNodeParameter(names[name] ?? name, index, byDefault, options);
	const reader = { getNodeParameter, getTimezone: () => context.getTimezone() };
	const settings = readSettings(reader, parse);
	if (settings.problem) throw new UserError(settings.problem);
	return settings;
}

/**
 * Refuses to create records if n8n would create them twice.
 *
 * @param records their name in the error: `keys`
 * @throws UserError if the node's setting Retry On Fail is on
 */
export function refuseRetry({ context }: Item, records: string): void {
	if (!context.getNode().retryOnFail) return;
	throw new UserError(
		`Turn off Retry On Fail in the settings of this node: it runs all items again, which would create ${records} twice. The node itself tries again if that is safe.`,
	);
}

/** What an AI agent sees of a record of the service, if it is text. Any other field may hold a secret. */
const FOR_AGENT = {
	apiKeys: ['id', 'name', 'prefix', 'scopes'],
	webhooks: ['id', 'url', 'events', 'status'],
};

/** @returns what an AI agent sees of a record, with null for what is no text. The query of a URL is masked, since it may hold a secret, too */
export function fieldsForAgent(record: IDataObject, resource: keyof typeof FOR_AGENT): IDataObject {
	const shown = FOR_AGENT[resource].map((name) => {
		const value = record[name];
		const isText = [value].flat().every((text) => typeof text === 'string');
		const shown = name === 'url' ? maskQuery(String(value)) : value;
		return [name, isText ? shown : null];
	});
	return Object.fromEntries(shown) as IDataObject;
}
