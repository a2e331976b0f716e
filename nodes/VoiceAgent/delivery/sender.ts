import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { asToken, TOKEN_PARAMETER } from '../auth/callbackUrl';
import { isPasted } from '../auth/pastedWebhook';
import { secretsFor } from '../service/credential';
import { judgeToken, type TokenVerdict } from './judgeToken';
import type { Delivery, Grounds } from './judge';

/** The sender of a request, as far as its URL says. */
export interface Sender {
	/** The callback token; a pasted webhook has none. */
	token?: string;
	tokenVerdict?: TokenVerdict;
}

/**
 * Judges a request by its URL. That of a pasted webhook is the secret, or its deliveries carry one.
 *
 * @returns a status for a request without a valid token
 */
export async function judgeSender(context: IWebhookFunctions): Promise<Sender | number> {
	if (isPasted(context)) return {};
	const token = asToken((context.getQueryData() as IDataObject)[TOKEN_PARAMETER]);
	if (token === undefined) return 401;
	const tokenVerdict = await judgeToken(context, token);
	if (tokenVerdict === 'invalid') return 401;
	return tokenVerdict === 'undecided' ? 503 : { token, tokenVerdict };
}

/** Lists what the events of a delivery may echo, and must not show. */
export async function listSecrets(
	context: IWebhookFunctions,
	{ token }: Sender,
	{ rawBody }: Delivery,
	{ signingSecrets, pastedSecret }: Grounds,
): Promise<string[]> {
	if (token === undefined) return pastedSecret ? [pastedSecret] : [];
	return [token, ...signingSecrets, ...(await secretsFor(context, rawBody))];
}
