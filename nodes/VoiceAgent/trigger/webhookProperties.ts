import type { FunctionsBase, ICredentialsDisplayOptions, INodeProperties } from 'n8n-workflow';

/** Shown only if n8n creates the webhook, also of a stored node without this parameter. */
export const CREATED: ICredentialsDisplayOptions = { hide: { registration: ['manual'] } };
/** Shown only if a person pastes the webhook. */
export const PASTED: ICredentialsDisplayOptions = { show: { registration: ['manual'] } };
/** As {@link CREATED}, for an option. */
export const CREATED_OPTION: INodeProperties['displayOptions'] = {
	hide: { '/registration': ['manual'] },
};

/** How the service gets the webhook's URL, and which events start the workflow. */
export const webhookProperties: INodeProperties[] = [
	{
		displayName: 'Webhook',
		name: 'registration',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Created Automatically',
				value: 'automatic',
				description:
					'For a service with an API for webhooks, and an API key that starts with svc_live_',
			},
			{
				name: 'Pasted at the Service',
				value: 'manual',
				description: 'For any other service: copy the URL at the top into its dashboard',
			},
		],
		default: 'automatic',
		description: 'How the service gets the address to which it sends its events',
	},
	{
		displayName:
			'Copy the production URL, in "Webhook URLs" at the top, into the dashboard of your service, and publish. Without a credential the URL is the secret: show it to nobody.',
		name: 'pastedNotice',
		type: 'notice',
		default: '',
		displayOptions: PASTED,
	},
	{
		displayName:
			'Publish to start receiving events. n8n creates the webhook, and removes it when you unpublish.',
		name: 'lifecycleNotice',
		type: 'notice',
		default: '',
		displayOptions: CREATED,
	},
	{
		displayName: 'Event Names',
		name: 'eventNames',
		type: 'string',
		default: '',
		placeholder: 'e.g. call_analyzed',
		description:
			"The events that start the workflow, by the names that the service uses, separated by commas. Empty means every event. An event whose name can't be read starts the workflow.",
		displayOptions: PASTED,
	},
	{
		displayName: 'Event Names or IDs',
		name: 'events',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'getEventTypes' },
		default: ['call.completed'],
		displayOptions: CREATED,
		description:
			'The events that start the workflow; * means every event. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
];

/** Tests whether a person gives the trigger's URL to the service, so that n8n registers nothing there. */
export function isPasted(context: Pick<FunctionsBase, 'getNode'>): boolean {
	return context.getNode().parameters.registration === 'manual';
}
