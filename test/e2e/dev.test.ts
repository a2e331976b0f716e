/** `npm run dev`: a running n8n reloads saved files. */
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { copyConnector } from '../../sandbox/stack/connector';
import { importMainExample } from '../../sandbox/stack/example';
import { outputOf } from '../../sandbox/stack/n8n-api';
import { until } from '../../sandbox/stack/until';
import { hotReload, watchConnector } from '../../sandbox/stack/watch';
import { nodeTypes, service, shareN8n, stack, useService } from './harness';

let folder: string;
const printed: string[] = [];
const ending = new AbortController();
const { signal } = ending;
// Before n8n ends, which removes the watched log.
afterAll(async () => {
	ending.abort();
	await rm(folder, { recursive: true, force: true });
});
shareN8n(hotReload);
useService();
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'voice-agent-dev-'));
	const source = await copyConnector(join(folder, 'source'));
	watchConnector({ ...stack, source, print: (text) => printed.push(text), signal });
});

/** Saves a file as many editors do, by replacing it. @returns the printed text about the file */
async function save(file: string, change: (text: string) => string): Promise<string | undefined> {
	const path = join(folder, 'source', file);
	const before = printed.length;
	await writeFile(`${path}~`, change(await readFile(path, 'utf8')));
	await rename(`${path}~`, path);
	return await until(`a text about ${file}`, 90, () => printed[before]);
}

/** Code that makes the trigger mark its items. */
const mark = `
const { webhook } = VoiceAgentTrigger.prototype;
VoiceAgentTrigger.prototype.webhook = async function () {
	const response = await webhook.call(this);
	for (const { json } of response.workflowData?.flat() ?? []) json.marked = true;
	return response;
};
`;

test('a published trigger runs the saved code, and keeps running after a compile error', async () => {
	const { api } = stack.n8n;
	const { sandbox, credentials } = service;
	const file = 'nodes/VoiceAgent/VoiceAgentTrigger.node.ts';
	const codex = 'nodes/VoiceAgent/VoiceAgentTrigger.node.json';
	/** n8n rewrites the file of node types at a reload, and serves an empty file until then. */
	const described = async () => {
		const types: unknown = await api.nodeTypes();
		const all = Array.isArray(types) ? (types as INodeTypeDescription[]) : [];
		return all.find(({ name }) => name === nodeTypes.trigger);
	};
	const { workflowId } = await importMainExample(api, credentials.voiceAgentApi.id, 'Customers');
	await api.publish(workflowId);
	const deliver = async () => {
		const { length } = await api.executions(workflowId);
		sandbox.emit('call.completed');
		const { id } = await until('an execution', 60, async () => {
			const executions = await api.executions(workflowId);
			return executions.length > length && executions[0];
		});
		return outputOf(await api.finishedExecution(id), 'Voice Agent Trigger');
	};
	expect(await deliver()).not.toEqual([expect.objectContaining({ marked: true })]);

	const description = (await described())?.description ?? '';
	const shown = await save(file, (text) => text.replace(description, 'A new text') + mark);
	expect(shown).toMatch(`✔ ${file}: n8n reloads the nodes`);
	await until('the new text', 60, async () => (await described())?.description === 'A new text');
	expect(await deliver()).toEqual([expect.objectContaining({ marked: true })]);

	const error = await save(file, (text) => `${text}const wrong: number = '';\n`);
	expect(error).toContain(`n8n keeps the last build without an error:\n${file}(`);
	expect(await save(codex, (text) => text.replace('"phone"', '"new alias"'))).toMatch(/^✔/);
	await until('the new alias', 60, async () =>
		(await described())?.codex?.alias?.includes('new alias'),
	);
	expect(await deliver()).toEqual([expect.objectContaining({ marked: true })]);

	await save(file, (text) =>
		text.replace("const wrong: number = '';", "throw new Error('wrong');"),
	);
	await until('the error', 60, () => printed.at(-1)?.startsWith('✖ n8n has no node'));
});
