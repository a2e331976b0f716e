/** What n8n's AI builder and MCP server show a model of the nodes, made by n8n's own code. */
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';

import { VoiceAgent } from '../../nodes/VoiceAgent/VoiceAgent.node';
import { VoiceAgentTrigger } from '../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { chosenLine, installN8n, lines } from '../../sandbox/stack/install-n8n';

type MakeType = (description: INodeTypeDescription) => string;

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
});
