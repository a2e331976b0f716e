import type { INode, INodeParameters } from 'n8n-workflow';

/** A Voice Agent Trigger to save in a real n8n, with a URL of its own. */
export function triggerNode(credentialId: string, parameters: INodeParameters): INode {
	return {
		id: 'trigger',
		name: 'Trigger',
		type: 'n8n-nodes-voice-agent.voiceAgentTrigger',
		typeVersion: 1.1,
		position: [0, 0],
		webhookId: crypto.randomUUID(),
		parameters,
		credentials: { voiceAgentApi: { id: credentialId, name: 'Service' } },
	};
}
