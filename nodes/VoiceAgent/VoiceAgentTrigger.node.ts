import {
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { runPoll } from './poll/poll';
import { adopt, keep } from './webhook/adopt';
import { create } from './webhook/publish';
import { remove } from './webhook/remove';
import { getEventTypes } from './operations/dynamicLists';
import { returnItems } from './delivery/item';
import { receive } from './delivery/receive';
import { prepareTest } from './editor/hints';
import { getEventFields } from './editor/recentEvents';
import { getOutputs, outputs, pollProperties, webhookFields } from './trigger/description';
import { properties } from './trigger/properties';
import { readValidSettings } from './trigger/settings';
import { CREATED, isPasted, PASTED } from './trigger/webhookProperties';

/**
 * The trigger node: it has an endpoint at the service exactly while the workflow is published. Its poll
 * catches up on events that the endpoint missed. Without `polling` in the description, the editor shows a
 * webhook trigger.
 */
export class VoiceAgentTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Voice Agent Trigger',
		name: 'voiceAgentTrigger',
		icon: { light: 'file:voiceAgent.svg', dark: 'file:voiceAgent.dark.svg' },
		group: ['trigger'],
		// For version 1, n8n evaluates an expression for each delivery before it parses the body.
		version: 1.1,
		subtitle:
			'={{ ((events) => events.includes("*") ? "every event" : events.join(", "))([].concat($parameter["registration"] === "manual" ? $parameter["eventNames"] || "*" : $parameter["events"])) }}',
		description: 'Starts the workflow when a phone call ends, or on another event of a voice agent',
		defaults: { name: 'Voice Agent Trigger' },
		builderHint: {
			searchHint:
				'Starts a workflow when a phone call of a voice agent ends, or on another of its events: add no Webhook node. It creates its webhook itself when the workflow is published, if the service offers an API for it. For any other service, such as Retell AI, Vapi, ElevenLabs or Twilio, set registration to "manual", and ask the user to paste the production URL at the service. Map from callDetails (customer.phone, customer.firstName, customer.lastName, customer.email, startedAt, durationSeconds, outcome, summary, transcript, collected, title, text), which every item has; unknown values are null. For a table, set output to "row" and upsert by call_id. Branch on callDetails.person: only "found" has a customer to look up in a CRM.',
		},
		eventTriggerDescription:
			'Waiting for a test event. Nothing after 30 seconds? Check that this n8n has a public HTTPS address. With a pasted webhook, make a call, and check Event Names.',
		activationMessage: 'Every chosen event now starts your workflow.',
		triggerPanel: {
			header: 'Receive events from your voice agent',
			executionsHelp: {
				inactive:
					'<b>While building</b>, click "Execute step". The service sends a test event, so you need not make a phone call. With a pasted webhook, first copy its test URL to the service; then click, and make a call.<br><br><b>When you are done</b>, publish the workflow. From then on every chosen event starts it. Its executions show in the executions list, not here.',
				active:
					'<b>While building</b>, click "Execute step". The service sends a test event. With a pasted webhook, first copy its test URL to the service; then click, and make a call. The published workflow keeps running.<br><br><b>Your workflow is published</b>: every chosen event starts it. Its executions show in the executions list, not here.',
			},
			activationHint:
				'Once you have finished building, publish the workflow to run it on every chosen event.',
		},
		inputs: [],
		outputs,
		credentials: [
			{ name: 'voiceAgentApi', required: true, displayOptions: CREATED },
			{ name: 'voiceAgentWebhookApi', displayOptions: PASTED },
		],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				// A URL copied from the editor lacks the token that authenticates the deliveries of a created webhook.
				...webhookFields,
				// The service logs the answer, so it holds none of the workflow's data.
				responseData: 'noData',
			},
			// It answers 405, and n8n never stores it. n8n 2.41 takes a publish as done if it finds all webhooks stored,
			// and after a failed publish whose cleanup failed, too, it has stored the first one.
			{
				name: 'setup',
				httpMethod: 'GET',
				path: 'webhook',
				ndvHideUrl: true,
				responseMode: 'onReceived',
			},
		],
		properties: [...properties, ...pollProperties],
	};

	methods = {
		loadOptions: { getEventFields, getEventTypes },
		listSearch: { getOutputs },
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return (await keep(this)) || (await adopt(this, readValidSettings(this)));
			},
			async create(this: IHookFunctions): Promise<boolean> {
				if (!isPasted(this)) await create(this, readValidSettings(this));
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				if (!isPasted(this)) await remove(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions) {
		return await receive(this, prepareTest);
	}

	async poll(this: IPollFunctions) {
		return isPasted(this) ? null : await runPoll(this);
	}

	/** n8n asks a node that has it for its output, else a manual execution would poll. */
	execute(this: IExecuteFunctions) {
		return Promise.resolve(returnItems(this));
	}
}
