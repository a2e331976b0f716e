import { basename } from 'node:path';
import type { INode } from 'n8n-workflow';

import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { filesEndingIn, read } from '../support/documents';

/** The most nodes of each example without its note, and the most words of the note. */
const BOUNDS: Record<string, { nodes: number; words: number }> = {
	'call-to-email': { nodes: 3, words: 40 },
	'calls-to-data-table-log': { nodes: 3, words: 40 },
	'calls-to-google-sheets-log': { nodes: 3, words: 40 },
	'call-to-data-table': { nodes: 9, words: 80 },
	'call-to-google-sheets': { nodes: 10, words: 80 },
	'call-to-hubspot': { nodes: 13, words: 80 },
	'call-to-pipedrive': { nodes: 12, words: 80 },
	'call-to-salesforce': { nodes: 12, words: 80 },
	'callback-requests': { nodes: 9, words: 80 },
	'alert-on-failing-deliveries': { nodes: 8, words: 80 },
	'rotate-api-key': { nodes: 8, words: 80 },
};
const isStarter = (name: string) => BOUNDS[name]?.nodes === 3;
/** The longest expression, in characters. */
const LONGEST_EXPRESSION = 150;

/** The allowed node types beside those of this package. */
const ALLOWED_TYPES = [
	...['dataTable', 'filter', 'scheduleTrigger', 'set', 'stickyNote', 'stopAndError', 'summarize'],
	...['switch', 'googleSheets', 'hubspot', 'pipedrive', 'salesforce', 'slack', 'todoist'],
	...['emailSend', 'httpRequest'],
];

const examples = filesEndingIn('.json')
	.filter((file) => file.startsWith('examples/'))
	.map((file) => ({ ...(JSON.parse(read(file)) as WorkflowJson), name: basename(file, '.json') }));

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');
const isType = (name: string) => (node: INode) => node.type === `n8n-nodes-base.${name}`;

/** All texts in a value, at any depth. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];
}

/** The area of a node on the canvas, with its name below it. */
function boxOf(node: INode) {
	const [x, y] = node.position;
	const { width = 100, height = 130 } = isNote(node) ? (node.parameters as never) : {};
	return { node, x, y, right: x + width, bottom: y + height };
}

test('each example has bounds', () => {
	expect(examples.map(({ name }) => name).sort()).toEqual(Object.keys(BOUNDS).sort());
});

describe.each(examples)('$name', ({ name, nodes, connections, settings }) => {
	const [note, ...others] = nodes.filter(isNote);
	const text = (note?.parameters.content ?? '') as string;
	const working = nodes.filter((node) => !isNote(node));
	const expressions = working
		.flatMap(({ parameters }) => textsIn(parameters))
		.filter((each) => each.startsWith('='));

	test('is small enough to be read on one screen', () => {
		expect(working.length).toBeLessThanOrEqual(BOUNDS[name]?.nodes ?? 0);
		expect(others).toEqual([]);
		expect(text.split(/\s+/).length).toBeLessThanOrEqual(BOUNDS[name]?.words ?? 0);
	});

	test('has short expressions without functions', () => {
		expect(expressions.filter((each) => each.length > LONGEST_EXPRESSION)).toEqual([]);
		expect(expressions.filter((each) => /=>|\bfunction\b/.test(each))).toEqual([]);
	});

	test('has only nodes that need no code', () => {
		const types = nodes.map(({ type }) => type).filter((type) => !/voice-?agent/i.test(type));
		const allowed = ALLOWED_TYPES.map((type) => `n8n-nodes-base.${type}`);
		expect(allowed).toEqual(expect.arrayContaining(types));
		const requests = nodes.filter(isType('httpRequest')).map(({ parameters }) => parameters);
		const hosts = requests.map(({ url }) => new URL((url as string).replace(/^=/, '')).host);
		expect(hosts.filter((host) => !/^(api\.hubapi|vault\.example)\.com$/.test(host))).toEqual([]);
		for (const { options } of requests) expect(options).toMatchObject({ timeout: 10_000 });
	});

	test('has nodes of different names and ids, connected to each other', () => {
		const names = nodes.map((node) => node.name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const ends = Object.entries(connections).flatMap(([from, { main = [] }]) => [
			from,
			...main.flatMap((output) => (output ?? []).map(({ node }) => node)),
		]);
		expect(names).toEqual(expect.arrayContaining(ends));
		expect(working.filter((node) => !ends.includes(node.name))).toEqual([]);
		expect(settings?.executionOrder).toBe('v1');
	});

	test('has no overlaps, and its connections lead to the right or down', () => {
		const boxes = nodes.map(boxOf);
		const overlaps = boxes.flatMap((one, index) =>
			boxes
				.slice(index + 1)
				.filter((two) => one.x < two.right && two.x < one.right)
				.filter((two) => one.y < two.bottom && two.y < one.bottom)
				.map((two) => [one.node.name, two.node.name]),
		);
		expect(overlaps).toEqual([]);
		const positionOf = (node: string) =>
			boxes.find((box) => box.node.name === node) ?? { x: 0, y: 0 };
		const back = Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main
				.flatMap((output) => output ?? [])
				.map(({ node }) => [positionOf(from), positionOf(node)] as const)
				.filter(([one, two]) => two.x <= one.x && two.y <= one.y),
		);
		expect(back).toEqual([]);
	});

	test('has a note about notifications of failures, and about the scopes of Slack', () => {
		if (!isStarter(name)) expect(text).toMatch(/Error [wW]orkflow/);
		const scopes = ['chat:write', 'channels:read', 'groups:read'];
		for (const scope of nodes.some(isType('slack')) ? scopes : []) {
			expect(text).toContain(`\`${scope}\``);
		}
	});
});

const ofCalls = examples.filter(({ name }) => /^call/.test(name));
test.each(ofCalls)('$name starts with completed calls', ({ name, nodes }) => {
	const trigger = nodes.find(({ type }) => type.endsWith('.voiceAgentTrigger'));
	expect(trigger?.parameters).toEqual({
		events: ['call.completed'],
		output: 'both',
		options: { acknowledge: 'finished' },
	});
	// A copy then gets a webhook URL of its own.
	expect(trigger?.webhookId).toBeUndefined();
	const stops = nodes
		.filter(isType('stopAndError'))
		.flatMap(({ parameters }) => textsIn(parameters));
	if (isStarter(name)) expect(stops).toEqual([]);
	else expect(stops.join('\n')).toMatch(/Call Details Mapping.* (customer\.phone or )?id/);
});

test('a starter has only dragged fields, and the key of a row', () => {
	const starters = examples.filter(({ name }) => isStarter(name));
	expect(starters).toHaveLength(3);
	const parts = starters
		.flatMap(({ nodes }) => nodes.filter((node) => !isNote(node)))
		.flatMap(({ parameters }) => textsIn(parameters))
		.flatMap((each) => [...each.matchAll(/\{\{ (.*?) \}\}/g)].map(([, part]) => part));
	const field =
		/^(\$json|\$\('Voice Agent Trigger'\)\.item\.json)\.callDetails\.([\w.]+|id \?\? \$execution\.id)$/;
	const table = /^\$\('[^']+'\)\.first\(\)\.json\.id$/;
	expect(parts.filter((part) => !field.test(part ?? '') && !table.test(part ?? ''))).toEqual([]);
});
