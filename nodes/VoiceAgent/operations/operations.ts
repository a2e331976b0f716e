import {
	updateDisplayOptions,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { create as createApiKey } from './apiKey/create.operation';
import { getAll as getAllApiKeys } from './apiKey/getAll.operation';
import { revoke } from './apiKey/revoke.operation';
import { matchCustomer } from './call/matchCustomer.operation';
import type { BatchOperation, Operation } from './operation';
import { check } from './webhook/check.operation';
import { create as createWebhook } from './webhook/create.operation';
import { remove } from './webhook/delete.operation';
import { getAll as getAllWebhooks } from './webhook/getAll.operation';
import { getDeliveries } from './webhook/getDeliveries.operation';
import { getEventTypes } from './webhook/getEventTypes.operation';
import { test } from './webhook/test.operation';

type AnyOperation = Operation | BatchOperation;

/** All operations, by the names of resource and operation that a workflow stores. */
export const operations: Record<string, Record<string, AnyOperation>> = {
	apiKey: { create: createApiKey, getAll: getAllApiKeys, revoke },
	call: { matchCustomer },
	webhook: {
		check,
		create: createWebhook,
		delete: remove,
		getAll: getAllWebhooks,
		getDeliveries,
		getEventTypes,
		test,
	},
};

const resourceOptions = [
	{ name: 'API Key', value: 'apiKey' },
	{ name: 'Call', value: 'call' },
	{ name: 'Webhook', value: 'webhook' },
];

const subtitles = resourceOptions.flatMap(({ name, value }) =>
	Object.entries(operations[value] ?? {}).map(([operation, texts]) => [
		`${value}:${operation}`,
		`${texts.name}: ${name}`,
	]),
);

/** An expression for the text below the node on the canvas: `Get Many: Webhook`. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(subtitles))})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;

/** An expression for the inputs or outputs of the node: those of its operation, else one. */
function connectors(side: 'inputs' | 'outputs'): INodeTypeDescription['inputs'] {
	const named = resourceOptions.flatMap(({ value }) =>
		Object.entries(operations[value] ?? {}).flatMap(([operation, own]) => {
			const names = 'executeAll' in own ? own[side] : [];
			const connected = names.map((displayName) => ({ type: 'main', displayName }));
			return names.length > 0 ? [[`${value}:${operation}`, connected]] : [];
		}),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(named))})[$parameter["resource"] + ":" + $parameter["operation"]] ?? ["main"] }}`;
}

export const nodeInputs = connectors('inputs');
export const nodeOutputs = connectors('outputs') as INodeTypeDescription['outputs'];

/** The operations of a resource that are offered to people, or to AI agents. */
function offeredTo(isForTools: boolean, resource: string): Array<[string, AnyOperation]> {
	const own = Object.entries(operations[resource] ?? {});
	return own.filter(([, { notAsTool }]) => !isForTools || notAsTool === undefined);
}

/** The lists of resources: for people, and for AI agents without the resources that they can't use. */
const resourceLists = [false, true].map(
	(isForTools): INodeProperties => ({
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { '@tool': [isForTools] } },
		options: resourceOptions.filter(({ value }) => offeredTo(isForTools, value).length > 0),
		default: 'webhook',
	}),
);

/** @returns the lists of a resource's operations: for people, and a shorter one for AI agents. n8n starts with no empty one. */
function operationLists(resource: string): INodeProperties[] {
	return [false, true].flatMap((isForTools): INodeProperties[] => {
		const offered = offeredTo(isForTools, resource);
		const options = offered.map(([value, { name, description, action }]) => ({
			name,
			value,
			description,
			action,
		}));
		const [first] = options;
		if (!first) return [];
		const { value: byDefault } = options.find(({ value }) => value === 'getAll') ?? first;
		return [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: [resource], '@tool': [isForTools] } },
				options,
				default: byDefault,
			},
		];
	});
}

/** @returns the fields of a resource's operations, each shown for its operation only */
function operationFields([resource, own]: [
	string,
	Record<string, AnyOperation>,
]): INodeProperties[] {
	return Object.entries(own).flatMap(([operation, { fields }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
	);
}

/** All fields of the node. */
export const actionProperties: INodeProperties[] = [
	...resourceLists,
	...Object.keys(operations).flatMap(operationLists),
	...Object.entries(operations).flatMap(operationFields),
];
