import type { INodeProperties } from 'n8n-workflow';

import { create as createApiKey } from './apiKey/create.operation';
import { getAll as getAllApiKeys } from './apiKey/getAll.operation';
import { revoke } from './apiKey/revoke.operation';
import type { Operation } from './operation';
import { check } from './webhook/check.operation';
import { create as createWebhook } from './webhook/create.operation';
import { remove } from './webhook/delete.operation';
import { getAll as getAllWebhooks } from './webhook/getAll.operation';
import { getDeliveries } from './webhook/getDeliveries.operation';
import { getEventTypes } from './webhook/getEventTypes.operation';
import { test } from './webhook/test.operation';

/** All operations, by the names of resource and operation that a workflow stores. */
export const operations: Record<string, Record<string, Operation>> = {
	apiKey: { create: createApiKey, getAll: getAllApiKeys, revoke },
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
	{ name: 'Webhook', value: 'webhook' },
];

/** An expression for the text below the node on the canvas: `Get Many: Webhook`. */
export const subtitle = `={{ (${JSON.stringify(
	Object.fromEntries(
		resourceOptions.flatMap(({ name, value }) =>
			Object.values(operations[value] ?? {}).map(({ option }) => [
				`${value}:${option.value}`,
				`${option.name}: ${name}`,
			]),
		),
	),
)})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;

/** @returns the lists of a resource's operations: one for people, a shorter one for AI agents */
function operationLists(resource: string): INodeProperties[] {
	const all = Object.values(operations[resource] ?? {});
	const forTools = all.filter(({ notAsTool }) => notAsTool === undefined);
	const listOf = (
		listed: Operation[],
		displayOptions: INodeProperties['displayOptions'],
	): INodeProperties => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions,
		options: listed.map(({ option }) => option),
		default: 'getAll',
	});
	return [
		listOf(all, { show: { resource: [resource] }, hide: { '@tool': [true] } }),
		listOf(forTools, { show: { resource: [resource], '@tool': [true] } }),
	];
}

/** All fields of the node. */
export const actionProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resourceOptions,
		default: 'webhook',
	},
	...Object.keys(operations).flatMap(operationLists),
	...Object.values(operations).flatMap((resource) =>
		Object.values(resource).flatMap(({ fields }) => fields),
	),
];
