import type { INodeParameters } from 'n8n-workflow';

import { until } from '../../sandbox/stack/until';
import type { NodeInWorkflow } from '../support/n8n/core';
import { publish, receiver, sandbox, trigger, useReceiver } from '../support/n8n/receiveSetup';

useReceiver();

/** Delivers events to the published trigger. @returns the requests to the service that they cost */
async function deliver(...events: Array<[type: string, data: object]>): Promise<number> {
	const before = sandbox.requests.length;
	for (const [type, data] of events) await sandbox.deliver(sandbox.endpoints()[0]!.id, type, data);
	return sandbox.requests.length - before;
}

/** Executes the step of the published trigger: the service sends a test event. @returns the items and hints */
async function executeStep(options: INodeParameters = {}) {
	const parameters = { output: 'both', options: { testEvent: 'latest', ...options } };
	Object.assign(trigger.parameters, parameters);
	trigger.staticData = {};
	await trigger.call('create', true);
	let shown: { items: unknown[]; hints: string } | undefined;
	const receive: NodeInWorkflow['receive'] = async (...request) => {
		const result = await trigger.receive(...request);
		const [items = []] = result.workflowData ?? [];
		shown = {
			items: items.map(({ json }) => json),
			hints: items.map(({ hints }) => hints as string).join(),
		};
		return result;
	};
	receiver.open({ webhookUrl: (test) => trigger.webhookUrl(test), receive }, 'manual');
	await until('the test event', 60, () => shown !== undefined);
	await trigger.call('delete', true);
	return shown!;
}

const inbound = { call_id: 'C1', direction: 'inbound' };

// Promise: The latest real event needs no phone call, and nothing of it is invented.
test('Execute step shows the newest event of the log that would start the workflow', async () => {
	await publish({}, { loggedEvent: 'payload' });
	expect(
		await deliver(
			['call.completed', { call_id: 'C0' }],
			['call.completed', inbound],
			['call.completed', { call_id: 'C2', direction: 'outbound' }],
			['call.started', { call_id: 'C3' }],
			['call.completed', { call_id: 'T1', direction: 'inbound', test: true }],
		),
	).toBe(0);
	const onlyCalls = { filter: { direction: 'inbound' } };
	const { items, hints } = await executeStep({ onlyCalls });
	const callDetails = { test: false };
	expect(items).toMatchObject([{ type: 'call.completed', data: inbound, callDetails }]);
	expect(hints).not.toContain('invented');
	expect((await executeStep()).items).toMatchObject([{ data: { call_id: 'C2' } }]);
});

test('the log of the own webhook comes first, then one with the same events, then another', async () => {
	await publish({}, { loggedEvent: 'payload' });
	await trigger.call('delete');
	const add = (name: string, events: string[]) =>
		sandbox.addEndpoint({ url: `${receiver.base}/${name}`, events });
	const ids = [add('another', ['call.completed', 'call.failed']), add('same', ['call.completed'])];
	await trigger.call('create');
	ids.push(sandbox.endpoints().find(({ id }) => !ids.includes(id))!.id);
	const shown = [];
	for (const [at, id] of ids.entries()) {
		await sandbox.deliver(id, 'call.completed', { call_id: `C${at}` });
		const { items } = await executeStep();
		shown.push((items[0] as { data: { call_id: string } }).data.call_id);
	}
	expect(shown).toEqual(['C0', 'C1', 'C2']);
});

test.each([
	[
		'holds no event',
		'payload',
		'call.started',
		200,
		'shows no event that would start the workflow',
	],
	['has no content', 'none', 'call.completed', 200, 'shows no event that would start the workflow'],
	['can not be read', 'payload', 'call.completed', 500, 'so this is a test event'],
] as const)(
	'Execute step shows the test event with a hint if the log %s',
	async (_why, loggedEvent, type, status, hint) => {
		await publish({}, { loggedEvent });
		await deliver([type, inbound]);
		sandbox.fault = ({ path }) =>
			status === 500 && path.endsWith('/deliveries') ? { kind: 'status', status } : undefined;
		const { items, hints } = await executeStep();
		expect(items).toHaveLength(1);
		expect(JSON.stringify(items)).not.toContain('C1');
		expect(hints).toContain(hint);
	},
);
