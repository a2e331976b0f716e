import { type INodeParameters, type INodeType, Workflow } from 'n8n-workflow';

import { nodeOf } from './triggerNode';

/** A node of a type in n8n's `Workflow`, which adds default parameters and evaluates expressions. */
export function inWorkflow(type: INodeType, parameters: INodeParameters) {
	const { name, version } = type.description;
	const node = nodeOf('Node', name, { parameters, typeVersion: version as number });
	const nodeTypes = { getByNameAndVersion: () => type } as never;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return { node, workflow };
}
