import type { IAuthenticate } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/service';
import type { Line } from '../../sandbox/stack/install-n8n';
import { calls, Faults } from '../support/lifecycleFaults';
import { happenings } from '../support/lifecycleScene';
import { serviceKinds } from '../support/lifecycleServices';
import { sequence } from '../support/lifecycleSteps';
import { LifecycleWorld } from '../support/lifecycleWorld';
import { loadPackage } from '../support/n8nCore';
import { fc, isMany, path, runs } from '../support/random';
import { Receiver } from '../support/receiver';

// The node's waits are skipped; its clock goes on by them.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

/** More than one page, and no more. */
const catalog = ['call.started', 'call.completed', 'chat.started', 'chat.completed'].map(
	(type) => ({ type, description: '' }),
);

const script = new Faults();
let receiver: Receiver;
let sandboxes: Sandbox[];

beforeAll(async () => {
	// What the node warns of is what the model does to it.
	process.env.N8N_LOG_LEVEL ??= 'error';
	receiver = await Receiver.start();
	sandboxes = await Promise.all(
		serviceKinds.map(
			async ({ dialect, lagMs }) =>
				await startSandbox({
					dialect,
					lagMs,
					catalog,
					pageSize: 3,
					ca: receiver.certificate.ca,
					log: (line) => script.answered(line),
				}),
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
	await receiver.stop();
});

test(
	'exactly one endpoint for each published trigger, none for any other, whatever came before',
	async () => {
		const lengths: number[] = [];
		const property = fc.asyncProperty(
			fc.integer({ min: 0, max: serviceKinds.length - 1 }),
			fc.constantFrom<Line[]>('2.41', '1.123'),
			sequence,
			async (service, line, steps) => {
				const [kind, sandbox] = [serviceKinds[service]!, sandboxes[service]!];
				const place = { kind, sandbox, faults: script, receiver };
				const world = await LifecycleWorld.create(place, line);
				try {
					for (const next of steps) await world.take(next);
					await world.end();
				} finally {
					world.clear();
				}
				lengths.push(steps.length);
			},
		);
		await fc.assert(property, {
			path,
			numRuns: runs(150),
			// A counterexample is made smaller for as long as that.
			interruptAfterTimeLimit: 10 * 60_000,
			markInterruptAsFailure: true,
		});

		const median = lengths.sort((a, b) => a - b)[lengths.length >> 1];
		console.log(`${lengths.length} sequences, ${median} steps in the median`);
		console.table(script.hits);
		console.table(happenings);
		if (!isMany) return;
		expect(median).toBeGreaterThanOrEqual(8);
		for (const [fault, hits] of Object.entries(script.hits)) {
			for (const call of calls) {
				expect({ fault, call, hits: hits[call] }).not.toMatchObject({ hits: 0 });
			}
		}
		for (const [what, times] of Object.entries(happenings)) {
			expect({ what, times }).not.toMatchObject({ times: 0 });
		}
	},
	30 * 60_000,
);
