import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { properties } from './resources/operations';
import { getEventTypes, searchApiKeys, searchWebhooks } from './resources/pickers';
import { runItems } from './resources/run';

/** The action node: every operation on API keys and webhooks. */
export class VoiceAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Agent',
		name: 'voiceAgent',
		icon: { light: 'file:voiceAgent.svg', dark: 'file:voiceAgent.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Manage the API keys and webhooks of a voice agent workspace',
		defaults: { name: 'Voice Agent' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'voiceAgentApi', required: true }],
		properties,
	};

	methods = {
		loadOptions: { getEventTypes },
		listSearch: { searchApiKeys, searchWebhooks },
	};

	async execute(this: IExecuteFunctions) {
		return [await runItems(this)];
	}
}
