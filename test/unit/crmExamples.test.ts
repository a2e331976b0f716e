import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { filesEndingIn, read } from '../support/documents';

const NODES = ['Find customer', 'Create customer', 'Log call', 'Ask whose call'];

const examples = filesEndingIn('.json')
	.filter((file) => file.startsWith('examples/call-to-'))
	.map((file) => ({ file, ...(JSON.parse(read(file)) as WorkflowJson) }))
	.filter(({ nodes }) => nodes.some(({ name }) => name === 'Ask whose call'));

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
	expect(rows.map(([, name]) => name)).toEqual(NODES);
});
