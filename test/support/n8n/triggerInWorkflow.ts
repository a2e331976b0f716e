import { type INodeParameters, type INodeTypes, Workflow } from 'n8n-workflow';
import { VoiceAgentTrigger } from '../../../nodes/VoiceAgent/VoiceAgentTrigger.node';
import { triggerNode } from './triggerNode';

/** A trigger in n8n's `Workflow`, which adds default parameters and evaluates expressions. */
export function triggerInWorkflow(parameters: INodeParameters) {
	const trigger = new VoiceAgentTrigger();
	const nodeTypes = { getByNameAndVersion: () => trigger } as unknown as INodeTypes;
	const nodes = [triggerNode('', parameters)];
	const workflow = new Workflow({ nodes, connections: {}, active: false, nodeTypes });
	return { trigger, workflow, node: workflow.getNode('Trigger')! };
}
