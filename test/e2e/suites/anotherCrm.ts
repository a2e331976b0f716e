/** The page about another CRM, as it is written: Zendesk by n8n's node, and Attio by HTTP Request nodes. */
import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowJson } from '../../../sandbox/stack/n8n-api';
import { attio } from '../../support/crms/attio';
import { zendesk } from '../../support/crms/zendesk';
import { read } from '../../support/documents';
import { publishExample } from '../../support/running/publishedExample';
import { kindsOfCalls, twins } from '../../support/running/recordingRuns';
import { addStandIns, stack, useService } from '../harness';

const crms = { zendesk: zendesk(), attio: attio() };
addStandIns({ ...crms.zendesk.hosts, ...crms.attio.hosts });
useService();

/** The tables of the page: for each node, the action, and the fields with their values. */
const tables = read('docs/another-crm.md')
	.split('\n| Node |')
	.slice(1)
	.map((text) => {
		const rows = [...text.matchAll(/^\| ([A-Z][\w ]+) \| (.+?) \| (.+?) \|$/gm)];
		return new Map(rows.map(([, name = '', action = '', set = '']) => [name, { action, set }]));
	});
/** Where a parameter of Zendesk's node is, by its label on the page. */
const places: Record<string, string> = {
	...{ Name: 'name', 'User ID': 'id', Description: 'description' },
	...{ 'JSON Parameters': 'jsonParameters', 'Additional Fields': 'additionalFieldsJson' },
};

/** Reads a cell such as ``Name, + Phone: `…` ``. A field without a value has that of the first table. */
function parametersOf(name: string): INodeParameters {
	const fields = /(\+ )?([A-Z][\w ]*)(?:: (`[^`]*`|\w+))?(?=,|$)/g;
	const [above, own] = tables.map((table) => [...(table.get(name)?.set ?? '').matchAll(fields)]);
	const { action = '' } = tables[1]?.get(name) ?? {};
	const [operation = '', resource = ''] = action.toLowerCase().split(' a ');
	const collection = { search: 'filters', update: 'updateFields' }[operation] ?? 'additionalFields';
	const parameters: INodeParameters = { resource, operation };
	for (const [, plus, label = '', value] of own ?? []) {
		const text = value ?? above?.find(([, , same]) => same === label)?.[3] ?? '';
		const set = text === 'on' || `=${text.slice(1, -1)}`;
		if (plus) parameters[collection] = { [label.toLowerCase()]: set };
		else parameters[places[label] ?? label] = set;
	}
	return parameters;
}

function toZendesk(workflow: WorkflowJson): WorkflowJson {
	const nodes = workflow.nodes.map((node): INode => {
		if (!tables[1]?.has(node.name)) return node;
		const { id, name, position, onError } = node;
		const parameters = parametersOf(name);
		return {
			id,
			name,
			position,
			onError,
			parameters,
			type: 'n8n-nodes-base.zendesk',
			typeVersion: 1,
		};
	});
	return { ...workflow, nodes };
}

function toAttio({ nodes, connections, ...workflow }: WorkflowJson): WorkflowJson {
	const pasted = JSON.parse(read('docs/attio.json')) as WorkflowJson;
	const kept = nodes.filter(({ name }) => !pasted.nodes.some((node) => node.name === name));
	const people = { main: [[{ node: 'Match Customer', type: 'main' as const, index: 1 }]] };
	return {
		...workflow,
		nodes: [...kept, ...pasted.nodes],
		connections: { ...connections, ...pasted.connections, People: people },
	};
}

test.each([
	['Zendesk', crms.zendesk, toZendesk, 'zendeskApi', { subdomain: 'acme', email: 'a@b.c' }],
	['Attio', crms.attio, toAttio, 'httpBearerAuth', { token: 'of-the-test' }],
] as const)('each kind of call is recorded in %s', async (_name, crm, change, type, fields) => {
	const credentials = await stack.n8n.api.newCredentials(type, {
		apiToken: 'of-the-test',
		...fields,
	});
	const workflow = await publishExample({ name: 'call-to-hubspot', crm }, (workflow) => {
		const changed = change(workflow);
		for (const node of changed.nodes)
			if (/zendesk|httpRequest/.test(node.type)) node.credentials = credentials;
		return changed;
	});
	await crm.reset(twins);
	const look = async () => {
		const records = crm.records?.() ?? [];
		const calls = records.filter(({ person }) => person).length;
		return { people: Object.keys(await crm.people()).length, calls, tasks: records.length - calls };
	};
	for (const [kind, body, added] of kindsOfCalls) {
		const before = await look();
		expect([kind, await workflow.deliver(body)]).toEqual([kind, 'green']);
		const after = Object.entries(await look()).map(([what, count]) => [
			what,
			count - before[what as 'calls'],
		]);
		const none = { people: 0, calls: 0, tasks: 0 };
		expect([kind, Object.fromEntries(after)]).toEqual([kind, { ...none, ...added }]);
	}
	await workflow.unpublish();
});
