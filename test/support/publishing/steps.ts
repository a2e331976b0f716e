import { randomUUID } from 'node:crypto';

import { faultNames, type PlannedFault } from './faults';
import { fc, type ValueOf } from '../jest/random';

const changed = (url: string, change: (url: URL) => void) => {
	const copy = new URL(url);
	change(copy);
	return copy.href;
};

/** URLs of foreign endpoints, each with one difference from the trigger's URL. */
export const similarUrls = {
	host: (url: string) => changed(url, (copy) => (copy.hostname = 'other.example.com')),
	port: (url: string) => changed(url, (copy) => (copy.port = '8443')),
	workflow: (url: string) => url.replace(/[\da-f-]{36}/, randomUUID()),
	prefix: (url: string) => url.replace('/webhook?', '?'),
	suffix: (url: string) => url.replace('?', '2?'),
	'webhook prefix': (url: string) => url.replace('/webhook/', '/hooks/'),
	below: (url: string) => url.replace('?', '/more?'),
	case: (url: string) => url.replace(/[\da-f-]{36}/, (id) => id.toUpperCase()),
} satisfies Record<string, (url: string) => string>;

/** Fields in the record of an endpoint that still receives deliveries. */
export const enabledFields: readonly object[] = [{ status: 'failing' }, { state: 'pending' }];

/** Fields in the record of an endpoint that receives no more deliveries. */
const disabledFields = [
	{ status: 'disabled' },
	{ status: 'PAUSED' },
	{ state: 'suspended' },
	{ enabled: false },
	{ active: false },
	{ disabled: true },
];

const fault = {
	fault: fc.constantFrom(...faultNames),
	// Once; within the node's attempts; within n8n's attempts; for longer.
	times: fc.oneof(
		{ weight: 12, arbitrary: fc.constant(1) },
		{ weight: 4, arbitrary: fc.constant(3) },
		{ weight: 2, arbitrary: fc.constant(8) },
		{ weight: 1, arbitrary: fc.constant(1_000) },
	),
};

const plannedFault = fc.record<PlannedFault>({
	request: fc.constantFrom('list', 'create', 'delete', 'catalog', 'every'),
	...fault,
});

const logFault = fc.record<PlannedFault>({ request: fc.constant('log'), ...fault });

const pollFault = fc.oneof(
	plannedFault,
	fc.constant<PlannedFault>({ request: 'list', fault: 'empty list', times: 1 }),
);

/** The disturbances of a step of n8n. */
const disturbances = {
	faults: fc.oneof(
		{ weight: 3, arbitrary: fc.constant<PlannedFault[]>([]) },
		{ weight: 2, arbitrary: fc.array(plannedFault, { minLength: 1, maxLength: 3 }) },
	),
	/** The number of requests after which n8n is killed. */
	killedAfter: fc.oneof(
		{ weight: 9, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.nat(8) },
	),
	/** Whether the service delivers to a new endpoint while `create` still runs. */
	deliversEarly: fc.boolean(),
};

/** Silence of the service that ends before n8n's last attempt, or after all its attempts and pauses. */
const silence = fc
	.record<PlannedFault>({
		request: fc.constant('every'),
		fault: fc.constantFrom('503', '429'),
		times: fc.constant(Infinity),
		seconds: fc.constantFrom(45, 105),
	})
	.map((fault) => [fault]);

/** A start of n8n, or another main process that takes over. */
const start = {
	do: fc.constant('start'),
	mode: fc.constantFrom('init', 'leadershipChange'),
	/** Whether the database holds the newest static data, or older ones of an earlier activation. */
	data: fc.constantFrom('newest', 'older'),
	/** Whether n8n starts a second time, after the end of the faults. */
	again: fc.boolean(),
	...disturbances,
};

/** The choice of every event, which one of them beside it does not narrow. */
const EVERY = ['chat.completed', '*'];
const events = fc.constantFrom<string[] | 'same'>(
	'same',
	['call.completed'],
	['call.started', 'call.completed'],
	EVERY,
);

/** @returns a step by the arbitrary values of its fields */
const weighted = <Fields>(
	weight: number,
	fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => ({ weight, arbitrary: fc.record<Fields>(fields) });

const shown = fc.constantFrom(...disabledFields, ...enabledFields);
const difference = fc.constantFrom(
	...(Object.keys(similarUrls) as Array<keyof typeof similarUrls>),
);

const anyStep = fc.oneof(
	weighted(6, { do: fc.constant('publish'), events, ...disturbances }),
	weighted(3, { do: fc.constant('unpublish'), ...disturbances }),
	weighted(3, start),
	weighted(2, { ...start, faults: silence }),
	weighted(3, { do: fc.constant('toggle listener'), ...disturbances }),
	weighted(2, {
		do: fc.constant('lose static data'),
		to: fc.constantFrom('nothing', 'last write'),
	}),
	weighted(2, { do: fc.constantFrom('remove by hand', 'receive') }),
	// An event that n8n has no route for, then polls until it is caught up.
	weighted(4, { do: fc.constant('miss an event'), faults: fc.array(logFault, { maxLength: 2 }) }),
	// Polls mend the endpoint, whatever was done to it before.
	weighted(4, { do: fc.constant('let polls mend'), faults: fc.array(pollFault, { maxLength: 2 }) }),
	// A poll waits for the log until the publish is over.
	weighted(2, { do: fc.constant('publish during a poll'), events }),
	weighted(1, { do: fc.constant('move by hand') }),
	weighted(1, { do: fc.constantFrom('kill listener', 'rotate key', 'become a copy') }),
	weighted(2, { do: fc.constant('duplicate by hand'), token: fc.constantFrom('same', 'other') }),
	weighted(1, { do: fc.constant('disable'), shown }),
	weighted(1, { do: fc.constant('let time pass'), minutes: fc.constantFrom(3, 13) }),
	weighted(1, { do: fc.constant('add foreign'), difference }),
);

/** The disturbances of a step that has none. */
export const undisturbed = { faults: [], killedAfter: undefined, deliversEarly: false };

export type Step = ValueOf<typeof anyStep>;
export type StartStep = Extract<Step, { do: 'start' }>;

export const stepSequence = fc.array(anyStep, { minLength: 1, maxLength: 20, size: 'max' });
