import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { poll } from './missedEvents/poll';
import { pollProperties } from './missedEvents/properties';
import { getWebhooks } from './missedEvents/webhooks';
import { getEventTypes } from './operations/dynamicLists';

/** The polling trigger for events that the service could not deliver. */
export class VoiceAgentMissedEventsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Agent Missed Events Trigger',
		name: 'voiceAgentMissedEventsTrigger',
		icon: { light: 'file:voiceAgent.svg', dark: 'file:voiceAgent.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ [].concat($parameter["events"]).join(", ") || "every event" }}',
		description: 'Starts the workflow for each event that the service could not deliver',
		defaults: { name: 'Voice Agent Missed Events Trigger' },
		builderHint: {
			searchHint:
				'Starts a workflow for each event that a Voice Agent Trigger missed, such as while n8n was down. Connect both triggers to the same next node, with the same events and options: their items have the same shape.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-voice-agent.voiceAgentTrigger',
					relationHint: 'Receives the events. Add it to the same workflow',
				},
			],
		},
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Missed Event', 'Without Event'],
		credentials: [{ name: 'voiceAgentApi', required: true }],
		properties: pollProperties,
	};

	methods = { loadOptions: { getEventTypes, getWebhooks } };

	async poll(this: IPollFunctions) {
		return await poll(this);
	}
}
