import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import { startSandbox, type Fault } from '../../../sandbox/service';
import { startOtherReceiver } from '../others/otherReceiver';
import { RandomOperations } from '../running/randomOperations';
import type { PairedService } from './pairedServices';
import { RandomTrigger } from '../publishing/randomTrigger';
import { Receiver } from '../n8n/receiver';

const REQUESTS_SHOWN = 12;
const REFUSED_EVERY = 5;

/** The scenarios of a service. Each rejects with an AssertionError. */
interface Scenarios {
	/** Runs every operation of the action node. */
	operations: () => Promise<void>;
	/** Publishes, changes and unpublishes a trigger, then lists the webhooks. */
	trigger: () => Promise<void>;
}

let receiver: Receiver;
let other: Server;

/** Starts the receivers of a test file, and stops them after its tests. */
export function useReceivers(): void {
	beforeAll(async () => {
		// The node logs a warning for each list that it can't read completely.
		process.env.N8N_LOG_LEVEL ??= 'error';
		receiver = await Receiver.start();
		other = await startOtherReceiver(receiver.certificate);
	});
	afterAll(async () => {
		other.closeAllConnections();
		await new Promise((resolve) => other.close(resolve));
		await receiver.stop();
	});
}

/** @returns the response to every fifth request */
function refusal(limit: PairedService['limit']): Fault {
	const status = limit === 'busy' ? 503 : 429;
	if (limit === 'none' || limit === 'no time') return { kind: 'status', status };
	const time = limit === 'date' ? new Date(Date.now() + 1_000).toUTCString() : '1';
	return { kind: 'status', status, headers: { 'retry-after': time } };
}

/**
 * Starts a service for scenarios, and stops it. The test file has to mock the node's waits:
 * `jest.mock('n8n-workflow', () => jest.requireActual<object>('../time/skippedWaits'))`.
 *
 * @throws the error of a scenario, with the last requests
 */
export async function withService(
	service: PairedService,
	run: (scenarios: Scenarios) => Promise<void>,
): Promise<void> {
	const names = ['call.completed', 'call.started', 'chat.completed', 'agent.updated'];
	const types = names.map((name) => name.replace('.', service.separator));
	const sandbox = await startSandbox({
		dialect: service,
		catalog: types.map((type) => ({ type, description: `Sent after ${type}` })),
		pageSize: service.pageSize,
		lagMs: service.lagMs,
		retryScale: 0,
		ca: receiver.certificate.ca,
	});
	let requests = 0;
	sandbox.fault = () =>
		service.limit !== 'none' && ++requests % REFUSED_EVERY === 0
			? refusal(service.limit)
			: undefined;
	const credential = {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.adminKey,
		authHeader: service.authHeader,
		webhookSigningSecret: sandbox.signingSecret,
	};
	const otherUrl = `https://127.0.0.1:${(other.address() as AddressInfo).port}/hooks`;
	for (let n = 0; n < service.otherRecords; n++) {
		sandbox.addEndpoint({ url: `${otherUrl}/${n}`, events: [types.at(-1)!] });
		sandbox.createKey(`Key ${n}`);
	}
	const operations = await RandomOperations.create(credential, sandbox, service);
	const trigger = await RandomTrigger.create(credential, sandbox, receiver, service, types);
	try {
		await run({
			operations: async () => await operations.runAll(`${otherUrl}/calls?key=1`, types),
			trigger: async () => {
				await trigger.runLifecycle();
				await operations.listWebhooks();
			},
		});
	} catch (error) {
		const last = sandbox.requests.slice(-REQUESTS_SHOWN).map((request) => JSON.stringify(request));
		const { message } = error as Error;
		throw new Error([message, 'The last requests:', ...last].join('\n'), { cause: error });
	} finally {
		receiver.close();
		await sandbox.stop();
	}
}
