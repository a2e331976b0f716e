import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

/** @param more fields in addition to the defaults, or in their place */
export function nodeOf(name: string, type: string, more: Partial<INode> = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...more };
}

/** @returns a Voice Agent Trigger with a new webhook URL */
export function triggerNode(
	credentialId: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode {
	return nodeOf('Trigger', 'n8n-nodes-voice-agent.voiceAgentTrigger', {
		typeVersion: 1.1,
		webhookId: crypto.randomUUID(),
		parameters,
		credentials: { voiceAgentApi: { id: credentialId, name: 'Service' } },
		...more,
	});
}

/** @returns connections from each node to the next */
export function chain(...names: string[]): IConnections {
	const links = names.slice(1).map((node, index) => {
		return [names[index], { main: [[{ node, type: 'main' as const, index: 0 }]] }] as const;
	});
	return Object.fromEntries(links) as IConnections;
}
