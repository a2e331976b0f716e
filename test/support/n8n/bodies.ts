import { parse as parseForm } from 'node:querystring';

import express, { type Request, type Response } from 'express';

/** An Express request with n8n's fields. */
type WebhookRequest = Request & { rawBody?: Buffer; readRawBody?: () => Promise<void> };

const readBuffer = express.raw({ limit: '16mb', type: () => true });

/** Reads and decompresses a request's body once, as n8n's `readRawBody()` does. */
export async function readRawBody(request: WebhookRequest, response: Response): Promise<void> {
	if (request.rawBody) return;
	await new Promise<void>((resolve, reject) => {
		readBuffer(request, response, (error?: Error) => (error ? reject(error) : resolve()));
	});
	const body: unknown = request.body;
	request.rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
	request.body = undefined;
}

/**
 * Parses a body before the node's webhook method runs, as n8n does from type version 1.1 on: JSON,
 * plain text and forms. Bodies of other media types stay unread, also `application/cloudevents+json`.
 */
export async function parseBody(request: WebhookRequest): Promise<void> {
	const [type = '', charset] = (request.headers['content-type'] ?? '')
		.toLowerCase()
		.split(/; ?charset=/);
	const isText = type === 'text/plain';
	const isForm = type === 'application/x-www-form-urlencoded';
	if (!isText && !isForm && !type.startsWith('application/json')) return;
	await request.readRawBody?.();
	const text = request.rawBody?.toString(charset as BufferEncoding | undefined);
	if (!text) return;
	if (type === 'application/json') {
		request.body = JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
	}
	if (isText) request.body = text;
	if (isForm) request.body = { ...parseForm(text) };
}
