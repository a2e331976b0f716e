import { basename } from 'node:path';
import type { INode } from 'n8n-workflow';

import { readCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { toRow } from '../../nodes/VoiceAgent/callDetails/writing';
import { createEvent } from '../../sandbox/service/events';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { filesEndingIn, read } from '../support/documents';

/** The most nodes of an example without its note, the most expressions, and the most words of the note. */
const MOST = { nodes: 8, expressions: 14, words: 100 };
const MOST_OF_CRM = { nodes: 7, expressions: 12 };
/** The example with the nodes of a CRM in a loop. */
const MOST_OF_LOOP = { nodes: 10, expressions: 13 };
/** The longest line of an expression, in characters. */
const LONGEST_LINE = 150;

/** Nodes of n8n itself, which need no credential. All others are of apps. */
const OWN_TYPES = [
	...['dataTable', 'errorTrigger', 'filter', 'if', 'manualTrigger', 'merge', 'scheduleTrigger'],
	...['set', 'splitInBatches', 'splitOut', 'stickyNote', 'stopAndError', 'switch', 'wait'],
];
const CREDENTIAL_PAGE = 'https://docs.n8n.io/integrations/builtin/credentials/';

const examples = filesEndingIn('.json')
	.filter((file) => file.startsWith('examples/'))
	.map((file) => ({ ...(JSON.parse(read(file)) as WorkflowJson), name: basename(file, '.json') }));

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');
const isTrigger = ({ type }: INode) => type.endsWith('.voiceAgentTrigger');
const isNamed = (name: string) => (node: INode) => node.name === name;
const isType = (name: string) => (node: INode) => node.type === `n8n-nodes-base.${name}`;

/** All texts in a value, at any depth. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [];
}

/** The expressions of nodes: `=Call: {{ $json.name }} {{ $json.phone }}` has two. */
function expressionsIn(nodes: INode[]): string[] {
	return nodes
		.flatMap(({ parameters }) => textsIn(parameters))
		.filter((text) => text.startsWith('='))
		.flatMap((text) => text.match(/\{\{.*?\}\}/gs) ?? [text]);
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
	const expressions = expressionsIn(working);

	test('is small enough to be read on one screen', () => {
		const ofCrm = nodes.some(isNamed('Ask whose call')) ? MOST_OF_CRM : MOST;
		const most = nodes.some(isNamed('Loop Over Items')) ? MOST_OF_LOOP : ofCrm;
		expect([name, working.length <= most.nodes]).toEqual([name, true]);
		expect(expressions.length).toBeLessThanOrEqual(most.expressions);
		expect(others).toEqual([]);
		expect(text.split(/\s+/).length).toBeLessThanOrEqual(MOST.words);
	});

	test('has short expressions without functions', () => {
		const lines = expressions.flatMap((each) => each.split('\n'));
		expect(lines.filter((line) => line.length > LONGEST_LINE)).toEqual([]);
		expect(expressions.filter((each) => /=>|\bfunction\b/.test(each))).toEqual([]);
	});

	test('has only nodes that need no code', () => {
		const types = nodes.map(({ type }) => type);
		expect(types.filter((type) => /code|function|command|ssh$/i.test(type))).toEqual([]);
		for (const { parameters } of nodes.filter(isType('httpRequest'))) {
			expect(parameters.url).toMatch(/^=?https:/);
			expect(parameters.options).toMatchObject({ timeout: 10_000 });
		}
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

	test("has a note that links n8n's page of each credential, and says what Slack needs", () => {
		const isOfApp = ({ type }: INode) =>
			!type.startsWith('n8n-nodes-voice-agent.') && !OWN_TYPES.includes(type.split('.')[1] ?? '');
		if (working.some(isOfApp)) expect(text).toContain(CREDENTIAL_PAGE);
		const needed = ['`chat:write`', '`channels:read`', '`groups:read`', 'signing secret'];
		for (const words of nodes.some(isType('slack')) ? needed : []) expect(text).toContain(words);
	});
});

const ofCalls = examples.filter(({ nodes }) => nodes.some(isTrigger));
describe.each(ofCalls)('$name', ({ nodes }) => {
	const { parameters, webhookId } = nodes.find(isTrigger) ?? {};
	const isRow = parameters?.output === 'row';

	test('starts with completed calls, and says what a test leaves', () => {
		expect(parameters).toMatchObject({
			events: ['call.completed'],
			output: isRow ? 'row' : 'both',
			options: { acknowledge: 'finished' },
		});
		// A copy then gets a webhook URL of its own.
		expect(webhookId).toBeUndefined();
		expect(nodes.find(isNote)?.parameters.content).toMatch(/(?=.*\btest).*\bdelete/is);
	});

	test('names only fields that the item has', () => {
		const texts = expressionsIn(nodes);
		const columns = isRow ? texts.flatMap((text) => namesAfter('\\$json', text)) : [];
		// Match Customer adds the record.
		const known = { ...row, record: {}, recordId: '', reason: '' };
		expect(columns.filter(([name = '']) => !(name in known))).toEqual([]);
		expect(texts.flatMap(unknownDetails)).toEqual([]);
	});
});

const details = readCallDetails(createEvent('call.transcribed').data as never);
const row = toRow(details, 'c1');

/** The names of a path, without what may be a method: `$json.a.b?.c` after `$json` → `a`, `b`, `c` */
function namesAfter(start: string, text: string): string[][] {
	const paths = [...text.matchAll(new RegExp(`${start}\\.([\\w.?]+)`, 'g'))];
	return paths.map(([, path = '']) => path.split(/\??\./));
}

/** The paths in a text that lead to no field of `callDetails`. The names of collected data are free. */
function unknownDetails(text: string): string[] {
	return namesAfter('callDetails', text)
		.filter(([name = '', part = '']) => {
			const value = details[name];
			const isParty = name === 'customer' || name === 'agent';
			return !(name in details) || (isParty && !(part in (value as object)));
		})
		.map((names) => names.join('.'));
}

test('the gallery shows each example with its picture', () => {
	const gallery = read('examples/README.md');
	const links = examples.flatMap(({ name }) => [`](${name}.json)`, `/example-${name}.png)`]);
	expect(links.filter((link) => !gallery.includes(link))).toEqual([]);
});

test('examples of the trigger and one other node have only fields to drag', () => {
	const parts = ofCalls
		.filter(({ nodes }) => nodes.filter((node) => !isNote(node)).length === 2)
		.flatMap(({ nodes }) => expressionsIn(nodes));
	expect(parts.length).toBeGreaterThan(5);
	const escaped = String.raw`(\.slice\(0, 3000\))?\.replaceAll\('&', '&amp;'\)\.replaceAll\('<', '&lt;'\)`;
	const field = new RegExp(
		String.raw`^\{\{ \$json\.(call_id|callDetails\.(title|text)(${escaped})?) \}\}$`,
	);
	expect(parts.filter((part) => !field.test(part))).toEqual([]);
});
