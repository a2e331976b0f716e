import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { read } from '../support/documents';

const NODES = ['Find customer', 'Create customer', 'Log call', 'Ask whose call'];

/** An example for a CRM, without what is the CRM's own. */
function skeletonOf(crm: string) {
	const { nodes, connections } = JSON.parse(read(`examples/call-to-${crm}.json`)) as WorkflowJson;
	const shown = nodes.map(({ name, position, type, parameters }) =>
		NODES.includes(name) || type.endsWith('.stickyNote')
			? { name, position }
			: { name, position, type, parameters },
	);
	return { nodes: shown, connections };
}

test.each(['pipedrive', 'salesforce', 'zoho'])(
	'the example for %s differs from the one for HubSpot in the nodes of the CRM only',
	(crm) => {
		expect(skeletonOf(crm)).toEqual(skeletonOf('hubspot'));
	},
);

test("the page about another CRM has a row for each of the CRM's nodes", () => {
	const rows = [...read('docs/another-crm.md').matchAll(/^\| (\w+ [\w ]+) \|/gm)];
	expect(rows.map(([, name]) => name)).toEqual(NODES);
});
