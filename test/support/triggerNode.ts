import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

/** A node to save in a real n8n, with the given fields beside the usual ones or in their place. */
export function nodeOf(name: string, type: string, more: Partial<INode> = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...more };
}

/** A Voice Agent Trigger to save in a real n8n, with a URL of its own. */
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

/** Connections that lead from each node to the next. */
export function chain(...names: string[]): IConnections {
	const links = names.slice(1).map((node, index) => {
		return [names[index], { main: [[{ node, type: 'main' as const, index: 0 }]] }] as const;
	});
	return Object.fromEntries(links) as IConnections;
}
