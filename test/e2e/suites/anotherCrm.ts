/** The page about another CRM, as it is written: Attio by HTTP Request nodes. */
import type { WorkflowJson } from '../../../sandbox/stack/n8n-api';
import { attio } from '../../support/crms/attio';
import { read } from '../../support/documents';
import { expectEachKind, publishExample } from '../../support/running/publishedExample';
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
	await expectEachKind(workflow, 'Attio');
	await workflow.unpublish();
});
