import type { Fault } from '../../sandbox/service';
import { CALL, useChecks } from '../support/running/checkSetup';

const setup = useChecks();

describe('unreadable data', () => {
	const failAt = (pattern: RegExp, fault: Fault = { kind: 'status', status: 400 }) => {
		setup.sandbox.fault = ({ path }) => (pattern.test(path) ? fault : undefined);
	};

	test('in the log of one webhook does not affect the others', async () => {
		await setup.begin();
		const [one, other] = [await setup.publish(), await setup.publish()];
		setup.sandbox.emit('call.completed');
		await setup.delivered([one, other]);
		failAt(new RegExp(`${one}/deliveries`));
		const items = await setup.check();
		expect(items.map(({ id, ok }) => [id, ok])).toEqual([
			[one, null],
			[other, true],
		]);
		expect(items[0]?.doubts[0]?.what).toMatch(/^The log of deliveries could not be read: .*400/);
	});

	test('in the list causes a doubt about one webhook, and in both list and log fails the item', async () => {
		await setup.begin();
		const id = await setup.publish();
		failAt(/\/webhooks$/);
		const { ok, doubts, events, logged } = await setup.checkOne(id);
		expect({ ok, events, logged }).toEqual({ ok: null, events: null, logged: 0 });
		expect(doubts[0]?.what).toMatch(/^The list of webhooks could not be read: .*400/);
		failAt(/webhooks/, { kind: 'status', status: 401 });
		await expect(setup.check()).rejects.toThrow('The API key was not accepted');
		await expect(setup.checkOne(id)).rejects.toThrow('The API key was not accepted');
		setup.sandbox.fault = undefined;
		await expect(setup.checkOne('wh_0')).rejects.toThrow('There is no webhook with the ID wh_0');
	});

	test('by an incomplete list adds an item about the unchecked webhooks', async () => {
		await setup.begin({ paging: 'silent' }, 2);
		for (const name of ['a', 'b', 'c']) {
			setup.sandbox.addEndpoint({ url: `https://127.0.0.1:1/${name}`, events: CALL });
		}
		const items = await setup.check();
		expect(items.map(({ id }) => id === null)).toEqual([false, false, true]);
		expect(items[2]).toMatchObject({ url: null, ok: null, logged: null, sampleArrived: null });
		expect(items[2]?.summary).toMatch(/^The list of webhooks could not be read completely/);
		const [, , hidden] = setup.sandbox.endpoints();
		const { doubts } = await setup.checkOne(hidden!.id);
		expect(doubts[0]?.what).toMatch(/^The list of webhooks could not be read completely/);
	});

	test('a workspace without webhooks is a problem', async () => {
		await setup.begin();
		const items = await setup.check();
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({ id: null, ok: false });
		expect(items[0]?.summary).toMatch(/no webhooks.* Publish a workflow/);
	});

	test('a webhook that is listed as deleted is left out', async () => {
		await setup.begin();
		const [kept, removed] = [await setup.publish(), await setup.publish()];
		setup.sandbox.disableEndpoint(removed, { deleted_at: '2026-01-31T09:00:00Z' });
		expect((await setup.check()).map(({ id }) => id)).toEqual([kept]);
		expect((await setup.checkOne(removed)).summary).toMatch(/lists this webhook as deleted/);
	});
});

test('a webhook without an ID adds an item, and the others are checked', async () => {
	await setup.begin();
	const data = [{ address: 'https://a.example/' }, { id: 'wh_1', events: CALL }];
	setup.sandbox.fault = ({ path }) =>
		path === '/webhooks' ? { kind: 'status', status: 200, body: { data } } : undefined;
	const items = await setup.check();
	expect(items.map(({ id, ok }) => [id, ok])).toEqual([
		['wh_1', null],
		[null, null],
	]);
	expect(items[1]?.summary).toMatch(/^The list of webhooks could not be read completely/);
});
