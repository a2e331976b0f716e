/** The page about another CRM, as it is written: Attio by HTTP Request nodes. */
import type { WorkflowJson } from '../../../sandbox/stack/n8n-api';
import { attio } from '../../support/crms/attio';
import { read } from '../../support/documents';
import { publishExample } from '../../support/running/publishedExample';
import { kindsOfCalls, twins } from '../../support/running/recordingRuns';
import { addStandIns, stack, useService } from '../harness';

const crm = attio();
addStandIns(crm.hosts);
useService();

test('each kind of call is recorded in Attio', async () => {
	const credentials = await stack.n8n.api.newCredentials('httpBearerAuth', {
		token: 'of-the-test',
	});
	const workflow = await publishExample({ name: 'call-to-hubspot', crm }, (workflow) => {
		const changed = { ...workflow, ...(JSON.parse(read('docs/attio.json')) as WorkflowJson) };
		for (const node of changed.nodes)
			if (node.type.endsWith('.httpRequest')) node.credentials = credentials;
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
