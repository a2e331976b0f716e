import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isNonEmpty, parseJson } from '../matcher/json';
import type { Delivery } from './judge';
import type { Headers } from './signatures';

/**
 * Reads a delivery, and its raw body if n8n has not: n8n leaves media types that it does not parse, such as
 * `application/cloudevents+json`, to the node.
 *
 * @returns a status for a body that can't be read: 4xx if the fault is the sender's, else 503
 */
export async function readDelivery(context: IWebhookFunctions): Promise<Delivery | number> {
	// n8n's types promise `rawBody` and `readRawBody` for every request, but some requests lack them.
	const request = context.getRequestObject();
	const parsed: unknown = context.getBodyData();
	// Of a form with files, which n8n parses, no raw body is left.
	const isParsed = isNonEmpty(parsed);
	try {
		// `readRawBody` does nothing if n8n has read the body.
		if (!isParsed) await request.readRawBody?.();
	} catch (error) {
		// n8n sets `httpStatusCode`; its body parser sets `status`.
		const { status = 503, httpStatusCode = status } = error as Record<string, number | undefined>;
		if (httpStatusCode < 500) return httpStatusCode;
		context.logger.error(`Voice Agent Trigger could not read a body: ${error}`);
		return 503;
	}
	const { rawBody = Buffer.alloc(0) } = request;
	return {
		headers: context.getHeaderData() as Headers,
		query: context.getQueryData() as IDataObject,
		rawBody,
		body: isParsed ? parsed : readUnparsed(rawBody, parsed),
	};
}

/**
 * Reads a body that n8n left unparsed: JSON of any media type, else its text. Bytes that are not UTF-8 are
 * `\ufffd`.
 *
 * @param body the text as n8n decoded it, only of `text/plain`
 * @returns undefined for an empty body
 */
function readUnparsed(rawBody: Buffer, body: unknown): unknown {
	// The decoder removes a byte-order mark.
	const text = new TextDecoder().decode(rawBody);
	const parsed = parseJson(text);
	if (parsed !== undefined || text === '') return parsed;
	return typeof body === 'string' ? body : text;
}
