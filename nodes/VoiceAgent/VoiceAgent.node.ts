import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { getEventFields } from './editor/recentEvents';
import {
	actionProperties,
	connectors,
	sensitiveOutputFields,
	subtitle,
} from './operations/operations';
import { getEventTypes, searchApiKeys, searchWebhooks } from './operations/dynamicLists';
import { runOperation } from './operations/run';

/** The action node: the operations on API keys, calls and webhooks. */
export class VoiceAgent implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Agent',
		name: 'voiceAgent',
		icon: { light: 'file:voiceAgent.svg', dark: 'file:voiceAgent.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Match calls with CRM records, and manage the API keys and webhooks of a voice agent workspace',
		defaults: { name: 'Voice Agent' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Manages the API keys and webhooks of a voice agent workspace, and finds the CRM record of a caller. It makes no calls. For a CRM: connect the trigger both to a search of the CRM (by phone number or e-mail) and to input 0 (Calls) of Match Customer, and the search to its input 1 (Records), without a Merge node. Its outputs are 0 Found (update $json.record), 1 New (create a record), 2 Unclear ($json.candidates: let a person choose), 3 No Customer. Create a webhook here only for a receiver other than n8n. After Check, branch on ok and send summary. Get Deliveries with Only Failed gets the deliveries that did not arrive: map from deliveryDetails.',
		},
		...connectors,
		sensitiveOutputFields,
		credentials: [
			{ name: 'voiceAgentApi', required: true, displayOptions: { hide: { resource: ['call'] } } },
		],
		properties: actionProperties,
	};

	methods = {
		loadOptions: { getEventFields, getEventTypes },
		listSearch: { searchApiKeys, searchWebhooks },
	};

	async execute(this: IExecuteFunctions) {
		return await runOperation(this);
	}
}
