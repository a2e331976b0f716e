import type { IDataObject } from 'n8n-workflow';

import { requestEndpoints } from '../../lists/requestList';
import { maskQuery } from '../../auth/token';
import { operationError } from '../../service/errors';
import { hideAllSecrets } from '../../service/secrets';
import type { LoggedEndpoint } from '../../log/attempts';
import { requestLog, type Log, type LogPart } from '../../log/requestLog';
import { hintAtIncompleteList } from '../getMany';
import type { Item } from '../operation';
import { explainNotFound, readChosenId, WEBHOOK } from '../recordId';

/**
 * Reads the log of the chosen webhook, or those of all webhooks.
 *
 * @param read takes what is wanted of a log
 * @returns what was read of each log; with On Error on Continue, also the errors of unreadable logs
 * @throws otherwise the error of the first unreadable log
 */
export async function readLogs<T>(item: Item, part: LogPart, read: (log: Log) => T[]) {
	const isAll = item.read('allWebhooks', true) === true;
	const endpoints = isAll ? await requestAll(item) : [await findChosen(item)];
	const logs: T[][] = [];
	const failures: IDataObject[] = [];
	for (const endpoint of endpoints) {
		try {
			const log = await requestLog(item.context, endpoint, item.deadline, part);
			if (log.error) throw log.error;
			if (!log.complete) hintAtIncompleteList(item, 'deliveries', log.value.length);
			logs.push(read(log));
		} catch (error) {
			const failure = isAll
				? logUnreadable(item, endpoint, error as Error)
				: explainNotFound(WEBHOOK, endpoint.id, error as Error);
			if (!item.context.continueOnFail()) throw failure;
			failures.push({ error: hideAllSecrets(failure.message, []) });
		}
	}
	return { logs, failures };
}

async function requestAll(item: Item): Promise<LoggedEndpoint[]> {
	const { value, complete } = await requestEndpoints(item.context, item.deadline);
	if (!complete) hintAtIncompleteList(item, 'webhooks', value.length);
	return value.filter(({ isRemoved }) => !isRemoved);
}

/** Finds the URL of the chosen webhook, which decides whether n8n is its receiver. Its log is read also without it. */
async function findChosen(item: Item): Promise<LoggedEndpoint> {
	const id = readChosenId(item, WEBHOOK);
	const listed = await requestEndpoints(item.context, item.deadline).catch(() => undefined);
	return listed?.value.find((endpoint) => endpoint.id === id) ?? { id };
}

/** @returns an error that names the webhook whose log could not be read */
function logUnreadable({ context }: Item, { id, url }: LoggedEndpoint, error: Error): Error {
	return operationError(
		context.getNode(),
		`The deliveries of the webhook ${maskQuery(url) ?? ''} (ID ${id}) could not be read: ${error.message}`,
		'To get the deliveries of the other webhooks, set On Error to Continue in the settings of this node.',
	);
}
