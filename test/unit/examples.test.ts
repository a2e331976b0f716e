import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';

const folder = join(__dirname, '..', '..', 'examples');
const examples = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map((file) => ({
		file,
		text: readFileSync(join(folder, file), 'utf8'),
		...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson),
	}));
/** Those that do something with calls, from the trigger on. */
const ofCalls = examples.filter(({ nodes }) =>
	nodes.some(({ type }) => type.endsWith('.voiceAgentTrigger')),
);

const isNote = ({ type }: INode) => type.endsWith('.stickyNote');
const isType = (name: string) => (node: INode) => node.type === `n8n-nodes-base.${name}`;

/** Where a node stands on the canvas, with its name below it. */
function boxOf(node: INode) {
	const [x, y] = node.position;
	if (isNote(node)) {
		const { width, height } = node.parameters as { width: number; height: number };
		return { node, x, y, right: x + width, bottom: y + height };
	}
	return { node, x, y, right: x + 100, bottom: y + 130 };
}

describe.each(examples)('$file', ({ nodes, connections, text, settings }) => {
	test('has nodes of different names and ids, connected to each other', () => {
		const names = nodes.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		const ends = Object.entries(connections).flatMap(([from, { main = [] }]) => [
			from,
			...main.flatMap((output) => (output ?? []).map(({ node }) => node)),
		]);
		expect(names).toEqual(expect.arrayContaining(ends));
		const lonely = nodes.filter((node) => !isNote(node) && !ends.includes(node.name));
		expect(lonely).toEqual([]);
		expect(settings?.executionOrder).toBe('v1');
	});

	test('shows nothing on top of anything', () => {
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

	test('goes from left to right, and back only to a loop', () => {
		const byName = new Map(nodes.map((node) => [node.name, node]));
		const back = Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main
				.flatMap((output) => output ?? [])
				.map(({ node }) => byName.get(node) as INode)
				.filter(({ position }) => position[0] <= (byName.get(from)?.position[0] ?? 0))
				.filter((node) => !isType('splitInBatches')(node)),
		);
		expect(back).toEqual([]);
	});

	test('waits ten seconds for an answer, and asks again only where that writes nothing twice', () => {
		const requests = nodes.filter(isType('httpRequest'));
		expect(requests.map(({ parameters }) => parameters.options)).toEqual(
			requests.map(() => expect.objectContaining({ timeout: 10_000 }) as object),
		);
		const retried = nodes.filter(({ retryOnFail }) => retryOnFail);
		const writes = retried.filter(({ type, parameters: { method, url, resource, operation } }) => {
			if (type.endsWith('.dataTable')) return false;
			if (method === 'POST') return !(url as string).endsWith('/search');
			return operation === 'create' || operation === 'append' || resource === 'message';
		});
		expect(writes).toEqual([]);
	});

	test('says what to fill in, and how to hear of failures', () => {
		const [note] = nodes;
		expect(note?.name).toBe('What to fill in');
		expect(note?.parameters.content).toMatch(/Error [wW]orkflow/);
		if (nodes.some(isType('slack'))) {
			for (const scope of ['chat:write', 'channels:read', 'groups:read']) {
				expect(note?.parameters.content).toContain(`\`${scope}\``);
			}
		}
	});

	test('reads no field that only some service has', () => {
		expect(text).not.toMatch(/\$json\.data\.(?!items|id\b)/);
	});
});

test('what the examples of calls have in common is the same in all', () => {
	const start = ['One call at a time', 'Logged before?', 'Ways to write the number'];
	const ends = ['Remember: no person', 'No person found'];
	for (const name of [...start, ...ends]) {
		const found = ofCalls.flatMap(({ nodes }) => nodes.filter((node) => node.name === name));
		const differing = new Set(found.map(({ parameters }) => JSON.stringify(parameters)));
		expect({ name, differing: differing.size }).toEqual({ name, differing: 1 });
	}
	for (const { nodes, connections } of ofCalls) {
		const trigger = nodes.find(({ type }) => type.endsWith('.voiceAgentTrigger'));
		expect(trigger?.parameters).toEqual({
			events: ['call.completed'],
			callDetails: true,
			options: { acknowledge: 'finished', deliveryDetails: true },
		});
		const outputs = connections['Whose call?']?.main ?? [];
		expect(outputs.map((output) => output?.length)).toEqual([1, 1, 1, 1, 1]);
	}
});
