import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { filesEndingIn, read } from '../support/documents';

const NODES = ['Find customer', 'Create customer', 'Add address', 'Log call', 'Ask whose call'];

const examples = filesEndingIn('.json')
	.filter((file) => file.startsWith('examples/call-to-'))
	.map((file) => ({ file, ...(JSON.parse(read(file)) as WorkflowJson) }))
	.filter(({ nodes }) => nodes.some(({ name }) => name === 'Add address'));

/** An example for a CRM, without what is the CRM's own. */
function skeletonOf({ nodes, connections }: WorkflowJson) {
	const shown = nodes.map(({ name, position, type, parameters }) =>
		NODES.includes(name) || type.endsWith('.stickyNote')
			? { name, position }
			: { name, position, type, parameters },
	);
	return { nodes: shown, connections };
}

test('the examples for CRMs differ in the nodes of the CRM only', () => {
	const [first, ...others] = examples.map((example) => skeletonOf(example));
	expect(others.length).toBeGreaterThan(2);
	for (const other of others) expect(other).toEqual(first);
});

test("the page about another CRM has a row for each of the CRM's nodes", () => {
	const rows = [...read('docs/another-crm.md').matchAll(/^\| (\w+ [\w ]+) \|/gm)];
	expect(rows.map(([, name]) => name)).toEqual([...NODES, ...NODES]);
});

test('past calls go through the nodes of the example for HubSpot, one by one', () => {
	const past = JSON.parse(read('examples/past-calls-to-hubspot.json')) as WorkflowJson;
	const hubspot = JSON.parse(read('examples/call-to-hubspot.json')) as WorkflowJson;
	const of = ({ nodes }: WorkflowJson) =>
		nodes
			.filter(({ name }) => [...NODES, 'Match Customer'].includes(name))
			.map((node) => ({ ...node, id: '' }));
	expect(of(past)).toEqual(of(hubspot));
});
