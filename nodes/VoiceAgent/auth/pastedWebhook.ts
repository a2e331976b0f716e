import type { FunctionsBase } from 'n8n-workflow';

import type { Headers } from '../events/headers';
import { readText } from '../text/parameters';
import { isEqual } from './token';

const CREDENTIAL = 'voiceAgentWebhookApi';

/** Tests whether a person gives the trigger's URL to the service, so that n8n registers nothing there. */
export function isPasted(context: Pick<FunctionsBase, 'getNode'>): boolean {
	return context.getNode().parameters.registration === 'manual';
}

/**
 * Reads the secret that deliveries to a pasted webhook must carry.
 *
 * @returns undefined without a credential: then the URL is the secret
 * @throws NodeOperationError if the credential can't be read
 */
export async function readPastedSecret(context: FunctionsBase): Promise<string | undefined> {
	if (!context.getNode().credentials?.[CREDENTIAL]) return undefined;
	return readText((await context.getCredentials(CREDENTIAL)).secret);
}

/** Tests whether a header has a secret as its whole value: `x-api-key: s3cret`, `authorization: Bearer s3cret` */
export function isInHeader(secret: string, headers: Headers): boolean {
	const values = Object.values(headers).filter((value) => typeof value === 'string');
	const bare = values.map((value) => value.replace(/^Bearer\s+/i, ''));
	return secret !== '' && [...values, ...bare].some((value) => isEqual(value, secret));
}
