import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import type { Deadline } from '../../api/retry';
import { hasArrived } from '../../deliveryLog/arrival';
import type { Finding, Told } from './checkFindings';
import type { DeliveryDetails } from '../../deliveryLog/deliveryDetails';
import { requestSample } from '../webhook/test.operation';

/** How long the log is looked at (ms), which is longer than services wait for an answer. */
const LONGEST_WAIT_MS = 20_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 4_000;

type Log = Told<DeliveryDetails[]>;

/** How a sample went. */
export interface Sample {
	/** Null where the log does not tell. */
	arrived: boolean | null;
	/** As it was read last. */
	log: Log;
	doubts: Finding[];
}

/**
 * Has the service deliver a sample event, and looks at the log for how that went.
 *
 * @param before the log as it was
 * @param readLog reads it anew
 */
export async function sendSample(
	context: IExecuteFunctions,
	itemIndex: number,
	before: Log,
	deadline: () => Deadline,
	readLog: (deadline: () => Deadline) => Promise<Log>,
): Promise<Sample> {
	try {
		await requestSample(context, itemIndex, deadline);
	} catch (error) {
		const what = `The service did not send a sample: ${(error as Error).message}`;
		return { arrived: null, log: before, doubts: [{ what, toDo: 'Check again later.' }] };
	}
	let log = before;
	const until = Date.now() + LONGEST_WAIT_MS;
	for (
		let delay = FIRST_DELAY_MS;
		'value' in before && Date.now() + delay < until;
		delay = Math.min(delay * 2, LONGEST_DELAY_MS)
	) {
		await sleep(delay);
		log = await readLog(() => ({ ...deadline(), until: until + LONGEST_DELAY_MS }));
		const arrived = 'value' in log ? arrivedSince(before.value, log.value) : null;
		if (arrived !== null) return { arrived, log, doubts: [] };
	}
	return {
		arrived: null,
		log,
		doubts: [
			{
				what: 'A sample was sent, and the log did not tell how that went.',
				toDo: 'Look under Executions whether the workflow ran.',
			},
		],
	};
}

/**
 * Tells whether what was delivered since then arrived.
 *
 * @returns null while there is nothing, it is under way, or several deliveries ended otherwise
 */
function arrivedSince(before: DeliveryDetails[], now: DeliveryDetails[]): boolean | null {
	const nameOf = ({ id, time }: DeliveryDetails) => id ?? time;
	const known = new Set(before.map(nameOf));
	const verdicts = new Set(
		now
			// The sample is no further attempt at what failed before.
			.filter((one) => !known.has(nameOf(one)) && (one.attempt ?? 1) <= 1)
			.map(hasArrived),
	);
	const [verdict = null] = verdicts;
	return verdicts.size === 1 ? verdict : null;
}
