import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Dialect } from '../dialects';
import { envelopeNoise, recordNoise } from './noise';

/** The records that the API creates, by the name that an envelope may give them. */
export type RecordName = 'apiKey' | 'webhook';

/** @returns a record with its fields in the dialect's place */
export function shapedRecord(
	{ id, ...fields }: { id: string },
	kind: RecordName,
	dialect: Dialect,
): Record<string, unknown> {
	const noise = recordNoise(dialect);
	switch (dialect.recordShape) {
		case 'flat':
			return { id, ...noise, ...fields };
		case 'attributes':
			return { id, kind, attributes: { ...noise, ...fields } };
		case 'related':
			return { owner: { id: 'ws_1', name: 'Workspace' }, id, ...noise, ...fields };
	}
}

/**
 * Answers with a record that was just created.
 *
 * @param once fields that only this answer shows
 */
export function sendCreated(
	reply: FastifyReply,
	dialect: Dialect,
	name: RecordName,
	record: { id: string },
	once: object,
) {
	const shaped = shapedRecord({ ...record, ...once }, name, dialect);
	const noise = envelopeNoise(dialect, true);
	const bodies = {
		bare: shaped,
		data: { data: shaped },
		resource: { [name]: shaped },
		nested: { data: { [name]: shaped } },
		request: { id: `req_${randomUUID()}`, data: shaped },
		odd: { origin: { id: 'ws_1' }, notes: [], outcome: shaped },
		list: { results: [shaped] },
		split: { [name]: shapedRecord(record, name, dialect), ...once },
	};
	return reply
		.code(dialect.successCode === 'conventional' ? 201 : 200)
		.send({ ...noise, ...bodies[dialect.recordEnvelope] });
}

/** Answers that a deletion, revocation or test is done. */
export function sendDone(reply: FastifyReply, dialect: Dialect) {
	if (dialect.successCode === 'ok') return reply.send({ success: true });
	if (dialect.successCode === 'message') {
		return reply.send({ message: 'Done', status: 'success', error: '' });
	}
	return reply.code(dialect.successCode === 'conventional' ? 204 : 202).send();
}

/** Answers with an error in the dialect's form; its status is 200 for `unknownId=not ok`. */
export function sendError(reply: FastifyReply, dialect: Dialect, status: number, message: string) {
	void reply.code(status);
	if (status < 300) return reply.send({ ok: false, error: 'not_found' });
	switch (dialect.errorBody) {
		case 'error.message':
			return reply.send({ error: { code: errorCodes[status] ?? 'internal_error', message } });
		case 'title':
			return reply
				.type('application/problem+json')
				.send(JSON.stringify({ type: 'about:blank', title: message, status }));
		case 'errors':
			return reply.send({ errors: [{ message }] });
		case 'html':
			return sendHtml(reply, `${status}`, message);
		case 'empty':
			return reply.send();
		default:
			return reply.send({ [dialect.errorBody]: message });
	}
}

/** Answers with an HTML page, as gateways and wrong addresses do. */
export function sendHtml(reply: FastifyReply, heading: string, text: string) {
	const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
	return reply
		.type('text/html; charset=utf-8')
		.send(`<!doctype html><title>${heading}</title><h1>${heading}</h1><p>${escaped}</p>`);
}

const errorCodes: Record<number, string> = {
	400: 'invalid_request',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	409: 'conflict',
	415: 'unsupported_media_type',
	422: 'unprocessable',
};
