import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import { defaultDialect, namedDialects, type Dialect } from '../../sandbox/dialects';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox/service';
import { until } from '../../sandbox/stack/until';
import { NodeInWorkflow } from '../support/n8n/core';
import { Receiver } from '../support/n8n/receiver';
import { startOtherReceiver } from '../support/others/otherReceiver';
import { FaultInjector } from '../support/publishing/faults';
import { LifecycleModel } from '../support/publishing/model';
import { undisturbed, type Step } from '../support/publishing/steps';
import { status } from '../support/service/failures';
import { AllOperations } from '../support/running/allOperations';
import {
	serviceOf,
	servicesOfOperations,
	servicesOfTriggers,
	withManyPages,
	type PairedService,
} from '../support/service/pairedServices';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

const REQUESTS_SHOWN = 12;
const REFUSED_EVERY = 5;

const CHANGES: Record<Exclude<PairedService['change'], 'nothing'>, Step> = {
	'removed by hand': { do: 'remove by hand' },
	disabled: { do: 'disable', shown: { enabled: false, status: 'disabled' } },
	'key rotated': { do: 'rotate key' },
	'static data lost': { do: 'lose static data', to: 'nothing' },
};
const START: Step = { do: 'start', mode: 'init', data: 'newest', again: false, ...undisturbed };

let receiver: Receiver;
let other: Server;

beforeAll(async () => {
	// The node logs a warning for each list that it can't read completely.
	process.env.N8N_LOG_LEVEL ??= 'error';
	receiver = await Receiver.start();
	other = await startOtherReceiver(receiver.certificate);
});
afterAll(async () => {
	await other[Symbol.asyncDispose]();
	await receiver.stop();
});

/** @returns the response to every fifth request */
function refusal(limit: PairedService['limit']): Fault {
	const time = limit === 'date' ? new Date(Date.now() + 1_000).toUTCString() : '1';
	return status(limit === 'busy' ? 503 : 429, limit === 'no time' ? undefined : time);
}

/**
 * Starts a service, and runs every operation of the action node, or the lifecycle of a trigger. Then it stops the
 * service.
 *
 * @throws the AssertionError of the first broken invariant, with the last requests
 */
async function run(service: PairedService, what: 'operations' | 'trigger'): Promise<void> {
	const names = ['call.completed', 'call.started', 'chat.completed', 'agent.updated'];
	const types = names.map((name) => name.replace('.', service.separator));
	await using sandbox = await startSandbox({
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
		...sandbox.credential,
		authHeader: service.authHeader,
		webhookSigningSecret: sandbox.signingSecret,
	};
	const otherUrl = `https://127.0.0.1:${(other.address() as AddressInfo).port}/hooks`;
	for (let n = 0; n < service.otherRecords; n++) {
		sandbox.addEndpoint({ url: `${otherUrl}/${n}`, events: [types.at(-1)!] });
		sandbox.createKey(`Key ${n}`);
	}
	const node = await NodeInWorkflow.create('voiceAgent', { credential });
	const operations = new AllOperations(node, sandbox, service);
	try {
		if (what === 'operations') return await operations.runAll(`${otherUrl}/calls?key=1`, types);
		await runLifecycle(service, types, sandbox, credential);
		await operations.listWebhooks();
	} catch (error) {
		const last = sandbox.requests.slice(-REQUESTS_SHOWN).map((request) => JSON.stringify(request));
		const { message } = error as Error;
		throw new Error([message, 'The last requests:', ...last].join('\n'), { cause: error });
	} finally {
		receiver.close();
	}
}

/** Publishes, tests, makes the change, starts n8n, publishes other event types, and unpublishes. */
async function runLifecycle(
	service: PairedService,
	types: string[],
	sandbox: Sandbox,
	credential: object,
): Promise<void> {
	const { lagMs, events, laterEvents, change } = service;
	const kind = { dialect: service, lagMs, types, credential, testEvent: 'sample' } as const;
	const model = await LifecycleModel.create(kind, sandbox, new FaultInjector(), receiver, '2.41');
	const [completed, started, chat] = types as [string, string, string];
	const choices = {
		completed: [completed],
		started: [started],
		two: [started, completed],
		every: [chat, '*'],
	};
	const publish = async (choice: PairedService['events']) =>
		await model.run({ do: 'publish', events: choices[choice], ...undisturbed });
	await model.run({ do: 'add foreign', difference: 'below' });
	await model.run({ do: 'add foreign', difference: 'workflow' });
	const others = sandbox.endpoints().length;
	await publish(events);
	const before = receiver.received.length;
	await model.run({ do: 'toggle listener', ...undisturbed });
	const samples = () => receiver.received.slice(before).flatMap(({ items }) => items);
	await until('the sample', 5, () => samples().length > 0);
	await sandbox.settled();
	expect(samples()).toHaveLength(1);
	await model.run({ do: 'toggle listener', ...undisturbed });
	if (change !== 'nothing') await model.run(CHANGES[change]);
	await model.run(START);
	await model.run({ do: 'let polls mend', faults: [] });
	// Only a publish can store the signing secret of a new endpoint.
	const isLost = change === 'removed by hand' && service.signature === 'standard-webhooks';
	expect(sandbox.endpoints()).toHaveLength(others + (isLost ? 0 : 1));
	const isReported = model.polls.reports.some((text) => text.includes('publish it again'));
	expect(isReported).toBe(isLost || change === 'disabled');
	await publish(laterEvents);
	await model.run(START);
	await model.finish();
}

/** @returns the services, named by their differences from the assumptions */
const casesOf = (paired: PairedService[]) =>
	[...Object.values(namedDialects).map(serviceOf), ...paired].map((service) => {
		const differences = Object.entries(service).filter(
			([name, value]) => defaultDialect[name as keyof Dialect] !== value,
		);
		return [differences.map((one) => one.join('=')).join(' '), service] as const;
	});

// Promise: Each operation works with each pair of the sandbox's dialect options that it can meet.
test.each(casesOf(servicesOfOperations))('all operations: %s', async (_name, service) => {
	await run(withManyPages(service), 'operations');
});

// Promise: Every pair of the sandbox's dialect options works, from publish to unpublish.
test.each(casesOf(servicesOfTriggers))('the lifecycle of a trigger: %s', async (_name, service) => {
	await run(service, 'trigger');
});
