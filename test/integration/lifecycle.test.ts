import fc from 'fast-check';
import type { IAuthenticate } from 'n8n-workflow';

import type { Dialect } from '../../sandbox/dialects';
import { startSandbox, type Sandbox } from '../../sandbox/service';
import type { Line } from '../../sandbox/stack/install-n8n';
import { calls, faults, Faults, type FaultName } from '../support/lifecycleFaults';
import { LifecycleWorld, neighbours, type Step } from '../support/lifecycleWorld';
import { loadPackage } from '../support/n8nCore';

// The node's waits are skipped; its clock goes on by them.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: (ms: number) => {
		const { skipTime } = jest.requireActual<{ skipTime: (ms: number) => void }>(
			'../support/lifecycleFaults',
		);
		skipTime(ms);
		return Promise.resolve();
	},
}));

/** Fewer runs, and the seed and path of a failure, to look at it again. */
const { LIFECYCLE_RUNS, LIFECYCLE_SEED, LIFECYCLE_PATH } = process.env;
const RUNS = Number(LIFECYCLE_RUNS ?? 2000);
const SEED = Number(LIFECYCLE_SEED ?? Date.now() % 2 ** 31);

/** Services on which what a trigger can read of its endpoint differs. */
const dialects: Array<Partial<Dialect>> = [
	{},
	{ listedUrl: 'masked', listedEvents: 'hidden' },
	{ listedUrl: 'normalised', listedEvents: 'catalog', paging: 'cursor' },
];

const script = new Faults();
let sandboxes: Sandbox[];

beforeAll(async () => {
	sandboxes = await Promise.all(
		dialects.map((dialect) =>
			startSandbox({ dialect, pageSize: 3, log: (line) => script.answered(line) }),
		),
	);
	for (const sandbox of sandboxes) sandbox.fault = () => script.arrive();
	// Each request is signed by the credential as it goes out: there the faults get hold of it.
	const { credentialType } = await loadPackage();
	const sign = credentialType.authenticate as Extract<IAuthenticate, (...args: never[]) => unknown>;
	credentialType.authenticate = async (credential, request) =>
		await script.strike(await sign(credential, request));
});
afterAll(async () => {
	await Promise.all(sandboxes.map(async (sandbox) => await sandbox.stop()));
});

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
};

const events = fc.constantFrom('same', ['call.completed'], ['call.started', 'call.completed'], []);

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({ do: fc.constant('publish'), events, ...trouble }),
	},
	...(
		[
			['unpublish', 3],
			['start 1.x', 3],
			['toggle listener', 2],
		] as const
	).map(([name, weight]) => ({
		weight,
		arbitrary: fc.record({ do: fc.constant(name), ...trouble }),
	})),
	{
		weight: 2,
		arbitrary: fc.record({ do: fc.constant('lose static data'), all: fc.boolean() }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ do: fc.constantFrom('remove by hand', 'receive') }),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('duplicate by hand'),
			token: fc.constantFrom('same', 'other'),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('add foreign'),
			beside: fc.constantFrom(...(Object.keys(neighbours) as Array<keyof typeof neighbours>)),
		}),
	},
) as fc.Arbitrary<Step>;

const sequence = fc.array(step, { minLength: 1, maxLength: 20, size: 'max' });

test(
	'exactly one endpoint for each published trigger, none for any other, whatever came before',
	async () => {
		const lengths: number[] = [];
		const property = fc.asyncProperty(
			fc.integer({ min: 0, max: dialects.length - 1 }),
			fc.constantFrom<Line[]>('2.41', '1.123'),
			sequence,
			async (service, line, steps) => {
				const world = await LifecycleWorld.create(sandboxes[service]!, script, line);
				try {
					for (const next of steps) await world.take(next);
					await world.end();
				} finally {
					world.clear();
				}
				lengths.push(steps.length);
			},
		);
		console.log(`Repeat with LIFECYCLE_SEED=${SEED}`);
		await fc.assert(property, { seed: SEED, path: LIFECYCLE_PATH, numRuns: RUNS });

		const median = lengths.sort((a, b) => a - b)[lengths.length >> 1];
		console.log(`${lengths.length} sequences, ${median} steps in the median`);
		console.table(script.hits);
		if (LIFECYCLE_RUNS ?? LIFECYCLE_PATH) return;
		expect(median).toBeGreaterThanOrEqual(8);
		for (const [fault, hits] of Object.entries(script.hits)) {
			for (const call of calls) {
				expect({ fault, call, hits: hits[call] }).not.toMatchObject({ hits: 0 });
			}
		}
	},
	30 * 60_000,
);
