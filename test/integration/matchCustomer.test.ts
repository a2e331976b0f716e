import { ExecuteContext } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type ITaskData,
	Workflow,
} from 'n8n-workflow';

import { additionalData } from '../support/n8n/additionalData';
import { loadPackage } from '../support/n8n/nodePackage';
import { nodeOf } from '../support/n8n/triggerNode';

const type = 'n8n-nodes-voice-agent.voiceAgent';
const PHONE = '+442079460321';
const call = (id: string, phone: string | null, more: IDataObject = {}) => ({
	callDetails: {
		...{ id, person: phone ? 'found' : 'unknown' },
		customer: { phone, name: null, email: null },
		...more,
	},
});
const ada = call('ada', PHONE);
const grace = call('grace', '+14155550187');
const contacts = [
	{ id: 1, name: 'Ada Lovelace', phone: '020 7946 0321' },
	{ id: 2, name: 'Charles Babbage', phone: '+493023125014' },
];
const itemsOf = (jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));
const connection = (node: string, index = 0) => ({ node, type: 'main' as const, index });

interface Run {
	/** What the search has output. */
	searched?: INodeExecutionData[][];
	settings?: Partial<INode>;
	options?: INodeParameters;
}

/** Runs Match Customer behind a node `Calls` and a node `Search`. @returns the items of each output */
async function run(
	calls: INodeExecutionData[],
	{ searched = [itemsOf(contacts)], settings = {}, options = {} }: Run = {},
) {
	const { nodeTypes, credentialType } = await loadPackage();
	const parameters = { resource: 'call', operation: 'matchCustomer', options };
	const node = nodeOf('Match', type, { parameters, ...settings });
	const workflow = new Workflow({
		nodes: [nodeOf('Calls', type), nodeOf('Search', type), node],
		connections: {
			Calls: { main: [[connection('Search'), connection('Match')]] },
			Search: { main: [[connection('Match', 1)]] },
		},
		active: false,
		nodeTypes,
	});
	const data = { main: [calls, searched[0]!] };
	const execution = createEmptyRunExecutionData();
	execution.resultData.runData.Search = [{ data: { main: searched } } as unknown as ITaskData];
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData(credentialType, 'https://n8n.example.com/', () => {
			throw new Error('The operation reads no credential');
		}),
		'manual',
		execution,
		0,
		calls,
		data,
		{
			node,
			data,
			source: { main: [{ previousNode: 'Calls' }, { previousNode: 'Search' }] },
		},
		[],
	);
	const { execute } = nodeTypes.getByNameAndVersion(type) as {
		execute: (this: ExecuteContext) => Promise<INodeExecutionData[][]>;
	};
	return await execute.call(context);
}

test('each call is at one output, paired with its item, with record and candidates', async () => {
	const withheld = call('withheld', null, { person: 'withheld' });
	const nobody = call('nobody', null);
	const row = { call_id: 'row', customer_phone: '0044 (0)20 7946 0321', person: 'found' };
	const outputs = await run(itemsOf([grace, withheld, ada, nobody, row]));
	const [contact] = contacts;
	const [found, none] = [
		{
			record: contact,
			recordId: 1,
			candidates: [contact],
			reason: 'Ada Lovelace has this number.',
		},
		{ record: null, recordId: null, candidates: [], reason: expect.any(String) as string },
	];
	const itemOf = (json: IDataObject, item: number, match: object) => ({
		json: { ...json, ...match },
		pairedItem: { item },
	});
	expect(outputs).toEqual([
		[itemOf(ada, 2, found), itemOf(row, 4, found)],
		[itemOf(grace, 0, none)],
		[],
		[itemOf(withheld, 1, none), itemOf(nobody, 3, none)],
	]);
});

test('a file of the item stays with its call', async () => {
	const binary = { data: { mimeType: 'audio/mpeg', data: 'YQ==' } };
	const [[found] = []] = await run([{ json: ada, binary }]);
	expect(found?.binary).toEqual(binary);
});

test('a row that states a failure is a record', async () => {
	const searched = [itemsOf([{ company: 'Acme', error: 'no number' }])];
	const [, isNew] = await run(itemsOf([ada]), { searched });
	expect(isNew).toHaveLength(1);
});

test('an empty search, and the empty item of Always Output Data, make a new customer', async () => {
	for (const searched of [[[]], [[{ json: {} }]]]) {
		const [, isNew] = await run(itemsOf([ada]), { searched });
		expect(isNew).toHaveLength(1);
	}
});

test('Customer Fields makes a field of unknown name the own one', async () => {
	const searched = [itemsOf([{ id: 1, Rückrufnummer: PHONE }])];
	const options = { customerFields: 'Kontakt, rückrufnummer' };
	const [[found] = []] = await run(itemsOf([ada]), { searched, options });
	expect(found?.json.recordId).toBe(1);
});

const failed = { json: { error: '401: Authorization: Bearer svc_live_1 is invalid' } };
const FAILED = '"Search" failed or is no search, so it is unknown which customers have a record.';

test.each<[string, INodeExecutionData[], INodeExecutionData[][], string]>([
	['nothing at Calls', [], [itemsOf(contacts)], 'No call is at the input Calls.'],
	[
		'one item that is no call',
		itemsOf([ada, { phone: PHONE }]),
		[[]],
		'Item 1 at the input Calls has no call details.',
	],
	['an error item beside records', itemsOf([ada]), [[...itemsOf(contacts), failed]], FAILED],
	[
		'an error as n8n adds it',
		itemsOf([ada]),
		[[{ json: {}, error: new Error('out of order') as never }]],
		FAILED,
	],
	[
		'an error as the error output has it',
		itemsOf([ada]),
		[[{ json: { ...ada, error: 'out of order' } }]],
		FAILED,
	],
	['an error of GraphQL', itemsOf([ada]), [itemsOf([{ errors: ['1'], extensions: {} }])], FAILED],
	['calls at Records', itemsOf([ada]), [itemsOf([ada])], FAILED],
])('%s is an error that says so, and with Continue each call has it', async (...args) => {
	const [, calls, searched, message] = args;
	await expect(run(calls, { searched })).rejects.toThrow(message);
	// The error of another node may hold its secret.
	await expect(run(calls, { searched })).rejects.not.toThrow('svc_live_1');
	const outputs = await run(calls, { searched, settings: { onError: 'continueErrorOutput' } });
	const error = expect.stringContaining(message) as string;
	const items = calls.map((_, item) => ({ json: { error }, pairedItem: { item } }));
	expect(outputs).toEqual([[], [], [], items.length > 0 ? items : [{ json: { error } }]]);
});
