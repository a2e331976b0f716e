import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import type { Dialect } from '../../sandbox/dialects';
import { NodeInWorkflow } from '../support/n8n/core';
import { loadInProcess } from '../support/n8n/nodePackage';
import {
	begin,
	post,
	receiver,
	registeredUrl,
	rightToken,
	sandbox,
	useReceiver,
} from '../support/n8n/receiveSetup';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/time/noWaits'));

useReceiver();
afterEach(() => jest.useRealTimers());

const NO_EVENT = expect.stringContaining('then "Refresh List"') as string;
const NUMBER = { name: 'data.anrufer.nummer: 030 23125014', value: 'data.anrufer.nummer' };
const event = (data: object = { anrufer: { nummer: '030 23125014' } }) => ({
	type: 'call.completed',
	data,
});

let trigger: NodeInWorkflow;

/** Starts a service, and a trigger that is not published. */
async function start(dialect: Partial<Dialect> = {}): Promise<void> {
	await begin({ loggedEvent: 'payload', ...dialect });
	trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'], options: { testEvent: 'real' } },
		credential: sandbox.credential,
		webhookBase: receiver.base,
	});
}

/** Executes the step with each event. `TOKEN` in it becomes the callback token. */
async function executeStep(...events: unknown[]): Promise<void> {
	await trigger.publish(true);
	receiver.open(trigger, 'manual');
	for (const one of events) {
		const body = JSON.stringify(one).replace('TOKEN', rightToken());
		expect((await post(registeredUrl(), body)).status).toBe(200);
	}
	await trigger.call('delete', true);
}

/** Loads the list of a row. */
async function list(row: INodeParameters = {}, node = trigger): Promise<INodePropertyOptions[]> {
	const fields = [{ detail: 'customer.phone', path: '', ...row }];
	node.parameters = {
		...node.parameters,
		options: { testEvent: 'real', callDetailsMapping: { fields } },
	};
	const path = 'parameters.options.callDetailsMapping.fields[0].path';
	return await node.loadOptions('getEventFields', path);
}
const values = (entries: INodePropertyOptions[]) => entries.map(({ value }) => String(value));
const numberedFields = (entries: INodePropertyOptions[]) =>
	values(entries)
		.filter((value) => value.startsWith('data.feld_'))
		.sort();

/** @returns the trigger in another process of n8n */
async function inProcess(index: number): Promise<NodeInWorkflow> {
	const { parameters, credential } = trigger;
	const types = await loadInProcess(index);
	return await NodeInWorkflow.create('voiceAgentTrigger', { parameters, credential }, types);
}

test('a row without a path stops no Execute step, and the list says to click it', async () => {
	await start();
	expect(await list()).toEqual([{ name: NO_EVENT, value: ' ' }]);
	await executeStep(event());
	const entries = await list();
	expect(entries).toContainEqual(NUMBER);
	expect(await list({ path: NUMBER.value })).toEqual(entries);
});

test('events of Execute step are listed for an hour, in this process and with this credential only', async () => {
	await start({ loggedEvent: 'none' });
	await executeStep(event());
	const { credential } = trigger;
	trigger.credential = { ...credential, apiKey: sandbox.createKey('other') };
	expect(values(await list())).toEqual([' ']);
	trigger.credential = credential;
	trigger.settings = { credentials: { voiceAgentApi: { id: '2', name: 'Other' } } };
	expect(values(await list())).toEqual([' ']);
	trigger.settings = {};
	expect(values(await list({}, await inProcess(1)))).toEqual([' ']);

	const stored = JSON.stringify([trigger.staticData, trigger.globalData]);
	expect(stored).not.toContain('23125014');
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout'] });
	jest.setSystemTime(Date.now() + 59 * 60_000);
	expect(await list()).toContainEqual(NUMBER);
	jest.setSystemTime(Date.now() + 2 * 60_000);
	expect(values(await list())).toEqual([' ']);
});

test('the newest five events are listed, without secrets, as the mapping sees them', async () => {
	await start({ loggedEvent: 'none' });
	const batch = [event({ feld_5: 'Bearer TOKEN' }), event({ feld_6: 6 })];
	await executeStep(...[1, 2, 3, 4].map((index) => event({ [`feld_${index}`]: index })), batch);
	const entries = await list();
	expect(numberedFields(entries)).toEqual([2, 3, 4, 5, 6].map((index) => `data.feld_${index}`));
	expect(entries).toContainEqual({ name: 'data.feld_5: Bearer ***', value: 'data.feld_5' });
	expect(JSON.stringify(entries)).not.toContain('callDetails');
});

