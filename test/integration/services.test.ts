import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { Fault } from '../../sandbox/service';
import { startSandbox } from '../../sandbox/service';
import { startOtherReceiver } from '../support/otherReceiver';
import { fc, isMany, path, runs, seed } from '../support/random';
import { RandomOperations } from '../support/randomOperations';
import {
	differencesOf,
	drawnAxes,
	randomServices,
	type RandomService,
} from '../support/randomServices';
import { RandomTrigger } from '../support/randomTrigger';
import { Receiver } from '../support/receiver';

// The node's waits pass at once; the clock goes on by them.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/skippedWaits'));

const REQUESTS_SHOWN = 12;
const LIMITED_EVERY = 5;

let receiver: Receiver;
let other: Server;

beforeAll(async () => {
	// Lists that can't be read whole cause warnings, here by design.
	process.env.N8N_LOG_LEVEL ??= 'error';
	receiver = await Receiver.start();
	other = await startOtherReceiver(receiver.certificate);
});
afterAll(async () => {
	other.closeAllConnections();
	await new Promise((resolve) => other.close(resolve));
	await receiver.stop();
});

/** The refusal of every fifth request. */
function refusal(limit: RandomService['limit']): Fault {
	const status = limit === 'busy' ? 503 : 429;
	const times = {
		none: undefined,
		'no time': undefined,
		seconds: '1',
		busy: '1',
		date: new Date(Date.now() + 1_000).toUTCString(),
	};
	const time = times[limit];
	return { kind: 'status', status, headers: time === undefined ? {} : { 'retry-after': time } };
}

/** Runs every operation and the life of a trigger at a drawn service. */
async function live(service: RandomService): Promise<void> {
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
		service.limit !== 'none' && ++requests % LIMITED_EVERY === 0
			? refusal(service.limit)
			: undefined;
	const credential = {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.adminKey,
		authHeader: service.authHeader,
		webhookSigningSecret: sandbox.signingSecret,
	};
	const otherUrl = `https://127.0.0.1:${(other.address() as AddressInfo).port}/hooks`;
	for (let n = 0; n < service.crowd; n++) {
		sandbox.addEndpoint({ url: `${otherUrl}/${n}`, events: [types.at(-1)!] });
		sandbox.createKey(`Key ${n}`);
	}
	const operations = await RandomOperations.create(credential, sandbox, service);
	const trigger = await RandomTrigger.create(credential, sandbox, receiver, service, types);
	try {
		await operations.all(`${otherUrl}/calls?key=1`, types);
		await trigger.live();
		await operations.listWebhooks();
	} catch (error) {
		const last = sandbox.requests.slice(-REQUESTS_SHOWN).map((request) => JSON.stringify(request));
		const { message } = error as Error;
		throw new Error([message, 'The last requests:', ...last].join('\n'), { cause: error });
	} finally {
		trigger.stop();
		receiver.close();
		await sandbox.stop();
	}
}

test(
	'at any service that keeps the contract, every promise of the connector holds',
	async () => {
		const drawnValues = new Set<string>();
		const result = await fc.check(
			fc.asyncProperty(randomServices, async (service) => {
				for (const entry of Object.entries(service)) drawnValues.add(entry.join('='));
				await live(service);
			}),
			{ path, numRuns: runs(60), endOnFailure: false },
		);
		if (result.failed) {
			const [service] = result.counterexample ?? [];
			throw new Error(
				[
					`After ${result.numRuns} services, shrunken ${result.numShrinks} times. Repeat with`,
					`TEST_SEED=${seed} TEST_PATH=${result.counterexamplePath}`,
					'The service differs from the plainest one in:',
					service ? differencesOf(service) : '(none drawn)',
					(result.errorInstance as Error | null)?.message ?? '',
				].join('\n'),
			);
		}
		if (!isMany) return;
		const all = Object.entries(drawnAxes).flatMap(([name, values]) =>
			values.map((value) => `${name}=${value}`),
		);
		expect(all.filter((value) => !drawnValues.has(value))).toEqual([]);
	},
	30 * 60_000,
);
