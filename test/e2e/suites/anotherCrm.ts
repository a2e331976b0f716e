/** The page about another CRM, as it is written: Zendesk by n8n's node, and Attio by HTTP Request nodes. */
import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowJson } from '../../../sandbox/stack/n8n-api';
import { type NodeOfPage, nodesOfPage, parameterOf } from '../../support/crms/anotherCrm';
import { attio } from '../../support/crms/attio';
import { zendesk } from '../../support/crms/zendesk';
import { read } from '../../support/documents';
import { publishExample } from '../../support/running/publishedExample';
import { kindsOfCalls, twins } from '../../support/running/recordingRuns';
import { addStandIns, stack, useService } from '../harness';

const crms = { zendesk: zendesk(), attio: attio() };
addStandIns({ ...crms.zendesk.hosts, ...crms.attio.hosts });
useService();

/** The parameters that the page sets in a node of Zendesk. */
function parametersOf({ action, fields }: NodeOfPage): INodeParameters {
	const [operation = '', resource = ''] = action.toLowerCase().split(' a ');
	const collection = { search: 'filters', update: 'updateFields' }[operation] ?? 'additionalFields';
	const parameters: INodeParameters = { resource, operation };
	for (const { isAdded, label, value } of fields) {
		const set = { [parameterOf[label] ?? label]: value === 'on' || `=${value.slice(1, -1)}` };
		Object.assign(parameters, isAdded ? { [collection]: set } : set);
	}
	return parameters;
}

function toZendesk(workflow: WorkflowJson): WorkflowJson {
	const nodes = workflow.nodes.map((node): INode => {
		const { id, name, position, onError } = node;
		const ofPage = nodesOfPage.Zendesk.find((one) => one.name === name);
		if (!ofPage) return node;
		const parameters = parametersOf(ofPage);
		const zendesk = { type: 'n8n-nodes-base.zendesk', typeVersion: 1, parameters };
		return { id, name, position, onError, ...zendesk };
	});
	return { ...workflow, nodes };
}

const toAttio = (workflow: WorkflowJson) => ({
	...workflow,
	...(JSON.parse(read('docs/attio.json')) as WorkflowJson),
});

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
		const sums = Object.entries(before).map(([what, count]) => {
			return [what, count + ((added as Record<string, number>)[what] ?? 0)];
		});
		expect([kind, await look()]).toEqual([kind, Object.fromEntries(sums)]);
	}
	await workflow.unpublish();
});
