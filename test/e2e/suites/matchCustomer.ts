import type { IConnections, IDataObject, INode } from 'n8n-workflow';
import { outputOf, outputsOf } from '../../../sandbox/stack/n8n-api';
import { shortened } from '../../compat/needs';
import { nodeOf } from '../../support/n8n/triggerNode';
import { addStandIns, nodeTypes, stack } from '../harness';

const contacts: IDataObject[] = [
	{ id: 1, name: 'Ada Lovelace', phone: '+44 (0)20 7946 0321' },
	{ id: 2, name: 'Grace Hopper', phone: '(415) 555-0187 x45' },
	{ id: 3, name: 'Charles Babbage', phone: '+49 30 23125014' },
	{ id: 4, name: 'Emma Babbage', mobile: '030 23125014' },
];
const digitsOf = (text: unknown) => `${text as string}`.replace(/ x.*|\D/g, '');
// A CRM that searches by the last digits, and fails for numbers that end in 000.
addStandIns({
	'crm.example.com': {
		'GET /search': ({ query: { phone = '' } }, reply) => {
			void reply.code(phone.endsWith('000') ? 500 : 200);
			return contacts.filter((contact) =>
				digitsOf(contact.phone ?? contact.mobile).endsWith(phone.slice(-8)),
			);
		},
	},
});

const call = (id: string, phone: string | null, person = phone ? 'found' : 'unknown') => ({
	callDetails: { id, person, customer: { phone, name: null, email: null } },
});
const ada = call('ada', '+442079460321');
const grace = call('grace', '+14155550187');
const stranger = call('stranger', '+33123456789');
const other = call('other', '+33123456780');
const babbage = call('babbage', '+493023125014');
const nobody = call('nobody', null);

const OUTPUTS = ['Found', 'New', 'Unclear', 'No Customer'];
const match = (more: Partial<INode> = {}) =>
	nodeOf('Match', nodeTypes.action, {
		parameters: { resource: 'call', operation: 'matchCustomer' },
		...more,
	});
const search = (more: Partial<INode> = {}) =>
	nodeOf('Search', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: {
			url: 'https://crm.example.com/search',
			sendQuery: true,
			queryParameters: {
				parameters: [{ name: 'phone', value: '={{ $json.callDetails.customer.phone ?? "none" }}' }],
			},
		},
		...more,
	});

const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });
/** Both branches of the calls, and the outputs of the match. */
const wiring: IConnections = {
	Start: { main: [[to('Payload')]] },
	Payload: { main: [[to('Calls')]] },
	Calls: { main: [[to('Search'), to('Match')]] },
	Search: { main: [[to('Match', 1)]] },
	Match: { main: [...OUTPUTS, 'Failed'].map((name) => [to(name)]) },
};

/** Runs a workflow with calls. @returns the execution, and the calls at each output of the match */
async function run(
	calls: object[],
	{ executionOrder = 'v1', nodes = [match(), search()], connections = wiring } = {},
) {
	const { api } = stack.n8n;
	const { id } = await api.createWorkflow({
		name: 'Match',
		settings: { executionOrder: executionOrder as 'v1' },
		nodes: [
			nodeOf('Start', 'n8n-nodes-base.manualTrigger'),
			nodeOf('Payload', 'n8n-nodes-base.set', {
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: JSON.stringify({ calls }), options: {} },
			}),
			nodeOf('Calls', 'n8n-nodes-base.splitOut', { parameters: { fieldToSplitOut: 'calls' } }),
			...nodes,
			...[...OUTPUTS, 'Failed'].map((name) => nodeOf(name, 'n8n-nodes-base.noOp')),
		],
		connections,
	});
	const execution = await api.runToEnd(id, 'Start');
	return {
		execution,
		error: execution.data.resultData.error?.message,
		outputs: outputsOf(execution, 'Match').map((items) => items.map(({ json }) => json)),
	};
}

/** The callers at each output, by the IDs of their calls, with the names of their records. */
const idsOf = (outputs: IDataObject[][]) =>
	outputs.map((items) =>
		items.map(({ callDetails, record, error }) => {
			const { id } = callDetails as IDataObject;
			return [id, (record as IDataObject | null)?.name ?? error]
				.filter((text) => typeof text === 'string')
				.join(': ');
		}),
	);

describe.each(shortened(['v1', 'v0']))('with the execution order %s', (executionOrder) => {
	test.each([
		['both', [ada, grace], [['ada: Ada Lovelace', 'grace: Grace Hopper'], [], [], []]],
		['one', [stranger, grace], [['grace: Grace Hopper'], ['stranger'], [], []]],
		['none', [stranger, other], [[], ['stranger', 'other'], [], []]],
		['two people', [babbage, nobody], [[], [], ['babbage'], ['nobody']]],
	])('of a batch of two calls, the search finds %s', async (_name, calls, expected) => {
		const { error, outputs, execution } = await run(calls, { executionOrder });
		expect(error).toBeUndefined();
		expect(idsOf(outputs)).toEqual(expected);
		// Each node behind an output gets exactly the items of that output.
		expect(OUTPUTS.map((name) => outputOf(execution, name))).toEqual(outputs);
	});

	test('with nothing at Records, the node says so', async () => {
		const connections = { ...wiring, Calls: { main: [[to('Match')]] }, Search: { main: [[]] } };
		const { error, outputs } = await run([ada], { executionOrder, connections });
		expect(error).toContain(
			'Nothing is connected to the input Records. Connect the Voice Agent Trigger to Calls',
		);
		expect(outputs).toEqual([]);
	});

	test('with an error output, each call reaches it with the error', async () => {
		const failing = call('failing', '+14155550000');
		const nodes = [
			match({ onError: 'continueErrorOutput' }),
			search({ onError: 'continueRegularOutput' }),
		];
		const { error, outputs } = await run([ada, failing], { executionOrder, nodes });
		expect(error).toBeUndefined();
		const message = expect.stringContaining('"Search" failed') as string;
		expect(outputs.slice(0, 4)).toEqual([[], [], [], []]);
		expect(outputs[4]).toEqual([ada, failing].map((one) => ({ ...one, error: message })));
	});
});

test('with nothing at Calls, the node says so in the execution order v1', async () => {
	const connections = {
		...wiring,
		Calls: { main: [[to('Search')]] },
		Search: { main: [[to('Match', 1)]] },
	};
	const { error, outputs } = await run([ada], { connections });
	expect(error).toContain(
		'No call is at the input Calls. Connect the Voice Agent Trigger to Calls',
	);
	expect(outputs).toEqual([]);
});
