import {
	fromFunction,
	webhookDescriptionFields,
	type INodeParameters,
	type IWebhookDescription,
	type WebhookResponseMode,
} from 'n8n-workflow';

/**
 * When n8n answers the service: at once, or with the workflow's end. Always something, since n8n
 * answers every delivery with 500 where this gives nothing.
 *
 * It stands alone, since n8n evaluates its text too: see {@link responseMode}.
 *
 * @param parameters as stored, with expressions unresolved where n8n calls it
 */
function getResponseMode({ options }: INodeParameters): WebhookResponseMode {
	const { acknowledge } = (options ?? {}) as { acknowledge?: unknown };
	return acknowledge === 'finished' ? 'lastNode' : 'onReceived';
}

/**
 * The response mode as n8n's webhook description has it. With the fields of n8n 2.41, n8n calls the
 * function itself, as long as no parameter of the node holds an expression or a resource locator;
 * else, as an older n8n always does, it evaluates the text, which takes longer than all else that is
 * ours in a delivery.
 */
export const responseMode: Pick<IWebhookDescription, 'responseMode'> =
	typeof webhookDescriptionFields === 'function' && typeof fromFunction === 'function'
		? webhookDescriptionFields({ responseMode: fromFunction(getResponseMode) })
		: { responseMode: `={{ (${getResponseMode})($parameter) }}` };
