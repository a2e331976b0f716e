import {
	updateDisplayOptions,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { create as createApiKey } from './apiKey/create.operation';
import { getAll as getAllApiKeys } from './apiKey/getAll.operation';
import { revoke } from './apiKey/revoke.operation';
import { matchCustomer } from './call/matchCustomer.operation';
import { readDetails } from './call/readDetails.operation';
import type { BatchOperation, Operation } from './operation';
import { check } from './webhook/check.operation';
import { create as createWebhook } from './webhook/create.operation';
import { remove } from './webhook/delete.operation';
import { getAll as getAllWebhooks } from './webhook/getAll.operation';
import { getDeliveries } from './webhook/getDeliveries.operation';
import { getEventTypes } from './webhook/getEventTypes.operation';
import { test } from './webhook/test.operation';

type AnyOperation = Operation | BatchOperation;
type OfResource = [resource: string, operations: Record<string, AnyOperation>];

/** All operations, by the names of resource and operation that a workflow stores. */
export const operations: Record<string, Record<string, AnyOperation>> = {
	apiKey: { create: createApiKey, getAll: getAllApiKeys, revoke },
	call: { matchCustomer, readDetails },
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

/** An expression for a value of the chosen operation. */
function byOperation(
	valueOf: (operation: AnyOperation, resource: string) => unknown,
	otherwise: string,
) {
	const values = resourceOptions.flatMap(({ name, value }) =>
		Object.entries(operations[value] ?? {}).map(([key, operation]) => [
			`${value}:${key}`,
			valueOf(operation, name),
		]),
	);
	const table = JSON.stringify(Object.fromEntries(values));
	return `={{ (${table})[$parameter["resource"] + ":" + $parameter["operation"]] ?? ${otherwise} }}` as const;
}

/** The fields with created secrets, which an n8n that redacts outputs always hides. */
export const sensitiveOutputFields = Object.values(operations)
	.flatMap((own) => Object.values(own))
	.flatMap(({ showsSecret }) => showsSecret ?? []);

/** The text below the node on the canvas: `Get Many: Webhook`. */
export const subtitle = byOperation(({ name }, resource) => `${name}: ${resource}`, '""');

const connect = (names?: string[]) => names?.map((displayName) => ({ type: 'main', displayName }));

/** The inputs and outputs of the node: those of its operation, else one. */
export const connectors: Pick<INodeTypeDescription, 'inputs' | 'outputs'> = {
	inputs: byOperation(({ inputs }) => connect(inputs), '["main"]'),
	outputs: byOperation(({ outputs }) => connect(outputs), '["main"]'),
};

/** Whether people are offered an operation, or AI agents. */
const isOffered =
	(isForTools: boolean) =>
	([, { notAsTool }]: [string, AnyOperation]) =>
		!isForTools || notAsTool === undefined;

/** The lists of resources: for people, and for AI agents those with an operation that they may use. */
const resourceLists = [false, true].map(
	(isForTools): INodeProperties => ({
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { '@tool': [isForTools] } },
		options: resourceOptions.filter(({ value }) =>
			Object.entries(operations[value] ?? {}).some(isOffered(isForTools)),
		),
		default: 'webhook',
	}),
);

/** @returns the lists of a resource's operations: for people, and a shorter one for AI agents, unless it is empty */
function operationLists([resource, own]: OfResource): INodeProperties[] {
	const [byDefault] = 'getAll' in own ? ['getAll'] : Object.keys(own);
	const lists = [false, true].map(
		(isForTools): INodeProperties => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource], '@tool': [isForTools] } },
			options: Object.entries(own)
				.filter(isOffered(isForTools))
				.map(([value, { name, description, action }]) => ({ name, value, description, action })),
			default: byDefault,
		}),
	);
	return lists.filter(({ options }) => options?.length);
}

/** @returns the fields of a resource's operations, each shown for its operation only */
function operationFields([resource, own]: OfResource): INodeProperties[] {
	return Object.entries(own).flatMap(([operation, { fields }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
	);
}

/** All fields of the node. */
export const actionProperties: INodeProperties[] = [
	...resourceLists,
	...Object.entries(operations).flatMap(operationLists),
	...Object.entries(operations).flatMap(operationFields),
];
