import type { IAuthenticate } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/service';
import type { Line } from '../../sandbox/stack/install-n8n';
import { FaultInjector } from '../support/publishing/faults';
import { LifecycleModel } from '../support/publishing/model';
import { serviceKinds } from '../support/publishing/services';
import { stepSequence } from '../support/publishing/steps';
import { loadPackage } from '../support/n8n/nodePackage';
import { fc, path, runs } from '../support/jest/random';
import { Receiver } from '../support/n8n/receiver';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

/** More event types than fit on a page. */
const catalog = ['call.started', 'call.completed', 'chat.started', 'chat.completed'].map(
	(type) => ({ type, description: '' }),
);

const faults = new FaultInjector();
let receiver: Receiver;
let sandboxes: Sandbox[];

beforeAll(async () => {
	// The node logs a warning for each injected fault.
	process.env.N8N_LOG_LEVEL ??= 'error';
	receiver = await Receiver.start();
	sandboxes = await Promise.all(
		serviceKinds.map(
			async ({ dialect, lagMs }) =>
				await startSandbox({
					dialect: { ...dialect, loggedEvent: 'payload' },
					lagMs,
					catalog,
					pageSize: 3,
					ca: receiver.certificate.ca,
					log: (line) => faults.readServiceLog(line),
				}),
		),
	);
	for (const sandbox of sandboxes) sandbox.fault = ({ path }) => faults.takeServiceFault(path);
	// The credential signs each request just before it is sent, so faults are injected there.
	const { credentialType } = await loadPackage();
	const sign = credentialType.authenticate as Extract<IAuthenticate, (...args: never[]) => unknown>;
	credentialType.authenticate = async (credential, request) =>
		await faults.inject(await sign(credential, request));
});
afterAll(async () => {
	await Promise.all(sandboxes.map(async (sandbox) => await sandbox.stop()));
	await receiver.stop();
});

// Promise: A published trigger has exactly one endpoint and an unpublished one has none, whatever
// happened before.
// Promise: No endpoint of anyone else is ever removed.
// Promise: A test listener never removes the endpoint of the published workflow.
// Promise: n8n stores neither a token nor the API key, from which one could be made.
test(
	'a published trigger has exactly one endpoint, an unpublished trigger none, after any steps',
	async () => {
		const property = fc.asyncProperty(
			fc.integer({ min: 0, max: serviceKinds.length - 1 }),
			fc.constantFrom<Line[]>('2.41', '1.123'),
			stepSequence,
			async (service, line, steps) => {
				const [kind, sandbox] = [serviceKinds[service]!, sandboxes[service]!];
				const model = await LifecycleModel.create(kind, sandbox, faults, receiver, line);
				try {
					for (const step of steps) await model.run(step);
					await model.finish();
				} finally {
					model.cleanUp();
				}
			},
		);
		await fc.assert(property, {
			path,
			numRuns: runs(50),
			// Limits the time to shrink a counterexample.
			interruptAfterTimeLimit: 10 * 60_000,
			markInterruptAsFailure: true,
		});
	},
	30 * 60_000,
);
