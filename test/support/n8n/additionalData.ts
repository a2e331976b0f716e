import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

/**
 * The data that n8n gives to each context of n8n-core: credentials and URLs.
 *
 * @param base n8n's address for webhooks
 * @param decrypt returns the fields of the credential
 */
export function additionalData(
	credentialType: ICredentialType,
	base: string,
	decrypt: () => object,
): IWorkflowExecuteAdditionalData {
	const credentialsHelper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: () => Promise.resolve(decrypt() as ICredentialDataDecryptedObject),
		preAuthentication: () => Promise.resolve(undefined),
		authenticate: async (data, _type, options) =>
			await (credentialType.authenticate as Extract<IAuthenticate, (...args: never[]) => unknown>)(
				data,
				options as IHttpRequestOptions,
			),
	};
	return {
		credentialsHelper,
		webhookBaseUrl: `${base}webhook`,
		webhookTestBaseUrl: `${base}webhook-test`,
		restApiUrl: `${base}rest`,
		instanceBaseUrl: base,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
