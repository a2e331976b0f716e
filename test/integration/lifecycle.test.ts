import type { IAuthenticate } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/service';
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

const faults = new FaultInjector();
let receiver: Receiver;

beforeAll(async () => {
	// The node logs a warning for each injected fault.
	process.env.N8N_LOG_LEVEL ??= 'error';
	receiver = await Receiver.start();
	// The credential signs each request just before it is sent, so faults are injected there.
	const { credentialType } = await loadPackage();
	const sign = credentialType.authenticate as Extract<IAuthenticate, (...args: never[]) => unknown>;
	credentialType.authenticate = async (credential, request) =>
		await faults.inject(await sign(credential, request));
});
afterAll(async () => await receiver.stop());

// Promise: A published trigger has exactly one endpoint and an unpublished one has none, whatever
// happened before.
// Promise: No endpoint of anyone else is ever removed.
// Promise: A test listener never removes the endpoint of the published workflow.
// Promise: n8n stores neither a token nor the API key, from which one could be made.
test(
	'a published trigger has exactly one endpoint, an unpublished trigger none, after any steps',
	async () => {
		const property = fc.asyncProperty(
			fc.constantFrom(...serviceKinds),
			fc.constantFrom<Line[]>('2.41', '1.123'),
			stepSequence,
			async (kind, line, steps) => {
				await using sandbox = await startSandbox({
					dialect: { ...kind.dialect, loggedEvent: 'payload' },
					lagMs: kind.lagMs,
					// Fewer than the event types of the catalog.
					pageSize: 3,
					ca: receiver.certificate.ca,
					log: (text) => faults.readServiceLog(text),
				});
				sandbox.fault = ({ path: asked }) => faults.takeServiceFault(asked);
				receiver.close();
				const model = await LifecycleModel.create(kind, sandbox, faults, receiver, line);
				for (const step of steps) await model.run(step);
				await model.finish();
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
