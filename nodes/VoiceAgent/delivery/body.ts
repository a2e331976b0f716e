import type { IWebhookFunctions } from 'n8n-workflow';

import { isNonEmpty, parseExactly } from '../text/json';
import type { Delivery } from './decide';
import type { Headers } from '../events/places';

/** The content type of forms. */
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

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
	const headers = context.getHeaderData() as Headers;
	try {
		// Of a form with files, which n8n parses, no raw body is left. `readRawBody` does nothing if n8n has read it.
		if (!isNonEmpty(parsed)) await request.readRawBody?.();
	} catch (error) {
		// n8n sets `httpStatusCode`; its body parser sets `status`.
		const { status = 503, httpStatusCode = status } = error as Record<string, number | undefined>;
		if (httpStatusCode < 500) return httpStatusCode;
		context.logger.error(`Voice Agent Trigger could not read a body: ${error}`);
		return 503;
	}
	const { rawBody = Buffer.alloc(0) } = request;
	return { headers, rawBody, body: readBody(rawBody, parsed, String(headers['content-type'])) };
}

/**
 * Reads a body. JSON is JSON in UTF-8 whatever its media type and charset are: n8n rounds long IDs, cuts JSON that is sent
 * as a form at `&` and `=`, and with another charset, signed bytes have other values. Bytes that are not UTF-8 are
 * `\ufffd`.
 *
 * @param given as n8n has parsed it; empty if it has not
 * @returns JSON, the fields of a form, or the text; undefined for an empty body
 */
function readBody(rawBody: Buffer, given: unknown, type: string): unknown {
	// The decoder removes a byte-order mark.
	const text = new TextDecoder().decode(rawBody);
	const json = parseExactly(text);
	if (!isNonEmpty(given)) return json === undefined ? text || undefined : json;
	if (isNonEmpty(json)) return json;
	return FORM_TYPE.test(type) ? readForm(given) : given;
}

/** Reads a form, which is the JSON of its field if it has only one: `payload={"type":"ping"}` → `{"type":"ping"}` */
function readForm(form: object): unknown {
	const [field, ...others] = Object.values(form) as unknown[];
	const isText = typeof field === 'string' && others.length === 0;
	const parsed = isText ? parseExactly(field) : undefined;
	return isNonEmpty(parsed) ? parsed : form;
}
