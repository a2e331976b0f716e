import {
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
	type IPollFunctions,
} from 'n8n-workflow';

import type { Endpoint } from '../answers/records';
import { requestEndpoints } from '../answers/requestList';
import type { Context } from '../api/request';
import { actionDeadline, type Deadline } from '../api/retry';
import { readChoices } from '../parameters';

/**
 * Offers the webhooks whose logs can be read. The stored value is the URL without its query, since a
 * changed publish gives a trigger's webhook a new ID; a webhook whose URL is hidden is stored by its ID.
 */
export async function getWebhooks(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const endpoints = await listLogged(this, actionDeadline());
	const names = new Map(endpoints.map((endpoint) => [valueOf(endpoint), endpoint]));
	return [...names].map(([value, { events }]) => ({
		name: `${value} (${events?.join(', ') || 'every event'})`,
		value,
	}));
}

/**
 * Finds the webhooks whose logs are read.
 *
 * @throws NodeApiError if the list can't be read; NodeOperationError if it holds none of them
 */
export async function findWebhooks(
	context: IPollFunctions,
	deadline: Deadline,
): Promise<Endpoint[]> {
	const endpoints = await listLogged(context, deadline);
	const isOfThisN8n = context.getNodeParameter('webhooks', 'chosen') === 'thisN8n';
	const chosen = readChoices(context.getNodeParameter('webhookIds', []));
	const base = addressOf(context);
	const found = endpoints.filter((endpoint) =>
		isOfThisN8n
			? endpoint.url.startsWith(`${base}/`)
			: chosen.includes(valueOf(endpoint)) || chosen.includes(endpoint.id),
	);
	if (found.length > 0) return found;
	throw new NodeOperationError(
		context.getNode(),
		isOfThisN8n
			? `The service has no webhook whose URL starts with ${base}. Publish a workflow with a Voice Agent Trigger, or choose the webhooks to watch.`
			: 'The service has none of the chosen webhooks. Choose the webhooks to watch again, or publish the workflows that create them.',
	);
}

/** Requests the webhooks of the workspace, without those of test listeners. */
async function listLogged(context: Context, deadline: Deadline): Promise<Endpoint[]> {
	const { value } = await requestEndpoints(context, () => deadline);
	return value.filter(({ url, isRemoved }) => !isRemoved && !/\/webhook-test\//.test(url));
}

function valueOf({ id, url }: Endpoint): string {
	return URL.canParse(url) ? url.split('?', 1)[0]! : id;
}

/** The public address of this n8n, which WEBHOOK_URL sets: `https://n8n.example.com/rest` without `/rest` */
function addressOf(context: IPollFunctions): string {
	return context.getRestApiUrl().replace(/\/[^/]*\/?$/, '');
}
