import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/** The secret of a webhook that a person pastes at the service. */
export class VoiceAgentWebhookApi implements ICredentialType {
	name = 'voiceAgentWebhookApi';

	displayName = 'Voice Agent Webhook API';

	documentationUrl =
		'https://github.invalid/owner/n8n-nodes-voice-agent/blob/main/docs/services.md#the-secret';

	icon: Icon = {
		light: 'file:../nodes/VoiceAgent/voiceAgent.svg',
		dark: 'file:../nodes/VoiceAgent/voiceAgent.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Secret',
			name: 'secret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'The secret that the service sends in a header, or signs with. Deliveries without it are refused.',
		},
	];

	/** None: only a delivery shows whether the secret is the service's. */
	test = undefined;
}
