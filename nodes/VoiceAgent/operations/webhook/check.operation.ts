import type { IDataObject } from 'n8n-workflow';

import { requestEndpoints, type ReadList } from '../../lists/requestList';
import { requestLog } from '../../log/requestLog';
import { doubtsOf, oneProblem } from '../check/findings';
import { describeChecked, checkEndpoint } from '../check/checkEndpoint';
import { sendTestEvent } from '../check/sendTestEvent';
import { isTool, type Item, type Operation } from '../operation';
import { ALL_WEBHOOKS, explainNotFound, locatorField, readChosenId, WEBHOOK } from '../recordId';

const showForOne = { allWebhooks: [false] };

const NO_WEBHOOKS = oneProblem(
	'The workspace has no webhooks, so no event starts a workflow.',
	'Publish a workflow with a Voice Agent Trigger. If one is published, its webhook was deleted at the service, or its credential is for another workspace: unpublish the workflow, correct the credential, and publish it again.',
);

/** Checks endpoints for problems. It only reads, unless a test event is requested. */
export const check: Operation = {
	name: 'Check',
	description: 'Find out what is wrong with one or all webhooks, and what to do about it',
	action: 'Check webhooks',
	fields: [
		{ ...ALL_WEBHOOKS, description: 'Whether to check all webhooks instead of one' },
		{ ...locatorField(WEBHOOK, 'The webhook to check'), displayOptions: { show: showForOne } },
		{
			displayName: 'Send Test Event',
			name: 'sendSample',
			type: 'boolean',
			default: false,
			description:
				"Whether to send a test event and read the log for up to 20 seconds to see if it arrives. If the webhook is a published trigger's, its workflow runs.",
			// AI agents are not offered the operation Send Test Event either.
			displayOptions: { show: showForOne, hide: { '@tool': [true] } },
		},
		{
			displayName: 'Only Problems',
			name: 'onlyProblems',
			type: 'boolean',
			default: false,
			description:
				'Whether to output only webhooks with a problem. If all is well, the workflow ends here.',
		},
	],

	async execute(item) {
		const isAll = item.read('allWebhooks', true) === true;
		const checked = isAll ? await checkAll(item) : [await checkOne(item)];
		return checked.filter(({ ok }) => ok === false || item.read('onlyProblems', false) !== true);
	},
};

/** @throws if the list can't be read; all else that can't be read is a doubt */
async function checkAll(item: Item): Promise<IDataObject[]> {
	const timezone = item.context.getTimezone();
	const list = await requestEndpoints(item.context, item.deadline);
	const items: IDataObject[] = [];
	for (const endpoint of list.value.filter(({ isRemoved }) => !isRemoved)) {
		const log = await orError(requestLog(item.context, endpoint, item.deadline));
		items.push(checkEndpoint({ id: endpoint.id, list, log, timezone }));
	}
	if (!list.complete) items.push(describeChecked(doubtsOf(list, 'list of webhooks'), { timezone }));
	return items.length > 0 ? items : [describeChecked(NO_WEBHOOKS, { timezone })];
}

/**
 * Checks the chosen webhook. An AI agent gets no test event: the published workflow would run.
 *
 * @throws UserError if neither the list nor the log contains the webhook; NodeApiError if the log of a webhook that is
 *   not listed can't be read
 */
async function checkOne(item: Item): Promise<IDataObject> {
	const isTested = !isTool(item) && item.read('sendSample', false) === true;
	const id = readChosenId(item, WEBHOOK);
	const list = await orError(requestEndpoints(item.context, item.deadline));
	const endpoint = list.value.find((one) => one.id === id);
	const readLog = async (deadline = item.deadline) =>
		await orError(requestLog(item.context, { id, url: endpoint?.url }, deadline));
	const before = await readLog();
	if (before.error && !endpoint) throw explainNotFound(WEBHOOK, id, before.error);
	const testEvent = isTested ? await sendTestEvent(item, before, readLog) : undefined;
	const log = testEvent?.log ?? before;
	return checkEndpoint({ id, list, log, timezone: item.context.getTimezone(), testEvent });
}

/** Returns an error in place of a list, so that the check goes on. */
async function orError<T>(reading: Promise<ReadList<T>>): Promise<ReadList<T>> {
	return await reading.catch((error: Error) => ({ value: [], complete: false, error }));
}
