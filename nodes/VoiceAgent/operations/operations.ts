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
			Object.entries(operations[value] ?? {}).map(([operation, texts]) => [
				`${value}:${operation}`,
				`${texts.name}: ${name}`,
			]),
		),
	),
)})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;

/** @returns the list of a resource's operations: for people, or a shorter one for AI agents */
function operationList(resource: string, isForTools: boolean): INodeProperties {
	const listed = Object.entries(operations[resource] ?? {}).filter(
		([, { notAsTool }]) => !isForTools || notAsTool === undefined,
	);
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource], '@tool': [isForTools] } },
		options: listed.map(([value, { name, description, action }]) => ({
			name,
			value,
			description,
			action,
		})),
		default: 'getAll',
	};
}

/** @returns the fields of a resource's operations, each shown for its operation only */
function operationFields(resource: string): INodeProperties[] {
	return Object.entries(operations[resource] ?? {}).flatMap(([operation, { fields }]) =>
		fields.map((field) => {
			const { show, ...others } = field.displayOptions ?? {};
			const displayOptions = {
				show: { resource: [resource], operation: [operation], ...show },
				...others,
			};
			return { ...field, displayOptions };
		}),
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
	...Object.keys(operations).flatMap((resource) => [
		operationList(resource, false),
		operationList(resource, true),
	]),
	...Object.keys(operations).flatMap(operationFields),
];
