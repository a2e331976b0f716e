/** What n8n's AI builder and MCP server show a model of the nodes, made by n8n's own code. */
import { join } from 'node:path';
import type { IConnections, INode, INodeTypeDescription } from 'n8n-workflow';

import { withCallDetails } from '../../nodes/VoiceAgent/callDetails/callDetails';
import { builderPatterns } from '../../nodes/VoiceAgent/trigger/builderPatterns';
import { VoiceAgent } from '../../nodes/VoiceAgent/VoiceAgent.node';
import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { chosenLine, installN8n, lines } from '../../sandbox/stack/install-n8n';
import type { WorkflowJson } from '../../sandbox/stack/n8n-api';
import { read } from '../support/documents';

type MakeType = (description: INodeTypeDescription) => string;
interface Sdk {
	parseWorkflowCode: (code: string) => { nodes: INode[]; connections: IConnections };
}

/** @returns a module of the newest n8n */
async function moduleOf<Module>(path: string): Promise<Module> {
	return jest.requireActual<Module & object>(
		join(await installN8n(lines[0]), 'node_modules', path),
	);
}

// Older lines of n8n have no such builder.
(chosenLine() === lines[0] ? describe : describe.skip)('the builder', () => {
	test.each([new VoiceAgentTrigger(), new VoiceAgent()])(
		'shows a type of the node $description.name',
		async ({ description }) => {
			const path = 'n8n/dist/modules/mcp-registry/synthesize-type-def.js';
			const { synthesizeNodeTypeDef } = await moduleOf<{ synthesizeNodeTypeDef: MakeType }>(path);
			const name = `n8n-nodes-voice-agent.${description.name}`;
			expect(synthesizeNodeTypeDef({ ...description, name })).toMatchSnapshot();
		},
	);

	test('shows wirings that it can read, and every field of the item', async () => {
		const { parseWorkflowCode } = await moduleOf<Sdk>('@n8n/workflow-sdk');
		const [item = '', crm = ''] = [
			...builderPatterns.matchAll(/<pattern [^\n]+\n([^]+?)<\/pattern>/g),
		].map(([, code]) => code);
		const inCrm = parseWorkflowCode(item + crm).connections;
		const { connections } = JSON.parse(read('examples/call-to-pipedrive.json')) as WorkflowJson;
		const { 'Voice Agent Trigger': ofTrigger, ...others } = connections;
		// The address of a new customer is left out.
		const create = { main: [others['Create customer']?.main?.[0]?.slice(-1)] };
		const expected = { 'A call has ended': ofTrigger, ...others, 'Create customer': create };
		expect(inCrm).toEqual(expected);
		const [, fields = ''] = /callDetails: (\{[^]+\}) \}\]/.exec(item) ?? [];
		const namesIn = (text: string, name: RegExp) => [...text.matchAll(name)].map(([, key]) => key);
		const { callDetails } = withCallDetails({});
		expect(namesIn(fields, /(\w+): (?=['{\d]|false)/g)).toEqual(
			namesIn(JSON.stringify(callDetails), /"(\w+)":/g),
		);
	});
});
