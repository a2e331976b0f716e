import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { listEventTypes } from '../../answers/eventTypes';
import { isObject } from '../../matcher/fields';
import { readEndpoint, type Endpoint } from '../../answers/records';
import { requestList } from '../../answers/requestList';
import type { Deadline } from '../../api/retry';
import { explainNotFound, locatorField, readId, WEBHOOK } from '../locator';
import type { Operation } from '../operation';
import { refuseTool } from '../tool';
import { judgeEndpoint, type Known } from '../check/checkEndpoint';
import { sumUp, type Finding, type Problem, type Told } from '../check/checkFindings';
import { sendSample } from '../check/checkSample';
import {
	maskQuery,
	readDeliveryDetails,
	type DeliveryDetails,
	type LoggedEndpoint,
} from '../../deliveryLog/deliveryDetails';

const show = { resource: ['webhook'], operation: ['check'] };
const displayOptions: INodeProperties['displayOptions'] = { show };

/** Says what is wrong with endpoints, and what to do; it only reads, unless a sample is asked for. */
export const check: Operation = {
	option: {
		name: 'Check',
		value: 'check',
		description: 'Find out what is wrong with one or all webhooks, and what to do about it',
		action: 'Check webhooks',
	},
	fields: [
		{
			displayName: 'All Webhooks',
			name: 'allWebhooks',
			type: 'boolean',
			default: true,
			description: 'Whether to check every webhook, not one alone',
			displayOptions,
		},
		locatorField(WEBHOOK, 'The webhook to check', { show: { ...show, allWebhooks: [false] } }),
		{
			displayName: 'Send a Sample',
			name: 'sendSample',
			type: 'boolean',
			default: false,
			description:
				"Whether to have the service deliver a sample event, and look at the log for how that goes, for up to 20 seconds. If the webhook is a published trigger's, its workflow runs.",
			// Nor is an agent offered Send Test Event.
			displayOptions: { show: { ...show, allWebhooks: [false] }, hide: { '@tool': [true] } },
		},
	],

	async execute(context, itemIndex, deadline) {
		if (context.getNodeParameter('allWebhooks', itemIndex, true) === true) {
			return await checkAll(context, deadline);
		}
		const isSampled = context.getNodeParameter('sendSample', itemIndex, false) === true;
		if (isSampled) {
			refuseTool(
				context,
				itemIndex,
				'An AI agent may not send a sample with a check: the published workflow would run. Turn off Send a Sample.',
			);
		}
		return await checkOne(context, itemIndex, isSampled, deadline);
	},
};

async function checkAll(
	context: IExecuteFunctions,
	deadline: () => Deadline,
): Promise<IDataObject[]> {
	const { entries, complete } = await requestList(context, '/webhooks', 'webhooks', deadline);
	const catalog = await readCatalog(context, deadline);
	const items: IDataObject[] = [];
	const endpoints = entries.map(readEndpoint);
	const all = endpoints.filter((endpoint) => endpoint !== undefined);
	for (const endpoint of endpoints) {
		if (!endpoint) {
			items.push(withoutEndpoint(NAMELESS));
		} else if (!endpoint.isRemoved) {
			const log = await readLog(context, endpoint, deadline);
			const known = { endpoint: { value: endpoint, complete }, all, catalog, log };
			items.push(describe(endpoint.id, known, judgeEndpoint(known)));
		}
	}
	if (!complete) items.push(withoutEndpoint(CUT));
	return items.length > 0 ? items : [withoutEndpoint(NONE)];
}

async function checkOne(
	context: IExecuteFunctions,
	itemIndex: number,
	isSampled: boolean,
	deadline: () => Deadline,
): Promise<IDataObject> {
	const id = readId(context, itemIndex, WEBHOOK);
	let all: Endpoint[] = [];
	const endpoint = await orError(async () => {
		const { entries, complete } = await requestList(context, '/webhooks', 'webhooks', deadline);
		all = entries.map(readEndpoint).filter((one) => one !== undefined);
		return { value: all.find((one) => one.id === id), complete };
	});
	const { url }: Partial<Endpoint> = ('value' in endpoint && endpoint.value) || {};
	const logOf = async (most: () => Deadline) => await readLog(context, { id, url }, most);
	const before = await logOf(deadline);
	if ('error' in before && !('value' in endpoint && endpoint.value)) {
		throw explainNotFound(context, itemIndex, WEBHOOK, id, before.error);
	}
	const catalog = await readCatalog(context, deadline);
	const sample = isSampled
		? await sendSample(context, itemIndex, before, deadline, logOf)
		: { arrived: null, log: before, doubts: [] };
	const known = { endpoint, all, catalog, log: sample.log };
	return describe(id, known, judgeEndpoint(known, sample.doubts), sample.arrived);
}

/** The item of an endpoint: what it is, and what was found. */
function describe(
	id: string | null,
	{ endpoint }: Pick<Known, 'endpoint'>,
	verdict: IDataObject,
	sampleArrived: boolean | null = null,
): IDataObject {
	const { url, events }: Partial<Endpoint> = ('value' in endpoint && endpoint.value) || {};
	return { id, url: maskQuery(url), events: events ?? null, ...verdict, sampleArrived };
}

/** The item of what is no endpoint that could be checked. */
function withoutEndpoint(found: Problem | Finding): IDataObject {
	const nothing = { lastDelivery: null, logged: null, failed: null };
	const endpoint = { value: undefined, complete: true };
	return describe(null, { endpoint }, { ...sumUp([found]), ...nothing });
}

const NAMELESS: Finding = {
	what: 'The list of webhooks has one without an ID, which could not be checked.',
	toDo: 'Look at it with Get Many, or in the dashboard of the service.',
};

const CUT: Finding = {
	what: 'The service has more webhooks than could be read, and those could not be checked.',
	toDo: 'Turn off All Webhooks, and check them by their IDs.',
};

const NONE: Problem = {
	what: 'The workspace has no webhooks, so no event starts a workflow.',
	toDo: 'Publish a workflow with a Voice Agent Trigger. If one is published, its webhook was removed at the service, or its credential is for another workspace: unpublish it and publish it again.',
	since: null,
};

async function readCatalog(
	context: IExecuteFunctions,
	deadline: () => Deadline,
): Promise<Told<string[]>> {
	return await orError(async () => {
		const { eventTypes, complete } = await listEventTypes(context, deadline());
		return { value: eventTypes.map(({ name }) => name), complete };
	});
}

async function readLog(
	context: IExecuteFunctions,
	{ id, url }: LoggedEndpoint,
	deadline: () => Deadline,
): Promise<Told<DeliveryDetails[]>> {
	return await orError(async () => {
		const path = `/webhooks/${encodeURIComponent(id)}/deliveries`;
		const log = await requestList(context, path, 'deliveries', deadline);
		const records = log.entries.map((entry) => (isObject(entry) ? entry : {}));
		const endpoint = { id, url: url || undefined };
		const value = records.map((record) => readDeliveryDetails(record, endpoint));
		return { value, complete: log.complete };
	});
}

/** What can't be read is told, and ends no check of the rest. */
async function orError<T>(read: () => Promise<{ value: T; complete: boolean }>): Promise<Told<T>> {
	try {
		return await read();
	} catch (error) {
		return { error: error as Error };
	}
}
