import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { actionProperties, subtitle } from './operations/operations';
import { getEventTypes, searchApiKeys, searchWebhooks } from './operations/dynamicLists';
import { runItems } from './operations/run';

/** The action node: the operations on API keys and webhooks. */
export class VoiceAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Agent',
		name: 'voiceAgent',
		icon: { light: 'file:voiceAgent.svg', dark: 'file:voiceAgent.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Manage the API keys and webhooks of a voice agent workspace',
		defaults: { name: 'Voice Agent' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Manages the API keys and webhooks of a voice agent workspace. It neither makes nor reads calls. Create a webhook here only for a receiver other than n8n. After Check, branch on ok and send summary. Get Deliveries with Only Failed gets the deliveries that did not arrive: map from deliveryDetails.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-voice-agent.voiceAgentTrigger',
					relationHint: 'Starts a workflow on calls and other events, and creates its own webhook',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAgentApi', required: true }],
		properties: actionProperties,
	};

	methods = {
		loadOptions: { getEventTypes },
		listSearch: { searchApiKeys, searchWebhooks },
	};

	async execute(this: IExecuteFunctions) {
		return [await runItems(this)];
	}
}
