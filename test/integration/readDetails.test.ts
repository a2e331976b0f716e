/** Call → Read Details, on n8n's own core. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { runOperation } from '../../nodes/VoiceAgent/operations/run';
import { FOLDERS, readMisleading, readPayloads } from '../support/events/callPayloads';
import { NodeInWorkflow } from '../support/n8n/core';

const CALL = { call_id: 'c1', direction: 'inbound', from: '+14155550187', to: '+14155550100' };

async function run(items: IDataObject[], parameters: INodeParameters = {}, settings = {}) {
	const node = await NodeInWorkflow.create('voiceAgent', {
		parameters: { resource: 'call', operation: 'readDetails', ...parameters },
		// n8n refuses to read a credential that the node does not have.
		credential: {},
	});
	node.settings = settings;
	return (await node.execute(items)).map(({ json }) => json);
}

const mapped = (path: string, countryCode = ''): INodeParameters => ({
	options: {
		callDetailsMapping: { fields: [{ detail: 'customer.phone', path }] },
		countryCode,
	},
});

/** The item of n8n's Webhook node. */
const received = (body: unknown) => ({
	headers: { host: 'n8n.example.com', 'user-agent': 'axios/1.7' },
	params: {},
	query: {},
	body: body as IDataObject,
	webhookUrl: 'https://n8n.example.com/webhook/calls',
	executionMode: 'production',
});

test('the details of each item are read, without a credential', async () => {
	const [event, other] = [CALL, { type: 'contact.created' }];
	expect(await run([event, other])).toEqual([
		{ callDetails: readCallDetails(event), ...event },
		{ callDetails: readCallDetails(other), ...other },
	]);
});

test('a file of the item stays with its call details', async () => {
	const parameters = { resource: 'call', operation: 'readDetails' };
	const node = await NodeInWorkflow.create('voiceAgent', { parameters, credential: {} });
	const context = node.executeContext([CALL]);
	const binary = { recording: { mimeType: 'audio/mpeg', data: 'YQ==' } };
	Object.assign(context.getInputData()[0]!, { binary });
	const [[item] = []] = await runOperation(context);
	expect(item?.binary).toEqual(binary);
});

test('an item of a Webhook node has the details of its body, whatever the service', () => {
	const events = [...FOLDERS.flatMap(readPayloads), ...readMisleading()];
	for (const { body } of events) {
		expect(readCallDetails(received(body))).toEqual(readCallDetails(body));
	}
});

test.each<[IDataObject, unknown]>([
	[received(CALL), 'c1'],
	[received({ event_id: 'evt_1' }), 'evt_1'],
	[received({ type: 'agent.updated' }), expect.stringMatching(/^[\w-]{43}$/)],
	[{ id: 'evt_2' }, 'evt_2'],
])('the row of %j has a call_id', async (item, id) => {
	expect(await run([item], { output: 'row' })).toMatchObject([{ call_id: id as string }]);
});

test.each(['body.anrufer.nummer', '={{ $json.body.anrufer.nummer }}'])(
	'the mapping %j and the country code are used',
	async (path) => {
		const item = received({ anrufer: { nummer: '0301234567' } });
		expect(await run([item], mapped(path, '+49'))).toMatchObject([
			{ callDetails: { customer: { phone: '+49301234567' } } },
		]);
	},
);

test('a row of a database has its times as objects', async () => {
	const times = { started_at: new Date(1.7e12), ended_at: new Date(1.7e12 + 187_000) };
	const [item] = await run([{ ...CALL, ...times } as never]);
	expect(item).toMatchObject({ callDetails: { durationSeconds: 187 } });
});

test('a hint says once that a mapping reads nothing', async () => {
	const node = await NodeInWorkflow.create('voiceAgent', {
		parameters: { resource: 'call', operation: 'readDetails', ...mapped('caller.phone') },
		credential: {},
	});
	await node.execute([{ anrufer: 'Ada' }, { anrufer: 'Ada' }]);
	expect(node.hints).toEqual([expect.stringContaining('reads no Customer Phone')]);
});

test('a wrong mapping is an error that says what to do', async () => {
	await expect(run([CALL], mapped('data from'))).rejects.toThrow("can't be read: data from");
	// Another node's item has other fields.
	const ofOther = "={{ $('Find lead').item.json.from }}";
	await expect(run([CALL], mapped(ofOther))).rejects.toThrow(/can't be read: .*Find lead/);
	const onError = { onError: 'continueRegularOutput' };
	expect(await run([CALL], mapped('data from'), onError)).toMatchObject([
		{ error: expect.stringContaining('Write the path of one field') as string },
	]);
});
