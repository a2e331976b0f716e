import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../lists/records';
import type { ReadList } from '../../lists/requestList';
import { isOfTrigger, maskQuery } from '../../auth/token';
import { newestFirst, type LoggedAttempt } from '../../log/attempts';
import { storeFailureAt } from '../../state/triggerMemory';
import { doubtsOf, oneProblem, summarize, type Finding } from './findings';
import { checkLog } from './checkLog';

/** What the service shows of an endpoint. */
export interface EndpointFacts {
	id: string;
	list: ReadList<Endpoint>;
	log: ReadList<LoggedAttempt>;
	/** Of the times in the summary. */
	timezone: string;
	/** The result of a test event, if one was sent. */
	testEvent?: { arrived: boolean | null; doubts: Finding[] };
}

const NOT_LISTED: Finding = {
	what: 'The list of webhooks does not contain this one.',
	toDo: 'A new webhook may be missing there for a minute: check again. If the webhook was deleted, unpublish its workflow and publish it again.',
};

const UNVERIFIED: Finding = {
	what: 'The service waits for the verification of this webhook, and may deliver nothing until then.',
	toDo: 'Verify the URL in the dashboard of the service.',
};

const notReached = (why: string): Finding => ({
	what: `n8n could not reach the URL of this webhook itself, so a restart of n8n may start missed events again: ${why}`,
	toDo: 'Let n8n reach its own public address, and trust its certificate.',
});

/** @returns the output item of an endpoint, also with what this process could not store at its URL */
export function checkEndpoint(facts: EndpointFacts) {
	const { id, list, log, testEvent } = facts;
	const endpoint = list.value.find((one) => one.id === id);
	const unreached = storeFailureAt(endpoint?.url);
	const unlisted = doubtsOf(list, 'list of webhooks');
	const ofList = unlisted.length > 0 ? unlisted : [NOT_LISTED];
	const findings = [
		...(endpoint ? checkState(endpoint) : ofList),
		...checkLog(log, endpoint?.url ?? ''),
		...(unreached ? [notReached(unreached)] : []),
		...(testEvent?.doubts ?? []),
	];
	return describeChecked(findings, facts);
}

/** @returns an output item, with null for all that is unknown */
export function describeChecked(
	findings: Finding[],
	facts: Partial<EndpointFacts> & Pick<EndpointFacts, 'timezone'>,
) {
	const { id = null, list, log, timezone, testEvent } = facts;
	const endpoint = list?.value.find((one) => one.id === id);
	return {
		id,
		url: maskQuery(endpoint?.url),
		events: endpoint?.events ?? null,
		...summarize(findings, timezone),
		...describeLog(log?.error ? undefined : log?.value),
		sampleArrived: testEvent?.arrived ?? null,
	};
}

function describeLog(attempts?: LoggedAttempt[]) {
	const newest = newestFirst(attempts ?? [])?.[0];
	return {
		lastDelivery: newest ? withoutEvent(newest) : null,
		logged: attempts?.length ?? null,
		failed: attempts?.filter(({ lastArrived }) => lastArrived === false).length ?? null,
	};
}

function withoutEvent({ details }: LoggedAttempt): IDataObject {
	const { id, eventType, time, status, succeeded, response, error, attempt } = details;
	return { id, eventType, time, status, succeeded, response, error, attempt };
}

function checkState({ url, isRemoved, isDisabled, isUnverified }: Endpoint): Finding[] {
	if (!isRemoved && !isDisabled) return isUnverified ? [UNVERIFIED] : [];
	const state = isRemoved ? 'deleted' : 'disabled';
	return oneProblem(
		`The service lists this webhook as ${state}, and delivers nothing to it.`,
		isOfTrigger(url)
			? 'If this webhook failed before, fix the cause. Then unpublish the workflow and publish it again.'
			: 'If this webhook failed before, fix the cause. Then enable it in the dashboard of the service, or create it again.',
	);
}