test("events of the service's log are listed in any process, by two requests", async () => {
	await start({ paging: 'cursor' });
	const other = sandbox.addEndpoint({
		url: 'https://crm.example.com/',
		events: ['chat.completed'],
	});
	await trigger.publish();
	receiver.open(trigger);
	const id = sandbox.endpoints()[1]!.id;
	const data = { ...event().data, key: `Bearer ${sandbox.adminKey}` };
	for (let count = 0; count < 60; count++) await sandbox.deliver(id, 'call.completed', data);
	await sandbox.deliver(other, 'chat.completed', { besucher: 'B' });
	const before = sandbox.requests.length;
	const entries = await list({}, await inProcess(2));
	expect(entries).toEqual(
		expect.arrayContaining([NUMBER, { name: 'data.key: Bearer ***', value: 'data.key' }]),
	);
	expect(values(entries)).not.toContain('data.besucher');
	expect(sandbox.requests.slice(before).map(({ path }) => path)).toEqual([
		'/webhooks',
		`/webhooks/${id}/deliveries`,
	]);
});

test('an error of the log is shown where no other event is known, and the path of the row stays', async () => {
	await start();
	sandbox.fault = () => ({ kind: 'status', status: 403 });
	const path = 'data.kunde.tel';
	expect(await list({ path })).toEqual([
		{ name: path, value: path },
		{ name: expect.stringMatching(/lacks the scope.*create a key/) as string, value: ' ' },
	]);
	trigger.credential.apiKey = '';
	expect(await list({ path })).toContainEqual({
		name: expect.stringContaining("'API Key' is empty") as string,
		value: ' ',
	});
	trigger.credential.apiKey = sandbox.adminKey;
	sandbox.fault = undefined;
	await executeStep(event());
	sandbox.fault = () => ({ kind: 'status', status: 403 });
	expect(values(await list({ path: NUMBER.value }))).not.toContain(' ');
	expect((await list({ path }))[0]).toEqual({ name: path, value: path });
});

test.each(['oldest', 'newest'])(
	'a log that begins with the %s event gives the newest five',
	async (first) => {
		await start();
		sandbox.addEndpoint({ url: 'https://crm.example.com/', events: ['call.completed'] });
		const records = Array.from({ length: 9 }, (_, at) => ({
			id: `d${at}`,
			status: 'delivered',
			attempted_at: new Date(1e12 + at * 6e4).toISOString(),
			payload: event({ [`feld_${at}`]: at }),
		}));
		const data = first === 'oldest' ? records : records.toReversed();
		sandbox.fault = ({ path }) =>
			path.endsWith('/deliveries') ? { kind: 'status', status: 200, body: { data } } : undefined;
		const newest = [4, 5, 6, 7, 8].map((at) => `data.feld_${at}`);
		expect(numberedFields(await list())).toEqual(newest);
	},
);

test('hostile names and values are harmless', async () => {
	await start({ loggedEvent: 'none' });
	const data = {
		'<img src=x onerror=alert(1)>': '<script>alert(2)</script>',
		'it\'s "q" \\': 'quoted',
		שם: 'דנה',
		'a\u202eb\n': 'c\u0000\u202e\r\nd',
		'{{ $env.PATH }}': 'evaluated',
		['n'.repeat(5_000)]: 'long name',
		text: 'word '.repeat(50_000),
	};
	await executeStep({ ...event(data), '=1+1': 'root' });
	const entries = await list({ detail: 'summary' });
	const names = entries.map(({ name }) => name);
	expect(names).toEqual(
		expect.arrayContaining([
			"data['<img src=x onerror=alert(1)>']: <script>alert(2)</script>",
			'data.שם: דנה',
		]),
	);
	expect(entries.every(({ description }) => description === undefined)).toBe(true);
	expect(names.every((name) => name.length <= 201 && !/[\p{Cc}\u202e]/u.test(name))).toBe(true);
	expect(values(entries).filter((value) => /^=|\{\{/.test(value))).toEqual([]);
});

test('of 5,000 fields, 200 are listed', async () => {
	await start({ loggedEvent: 'none' });
	const fields = Array.from({ length: 5_000 }, (_none, index) => [`feld_${index}`, index]);
	await executeStep(event(Object.fromEntries(fields) as object));
	expect(await list()).toHaveLength(200);
});
