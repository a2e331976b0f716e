import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { requestEndpoints } from '../../answers/requestList';
import { maskQuery } from '../../api/callbackUrl';
import { hasArrived } from '../../deliveryLog/arrival';
import {
	withDeliveryDetails,
	type DeliveryDetails,
	type LoggedEndpoint,
} from '../../deliveryLog/deliveryDetails';
import { hintAtIncompleteList, listFields, readLimit, requestRecords } from '../getMany';
import { isTool, workflowUrlOf, type Item, type Operation } from '../operation';
import { ALL_WEBHOOKS, explainNotFound, locatorField, readChosenId, WEBHOOK } from '../recordId';

/** Reads the logs of recent deliveries, with the responses of the receivers. */
export const getDeliveries: Operation = {
	name: 'Get Deliveries',
	description:
		'Get the recent deliveries of one or all webhooks, with the responses of their receivers',
	action: 'Get deliveries of webhooks',
	fields: [
		{
			...ALL_WEBHOOKS,
			default: false,
			description: 'Whether to get the deliveries of all webhooks instead of one',
		},
		{
			...locatorField(WEBHOOK, 'The webhook whose deliveries to get'),
			displayOptions: { show: { allWebhooks: [false] } },
		},
		...listFields,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Only Failed',
					name: 'onlyFailed',
					type: 'boolean',
					default: false,
					description:
						'Whether to leave out deliveries that arrived. Deliveries with an unknown result are kept.',
				},
			],
		},
	],

	async execute(item) {
		const { context, read } = item;
		const limit = readLimit(item);
		const onlyFailed = read('options.onlyFailed', false) === true;
		const readLog = async (endpoint: LoggedEndpoint) => {
			// Failed deliveries may follow any number of others.
			const part = { limit: onlyFailed ? Infinity : limit, endpointId: endpoint.id };
			const records = await requestRecords(item, 'deliveries', part);
			return withDeliveryDetails(records, endpoint, (url) => workflowUrlOf(item, url))
				.filter(({ details }) => !onlyFailed || hasArrived(details) !== true)
				.map(({ json, details }) => (isTool(item) ? deliveryForAgent(details) : json));
		};
		const isAll = read('allWebhooks', false) === true;
		const endpoints = isAll ? await requestAll(item) : [{ id: readChosenId(item, WEBHOOK) }];
		const logs: IDataObject[][] = [];
		const failures: IDataObject[] = [];
		for (const endpoint of endpoints) {
			try {
				logs.push(await readLog(endpoint));
			} catch (error) {
				const failure = isAll
					? logUnreadable(item, endpoint, error as Error)
					: explainNotFound(WEBHOOK, endpoint.id, error as Error);
				if (!context.continueOnFail()) throw failure;
				failures.push({ error: failure.message });
			}
		}
		return [...takeEvenly(logs, limit), ...failures];
	},
};

/** @returns what an AI agent may see of a delivery: no event, and no field of the service's record */
function deliveryForAgent(details: DeliveryDetails): IDataObject {
	return { deliveryDetails: { ...details, event: null } };
}

async function requestAll(item: Item): Promise<LoggedEndpoint[]> {
	const { value, complete } = await requestEndpoints(item.context, item.deadline);
	if (!complete) hintAtIncompleteList(item, 'webhooks', value.length);
	return value;
}

/** @returns an error that names the webhook whose log could not be read */
function logUnreadable({ context }: Item, { id, url }: LoggedEndpoint, error: Error): Error {
	return new NodeOperationError(
		context.getNode(),
		`The deliveries of the webhook ${maskQuery(url) ?? ''} (ID ${id}) could not be read: ${error.message}`,
		{
			description:
				'To get the deliveries of the other webhooks, set On Error to Continue in the settings of this node.',
		},
	);
}

/** Takes the first records of each log, up to a limit for all logs: `[1, 2, 3]`, `[4]`, limit 3 → 1, 2, 4 */
function takeEvenly(logs: IDataObject[][], limit: number): IDataObject[] {
	const ranked = logs.flatMap((records) => records.map((record, rank) => ({ record, rank })));
	const taken = new Set(ranked.toSorted((a, b) => a.rank - b.rank).slice(0, limit));
	return ranked.filter((one) => taken.has(one)).map(({ record }) => record);
}
