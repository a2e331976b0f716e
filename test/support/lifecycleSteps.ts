import { randomUUID } from 'node:crypto';

import { faults, type FaultName, type PlannedFault } from './lifecycleFaults';
import type { StartMode } from './n8nLifecycle';
import { fc } from './random';

/** The disturbances of a step of n8n. */
export interface Disturbances {
	faults: PlannedFault[];
	/** The number of requests after which n8n is killed. */
	killedAfter?: number;
	/** Whether the service delivers to a new endpoint while `create` still runs. */
	deliversEarly: boolean;
}

/** A start of n8n. */
export interface StartStep extends Disturbances {
	do: 'start';
	mode: StartMode;
	/** Whether the database holds the newest static data, or older ones of an earlier activation. */
	data: 'newest' | 'older';
	/** Whether n8n starts a second time, after the end of the faults. */
	again: boolean;
}

/** A step in n8n. */
type N8nStep =
	| ({ do: 'publish'; events: string[] | 'same' } & Disturbances)
	| ({ do: 'unpublish' | 'toggle listener' } & Disturbances)
	| StartStep
	| { do: 'lose static data'; to: 'nothing' | 'last write' }
	| { do: 'receive' | 'kill listener' }
	/** An event that n8n has no route for, then polls until it is caught up. */
	| { do: 'miss an event'; faults: PlannedFault[] }
	/** A poll waits for the log until the publish is over. */
	| { do: 'publish during a poll'; events: string[] | 'same' }
	| { do: 'let time pass'; minutes: number };

/** A user's step outside of n8n's lifecycle: at the service, or with a copy of the workflow. */
export type ManualStep =
	| { do: 'remove by hand' | 'move by hand' | 'rotate key' | 'become a copy' }
	| { do: 'duplicate by hand'; token: 'same' | 'other' }
	| { do: 'disable'; shown: object }
	| { do: 'add foreign'; difference: keyof typeof similarUrls };

export type Step = N8nStep | ManualStep;

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
	fault: fc.constantFrom(...(Object.keys(faults) as FaultName[])),
	// Once; within the node's attempts; within n8n's attempts; for longer.
	times: fc.oneof(
		{ weight: 12, arbitrary: fc.constant(1) },
		{ weight: 4, arbitrary: fc.constant(3) },
		{ weight: 2, arbitrary: fc.constant(8) },
		{ weight: 1, arbitrary: fc.constant(1_000) },
	),
};

const plannedFault = fc.record({
	request: fc.constantFrom('list', 'create', 'delete', 'catalog', 'every'),
	...fault,
});

const logFault = fc.record({ request: fc.constant('log'), ...fault });

const disturbances = {
	faults: fc.oneof(
		{ weight: 3, arbitrary: fc.constant([]) },
		{ weight: 2, arbitrary: fc.array(plannedFault, { minLength: 1, maxLength: 3 }) },
	),
	killedAfter: fc.oneof(
		{ weight: 9, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.nat(8) },
	),
	deliversEarly: fc.boolean(),
};

/** Silence of the service that ends before n8n's last attempt, or after all its attempts and pauses. */
const silence = fc
	.record({
		request: fc.constant('every'),
		fault: fc.constantFrom('503', '429'),
		times: fc.constant(Infinity),
		seconds: fc.constantFrom(45, 105),
	})
	.map((fault) => [fault]);

const start = {
	do: fc.constant('start'),
	mode: fc.constantFrom('init', 'leadershipChange'),
	data: fc.constantFrom('newest', 'older'),
	again: fc.boolean(),
};

/** The choice of every event, which one of them beside it does not narrow. */
const EVERY = ['chat.completed', '*'];
const events = fc.constantFrom(
	'same',
	['call.completed'],
	['call.started', 'call.completed'],
	EVERY,
);

const weighted: Array<[weight: number, fields: Record<string, fc.Arbitrary<unknown>>]> = [
	[6, { do: fc.constant('publish'), events, ...disturbances }],
	[3, { do: fc.constant('unpublish'), ...disturbances }],
	[3, { ...start, ...disturbances }],
	[2, { ...start, ...disturbances, faults: silence }],
	[3, { do: fc.constant('toggle listener'), ...disturbances }],
	[2, { do: fc.constant('lose static data'), to: fc.constantFrom('nothing', 'last write') }],
	[2, { do: fc.constantFrom('remove by hand', 'receive') }],
	[4, { do: fc.constant('miss an event'), faults: fc.array(logFault, { maxLength: 2 }) }],
	[2, { do: fc.constant('publish during a poll'), events }],
	[1, { do: fc.constant('move by hand') }],
	[1, { do: fc.constantFrom('kill listener', 'rotate key', 'become a copy') }],
	[2, { do: fc.constant('duplicate by hand'), token: fc.constantFrom('same', 'other') }],
	[1, { do: fc.constant('disable'), shown: fc.constantFrom(...disabledFields, ...enabledFields) }],
	[1, { do: fc.constant('let time pass'), minutes: fc.constantFrom(3, 13) }],
	[1, { do: fc.constant('add foreign'), difference: fc.constantFrom(...Object.keys(similarUrls)) }],
];

const step = fc.oneof(
	...weighted.map(([weight, fields]) => ({ weight, arbitrary: fc.record(fields) })),
) as fc.Arbitrary<Step>;

export const stepSequence = fc.array(step, { minLength: 1, maxLength: 20, size: 'max' });
