import { basename } from 'node:path';
import type { INode } from 'n8n-workflow';

import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { filesEndingIn, read } from '../support/documents';

/** The examples of three nodes, for a first workflow. */
const STARTERS = ['call-to-email', 'calls-to-data-table-log', 'calls-to-google-sheets-log'];
const isStarter = (name: string) => STARTERS.includes(name);
/** The longest expression, in characters. */
const LONGEST_EXPRESSION = 150;

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

describe.each(examples)('$name', ({ name, nodes, connections, settings }) => {
	const [note, ...others] = nodes.filter(isNote);
	const text = (note?.parameters.content ?? '') as string;
	const working = nodes.filter((node) => !isNote(node));
	const expressions = working
		.flatMap(({ parameters }) => textsIn(parameters))
		.filter((each) => each.startsWith('='));

	test('is small enough to be read on one screen', () => {
		expect(working.length).toBeLessThanOrEqual(isStarter(name) ? 3 : 13);
		expect(others).toEqual([]);
		expect(text.split(/\s+/).length).toBeLessThanOrEqual(isStarter(name) ? 40 : 80);
	});

	test('has short expressions without functions', () => {
		expect(expressions.filter((each) => each.length > LONGEST_EXPRESSION)).toEqual([]);
		expect(expressions.filter((each) => /=>|\bfunction\b/.test(each))).toEqual([]);
	});

	test('has only nodes that need no code', () => {
		expect(nodes.filter(({ type }) => /\.(code|function|execute)/i.test(type))).toEqual([]);
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

	test('has no overlaps', () => {
		const boxes = nodes.map(boxOf);
		const overlaps = boxes.flatMap((one, index) =>
			boxes
				.slice(index + 1)
				.filter((two) => one.x < two.right && two.x < one.right)
				.filter((two) => one.y < two.bottom && two.y < one.bottom)
				.map((two) => [one.node.name, two.node.name]),
		);
		expect(overlaps).toEqual([]);
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
