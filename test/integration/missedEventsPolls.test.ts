import {
	createNode,
	logAttempt,
	pass,
	polled,
	service,
	startPolling,
	URL_OF,
	usePolling,
} from '../support/missedEventsSetup';

usePolling();

describe('the time from which on events are reported', () => {
	test('is the publish', async () => {
		logAttempt('a');
		pass(20);
		const poll = (await createNode()).activatePoller();
		expect(await polled(poll)).toEqual([]);
	});

	test('is before the publish with Look Back', async () => {
		logAttempt('a');
		pass(60);
		logAttempt('b');
		pass(20);
		const poll = (await createNode({ options: { lookBackHours: 1 } })).activatePoller();
		expect(await polled(poll)).toEqual([['b']]);
	});

	test('stays over a restart, and reported events are not reported again', async () => {
		const node = await createNode();
		const poll = node.activatePoller();
		await poll();
		logAttempt('a');
		pass(16);
		expect(await polled(poll)).toEqual([['a']]);
		logAttempt('b');
		pass(48 * 60);
		expect(await polled(node.activatePoller('init'))).toEqual([['b']]);
	});

	test.each([
		['the minimum age is long', 'activate', 180, 120],
		['the last poll was long ago', 'update', 0, 300],
	] as const)('reaches further back if %s', async (_why, mode, minAgeMinutes, minutes) => {
		const node = await createNode({ options: { minAgeMinutes } });
		await node.activatePoller()();
		logAttempt('a');
		pass(minutes);
		const poll = node.activatePoller(mode);
		const early = await polled(poll);
		pass(60);
		expect([...early, ...(await polled(poll))]).toEqual([['a']]);
	});

	test('leaves out the time in which the workflow was not published', async () => {
		const node = await createNode();
		await node.activatePoller()();
		pass(24 * 60);
		logAttempt('a');
		pass(76);
		expect(await polled(node.activatePoller('activate'))).toEqual([]);
	});
});

test('events of weeks ago are not reported', async () => {
	logAttempt('a', { attempted_at: new Date(Date.now() - 500 * 3_600_000).toISOString() });
	const poll = (await createNode()).activatePoller();
	expect(await polled(poll)).toEqual([]);
});

test('at most 50 executions start in one poll, the others in the next', async () => {
	const poll = await startPolling();
	for (let count = 0; count < 60; count++) logAttempt(`${count}`);
	expect(await poll()).toHaveLength(50);
	expect(await poll()).toHaveLength(10);
	expect(await poll()).toHaveLength(0);
});

test('a log of 10,000 records is read within the budget of a poll', async () => {
	const poll = await startPolling();
	for (let count = 0; count < 10_000; count++) {
		logAttempt(`${count}`, count % 1_000 ? { status: 'delivered', response_status: 200 } : {});
	}
	const start = performance.now();
	expect(await poll()).toHaveLength(10);
	const seconds = (performance.now() - start) / 1000;
	console.log(`10,000 records of a delivery log are read in ${seconds.toFixed(1)} s`);
	expect(seconds).toBeLessThan(45);
}, 60_000);

test.each([
	['49', "The country code can't be read: 49."],
	['={{ $("Other").item.json.code }}', "Referenced node doesn't exist"],
])('the country code %s fails the publish and Fetch test event', async (countryCode, error) => {
	const node = await createNode({ options: { countryCode } });
	const poll = node.activatePoller();
	await expect(poll()).rejects.toThrow(error);
	await expect(poll()).rejects.toThrow(error);
	await expect(node.activatePoller('manual', 'manual')()).rejects.toThrow(error);
});

test('polls never overlap', async () => {
	const poll = await startPolling();
	logAttempt('a');
	let resume = () => {};
	service.pause = new Promise((resolve) => (resume = resolve));
	const first = poll();
	expect(await poll()).toEqual([]);
	resume();
	expect(await first).toHaveLength(1);
});

describe('the webhooks', () => {
	test('are found by their URL, whatever their ID', async () => {
		const node = await createNode();
		expect(await node.loadOptions('getWebhooks')).toEqual([
			{ name: `${URL_OF.wh_1} (every event)`, value: URL_OF.wh_1 },
			{ name: `${URL_OF.wh_2} (every event)`, value: URL_OF.wh_2 },
		]);
	});

	test('are all of this n8n, without test listeners', async () => {
		const poll = await startPolling({ webhooks: 'thisN8n' });
		logAttempt('a', {}, 'wh_1');
		logAttempt('b', {}, 'wh_2');
		logAttempt('c', {}, 'wh_3');
		expect(await polled(poll)).toEqual([['a']]);
	});

	test('fail a later poll if there are none, and none during a publish, which creates them', async () => {
		service.webhooks = ['wh_2'];
		const poll = (await createNode()).activatePoller();
		expect(await poll()).toEqual([]);
		pass(1);
		expect(await poll()).toEqual([]);
		pass(1);
		await expect(poll()).rejects.toThrow('The service has none of the chosen webhooks. Choose');
	});

	test('with a log that can not be read fail the poll after the others were reported', async () => {
		const poll = await startPolling({ webhookIds: [URL_OF.wh_1, URL_OF.wh_2] });
		pass(2);
		service.logs.wh_1 = undefined;
		logAttempt('b', {}, 'wh_2');
		const started = poll();
		await expect(started).rejects.toThrow(/webhook wh_1 could not be read: .*log is lost/);
		service.logs.wh_1 = [];
		expect(await polled(poll)).toEqual([]);
	});
});
