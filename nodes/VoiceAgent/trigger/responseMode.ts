import {
	fromFunction,
	webhookDescriptionFields,
	type INodeParameters,
	type IWebhookDescription,
} from 'n8n-workflow';

/**
 * Decides when n8n answers the service: at once, or at the end of the workflow. It always returns a mode,
 * because n8n answers a delivery without a mode with 500.
 *
 * The function uses nothing outside of it, because n8n evaluates its text: see {@link webhookFields}. The text
 * that the build makes of it must not contain `}}`, which ends an expression.
 *
 * @param parameters the parameters, with unresolved expressions if n8n calls the function itself
 */
function getResponseMode({ options }: INodeParameters) {
	const { acknowledge } = (options ?? {}) as { acknowledge?: unknown };
	return acknowledge === 'finished' ? 'lastNode' : 'onReceived';
}

/** Hides the URL in the editor, unless a person pastes it at the service. As {@link getResponseMode}, a text. */
function hidesUrl({ registration }: INodeParameters) {
	return registration !== 'manual';
}

/**
 * The fields of n8n's webhook description that depend on parameters. n8n 2.41 calls the functions itself if no
 * parameter of the node holds an expression or a resource locator. Otherwise, and in older versions, n8n
 * evaluates the text, which takes longer than the trigger's whole part of a delivery.
 */
export const webhookFields: Pick<IWebhookDescription, 'responseMode' | 'ndvHideUrl'> =
	typeof webhookDescriptionFields === 'function'
		? webhookDescriptionFields({
				responseMode: fromFunction(getResponseMode),
				ndvHideUrl: fromFunction(hidesUrl),
			})
		: {
				responseMode: `={{ (${getResponseMode})($parameter) }}`,
				ndvHideUrl: `={{ (${hidesUrl})($parameter) }}`,
			};
