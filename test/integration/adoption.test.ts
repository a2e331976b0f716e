import type { WorkflowActivateMode } from 'n8n-workflow';

import { asStored } from '../support/n8n/core';
import { skipTime } from '../support/time/clock';
import { ownEndpoints, script, trigger, useTrigger } from '../support/n8n/triggerSetup';

// The node's waits pass at once, and its clock jumps by their length.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/skippedWaits'));

useTrigger();

const isAdopted = async () => await trigger.call('checkExists');

describe('the check of the published endpoint', () => {
	beforeEach(async () => await trigger.publish());

	test('adopts the endpoint beside that of a stale test listener, which the next publish removes', async () => {
		await trigger.call('create', true);
		skipTime(13 * 60_000);
		script({ remove: () => ({ status: 500 }) });
		expect(await isAdopted()).toBe(true);
	});

	test('adopts no endpoint that it has just removed under another name, although a list is late', async () => {
		const shown = [...ownEndpoints()];
		await trigger.call('delete');
		trigger.staticData = {};
		script({ list: () => ({ body: { data: shown } }) });
		expect(await isAdopted()).toBe(false);
	});

	test('stores what it adopts', async () => {
		const stored = asStored(trigger.staticData);
		trigger.staticData = {};
		expect(await isAdopted()).toBe(true);
		const since = expect.any(Number) as number;
		expect(asStored(trigger.staticData)).toEqual({ ...stored, since, publishedAt: since });
	});

	const CATALOG = ['call.started', 'call.completed', 'chat.completed'];
	test.each<[events: string[], shown: string[], adopted: boolean]>([
		[['*'], ['*'], true],
		[['call.completed', '*'], CATALOG, true],
		[['*'], ['call.completed'], false],
		[['call.completed'], ['call.*'], false],
		[['call.completed'], CATALOG, false],
	])('with the selection %j, adopts an endpoint with %j: %s', async (events, shown, adopted) => {
		trigger.parameters = { ...trigger.parameters, events };
		ownEndpoints()[0]!.events = shown;
		expect(await isAdopted()).toBe(adopted);
		script({ catalog: () => ({ body: { data: [] } }) });
		trigger.staticData = {};
		expect(await isAdopted()).toBe(adopted && shown[0] === '*');
	});

	// Promise: A rotated API key replaces no webhook.
	test('adopts an endpoint whose token was made with another API key only by its stored hash', async () => {
		trigger.credential = { ...trigger.credential, apiKey: 'svc_live_two' };
		expect(await isAdopted()).toBe(true);
		trigger.staticData.tokenHashes = [];
		expect(await isAdopted()).toBe(false);
		await trigger.publish();
		expect(ownEndpoints()).toHaveLength(1);
		expect(await isAdopted()).toBe(true);
	});

	// After a failed check, n8n removes the endpoint next, so it is not adopted.
	test.each<[WorkflowActivateMode, keeps: boolean]>([
		['init', true],
		['leadershipChange', true],
		['activate', false],
		['update', false],
	])(
		'with the activation mode %s and no list that can be read, keeps it: %s',
		async (mode, keeps) => {
			const before = asStored(trigger.staticData);
			script({ list: () => ({ status: 503 }) });
			const check = trigger.call('checkExists', false, mode);
			await (keeps ? expect(check).resolves.toBe(true) : expect(check).rejects.toThrow());
			script({});
			expect(asStored(trigger.staticData)).toEqual(
				keeps ? before : { ...before, removal: 'begun' },
			);
			expect(await isAdopted()).toBe(keeps);
		},
	);

	test.each<[string, () => unknown]>([
		['no stored state', () => (trigger.staticData = {})],
		['the state of another service', () => (trigger.staticData.owner = 'https://b.example.com/v1')],
		['a removal that has begun', async () => await trigger.call('delete').catch(() => {})],
	])('keeps no endpoint at a start without a list, with %s', async (_name, prepare) => {
		script({ list: () => ({ status: 503 }) });
		await prepare();
		const check = trigger.call('checkExists', false, 'init').catch(() => false);
		expect(await check).toBe(false);
	});
});
