import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { readEndpoint } from '../../answers/records';
import type { Deadline } from '../../api/retry';
import { listFields, readLimit, readRecords } from '../list';
import { explainNotFound, locatorField, readId, WEBHOOK } from '../locator';
import type { Operation } from '../operation';
import { hasArrived } from '../../deliveryLog/arrival';
import {
	maskQuery,
	withDeliveryDetails,
	type LoggedEndpoint,
} from '../../deliveryLog/deliveryDetails';

const show = { resource: ['webhook'], operation: ['getDeliveries'] };
const displayOptions: INodeProperties['displayOptions'] = { show };

/** Reads the logs of recent delivery attempts, and what the receivers answered. */
export const getDeliveries: Operation = {
	option: {
		name: 'Get Deliveries',
		value: 'getDeliveries',
		description:
			'Get the recent delivery attempts of one or all webhooks and the responses received',
		action: 'Get deliveries of webhooks',
	},
	fields: [
		{
			displayName: 'All Webhooks',
			name: 'allWebhooks',
			type: 'boolean',
			default: false,
			description: 'Whether to read the log of every webhook, not of one alone',
			displayOptions,
		},
		locatorField(WEBHOOK, 'The webhook whose deliveries to get', {
			show: { ...show, allWebhooks: [false] },
		}),
		...listFields(displayOptions),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			displayOptions,
			options: [
				{
					displayName: 'Only Failed',
					name: 'onlyFailed',
					type: 'boolean',
					default: false,
					description:
						"Whether to leave out deliveries that succeeded. Those of which it can't be told whether they did are kept.",
				},
			],
		},
	],

	async execute(context, itemIndex, deadline) {
		const limit = readLimit(context, itemIndex);
		const onlyFailed = context.getNodeParameter('options.onlyFailed', itemIndex, false) === true;
		const readLog = async (endpoint: LoggedEndpoint) => {
			const path = `/webhooks/${encodeURIComponent(endpoint.id)}/deliveries`;
			// Which of the records failed shows only once they are read.
			const most = onlyFailed ? Infinity : limit;
			const records = await readRecords(context, path, 'deliveries', most, deadline);
			return withDeliveryDetails(records, endpoint)
				.filter(({ details }) => !onlyFailed || hasArrived(details) !== true)
				.map(({ json }) => json);
		};
		if (context.getNodeParameter('allWebhooks', itemIndex, false) !== true) {
			const id = readId(context, itemIndex, WEBHOOK);
			try {
				return (await readLog({ id })).slice(0, limit);
			} catch (error) {
				throw explainNotFound(context, itemIndex, WEBHOOK, id, error as Error);
			}
		}

		const logs: IDataObject[][] = [];
		const failures: IDataObject[] = [];
		for (const endpoint of await listEndpoints(context, itemIndex, deadline)) {
			try {
				logs.push(await readLog(endpoint));
			} catch (error) {
				const failure = logUnreadable(context, itemIndex, endpoint, error as Error);
				if (!context.continueOnFail()) throw failure;
				failures.push({ error: failure.message });
			}
		}
		return [...takeEvenly(logs, limit), ...failures];
	},
};

async function listEndpoints(
	context: IExecuteFunctions,
	itemIndex: number,
	deadline: () => Deadline,
): Promise<LoggedEndpoint[]> {
	const records = await readRecords(context, '/webhooks', 'webhooks', Infinity, deadline);
	return records.map((record) => {
		const endpoint = readEndpoint(record);
		if (endpoint) return { id: endpoint.id, url: endpoint.url || undefined };
		throw new NodeOperationError(
			context.getNode(),
			"The list of webhooks has one without an ID, whose log can't be read. Turn off All Webhooks, and choose one.",
			{ itemIndex },
		);
	});
}

/** Names the webhook whose log failed: the run does not pass over it as if it had no failures. */
function logUnreadable(
	context: IExecuteFunctions,
	itemIndex: number,
	{ id, url }: LoggedEndpoint,
	error: Error,
): Error {
	return new NodeOperationError(
		context.getNode(),
		`The deliveries of the webhook ${maskQuery(url) ?? ''} (ID ${id}) could not be read: ${error.message}`,
		{
			itemIndex,
			description:
				"With the node's setting On Error on Continue, the deliveries of the others are put out all the same.",
		},
	);
}

/** Takes as many records as are wanted, of each log its first ones, so that no webhook hides another. */
function takeEvenly(logs: IDataObject[][], limit: number): IDataObject[] {
	const places = logs.flatMap((records, log) =>
		records.map((record, place) => ({ record, log, place })),
	);
	return places
		.sort((a, b) => a.place - b.place)
		.slice(0, limit)
		.sort((a, b) => a.log - b.log)
		.map(({ record }) => record);
}
