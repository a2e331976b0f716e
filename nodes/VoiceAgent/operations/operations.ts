import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

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

const subtitles = resourceOptions.flatMap(({ name, value }) =>
	Object.entries(operations[value] ?? {}).map(([operation, texts]) => [
		`${value}:${operation}`,
		`${texts.name}: ${name}`,
	]),
);

/** An expression for the text below the node on the canvas: `Get Many: Webhook`. */
export const subtitle = `={{ (${JSON.stringify(Object.fromEntries(subtitles))})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;

/** @returns the lists of a resource's operations: for people, and a shorter one for AI agents */
function operationLists([resource, own]: [string, Record<string, Operation>]): INodeProperties[] {
	return [false, true].map((isForTools) => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource], '@tool': [isForTools] } },
		options: Object.entries(own)
			.filter(([, { notAsTool }]) => !isForTools || notAsTool === undefined)
			.map(([value, { name, description, action }]) => ({ name, value, description, action })),
		default: 'getAll',
	}));
}

/** @returns the fields of a resource's operations, each shown for its operation only */
function operationFields([resource, own]: [string, Record<string, Operation>]): INodeProperties[] {
	return Object.entries(own).flatMap(([operation, { fields }]) =>
		updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
	);
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
	...Object.entries(operations).flatMap(operationLists),
	...Object.entries(operations).flatMap(operationFields),
];
