import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { authHeaders } from '../nodes/VoiceAgent/service/credential';
import { explainStatus } from '../nodes/VoiceAgent/service/errors';

/** The statuses that the credential's test explains. n8n explains the others. */
const EXPLAINED_STATUSES = [301, 302, 303, 307, 308, 401, 403, 404, 429];

/** A workspace API key. It also serves n8n's HTTP Request node, as a predefined credential type. */
export class VoiceAgentApi implements ICredentialType {
	name = 'voiceAgentApi';

	displayName = 'Voice Agent API';

	documentationUrl =
		'https://github.invalid/owner/n8n-nodes-voice-agent/blob/main/docs/voice-agent.md#credential';

	icon: Icon = {
		light: 'file:../nodes/VoiceAgent/voiceAgent.svg',
		dark: 'file:../nodes/VoiceAgent/voiceAgent.dark.svg',
	};

	httpRequestNode = {
		name: 'Voice Agent',
		docsUrl: this.documentationUrl,
		apiBaseUrlPlaceholder: 'https://api.example.com/v1/agents',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/v1',
			description: 'Address of the service, with the API version (/v1) at its end',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'e.g. svc_live_…',
			description:
				'A workspace API key with the scope workspace:admin. Publishable keys (pk_live_…) and access tokens are for browsers and do not work here.',
		},
		{
			displayName: 'Send Key In',
			name: 'authHeader',
			type: 'options',
			options: [
				{
					name: 'Authorization Header',
					value: 'authorization',
					description: 'As a bearer token: what most services and proxies expect',
				},
				{
					name: 'X-API-Key Header',
					value: 'x-api-key',
					description: 'For when a proxy on the way uses the Authorization header itself',
				},
			],
			default: 'authorization',
			description: 'The header that carries the key. The service accepts both.',
		},
		{
			displayName: 'Webhook Signing Secret',
			name: 'webhookSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. whsec_…',
			description:
				'Only needed when a trigger verifies signatures and the service shows its signing secret in a dashboard, rather than returning one for each webhook',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSSLIssues',
			type: 'boolean',
			default: false,
			description:
				'Whether to connect even if SSL certificate validation is not possible. Anyone on the way to the service can then read the API key.',
		},
	];

	authenticate: IAuthenticate = async (stored, requestOptions) => {
		// The HTTP Request node sets `uri` in place of `url`.
		const { url, uri, baseURL } = requestOptions as typeof requestOptions & { uri?: string };
		return {
			...requestOptions,
			headers: { ...requestOptions.headers, ...authHeaders(stored, url ?? uri ?? '', baseURL) },
			// n8n sends the API key to the target of a redirect too. The HTTP Request node reads
			// `maxRedirects`. For other nodes, n8n 1.123 and 2.0 read only `disableFollowRedirect`.
			maxRedirects: 0,
			disableFollowRedirect: true,
			// The first is for the nodes and the test of the credential, the second for the HTTP Request node.
			...(stored.ignoreSSLIssues === true && {
				skipSslCertificateValidation: true,
				rejectUnauthorized: false,
			}),
		};
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl.trim().replace(/[/?#]+$/, "") }}',
			url: '/webhooks/event-types',
			headers: { Accept: 'application/json' },
		},
		rules: [
			// The field 0 of a web page, which is a text, is its first character.
			{
				type: 'responseSuccessBody',
				properties: {
					key: '0',
					value: '<',
					message:
						'A web page came instead of data: the API is not at this address. Check the Base URL.',
				},
			},
			...EXPLAINED_STATUSES.map((value) => ({
				type: 'responseCode' as const,
				properties: { value, message: explainStatus(value) },
			})),
		] as ICredentialTestRequest['rules'],
	};
}
