import { randomUUID } from 'node:crypto';

import { faults, type FaultName, type PlannedFault } from './lifecycleFaults';
import { fc } from './random';

/** What goes wrong during a step. */
export interface Trouble {
	faults: PlannedFault[];
	/** After how many requests n8n is killed. */
	killedAfter?: number;
	/** Whether the service delivers as soon as there is a new endpoint, while `create` still runs. */
	early: boolean;
}

/** Something that happens to a trigger. */
export type Step =
	/** A publish; with the same events also a start of 2.41, which calls nothing more than that. */
	| ({ do: 'publish'; events: string[] | 'same' } & Trouble)
	/** A publish that two processes do at once; whose request comes first, where it could be either's. */
	| { do: 'publish twice'; events: string[] | 'same'; order: boolean[] }
	| ({ do: 'unpublish' | 'start 1.x' | 'toggle listener' } & Trouble)
	| { do: 'lose static data'; all: boolean }
	| {
			do:
				| 'remove by hand'
				| 'move by hand'
				| 'receive'
				| 'kill listener'
				| 'rotate key'
				| 'become a copy';
	  }
	| { do: 'duplicate by hand'; token: 'same' | 'other' }
	| { do: 'disable'; shown: object }
	| { do: 'let time pass'; minutes: number }
	| { do: 'add foreign'; beside: keyof typeof neighbours };

const changed = (url: string, change: (url: URL) => void) => {
	const copy = new URL(url);
	change(copy);
	return copy.href;
};

/** Endpoints of others, in everything but one thing like that of a trigger. */
export const neighbours = {
	host: (url: string) => changed(url, (copy) => (copy.hostname = 'other.example.com')),
	port: (url: string) => changed(url, (copy) => (copy.port = '8443')),
	workflow: (url: string) => url.replace(/[\da-f-]{36}/, randomUUID()),
	prefix: (url: string) => url.replace('/webhook?', '?'),
	suffix: (url: string) => url.replace('?', '2?'),
	'webhook prefix': (url: string) => url.replace('/webhook/', '/hooks/'),
	below: (url: string) => url.replace('?', '/more?'),
	case: (url: string) => url.replace(/[\da-f-]{36}/, (id) => id.toUpperCase()),
} satisfies Record<string, (url: string) => string>;

/** What an endpoint's record says of one that is worth having all the same. */
export const worthHaving: readonly object[] = [{ status: 'failing' }, { state: 'pending' }];

/** What it says of one that gets nothing any more. */
const gone = [
	{ status: 'disabled' },
	{ status: 'PAUSED' },
	{ state: 'suspended' },
	{ enabled: false },
	{ active: false },
	{ disabled: true },
];

const plannedFault = fc.record({
	call: fc.constantFrom('list', 'create', 'delete', 'catalog', 'every'),
	fault: fc.constantFrom(...(Object.keys(faults) as FaultName[])),
	// Once; within the node's own tries; within n8n's; beyond them.
	times: fc.oneof(
		{ weight: 12, arbitrary: fc.constant(1) },
		{ weight: 4, arbitrary: fc.constant(3) },
		{ weight: 2, arbitrary: fc.constant(8) },
		{ weight: 1, arbitrary: fc.constant(1_000) },
	),
});

const trouble = {
	faults: fc.oneof(
		{ weight: 3, arbitrary: fc.constant([]) },
		{ weight: 2, arbitrary: fc.array(plannedFault, { minLength: 1, maxLength: 3 }) },
	),
	killedAfter: fc.oneof(
		{ weight: 9, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary: fc.nat(8) },
	),
	early: fc.boolean(),
};

const events = fc.constantFrom('same', ['call.completed'], ['call.started', 'call.completed'], []);

const weighted: Array<[weight: number, fields: Record<string, fc.Arbitrary<unknown>>]> = [
	[6, { do: fc.constant('publish'), events, ...trouble }],
	[
		2,
		{ do: fc.constant('publish twice'), events, order: fc.array(fc.boolean(), { maxLength: 12 }) },
	],
	[3, { do: fc.constant('unpublish'), ...trouble }],
	[3, { do: fc.constant('start 1.x'), ...trouble }],
	[3, { do: fc.constant('toggle listener'), ...trouble }],
	[2, { do: fc.constant('lose static data'), all: fc.boolean() }],
	[2, { do: fc.constantFrom('remove by hand', 'receive') }],
	[1, { do: fc.constant('move by hand') }],
	[1, { do: fc.constantFrom('kill listener', 'rotate key', 'become a copy') }],
	[2, { do: fc.constant('duplicate by hand'), token: fc.constantFrom('same', 'other') }],
	[1, { do: fc.constant('disable'), shown: fc.constantFrom(...gone, ...worthHaving) }],
	[1, { do: fc.constant('let time pass'), minutes: fc.constantFrom(3, 13) }],
	[1, { do: fc.constant('add foreign'), beside: fc.constantFrom(...Object.keys(neighbours)) }],
];

const step = fc.oneof(
	...weighted.map(([weight, fields]) => ({ weight, arbitrary: fc.record(fields) })),
) as fc.Arbitrary<Step>;

/** A life of a trigger. */
export const sequence = fc.array(step, { minLength: 1, maxLength: 20, size: 'max' });
