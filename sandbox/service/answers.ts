import type { FastifyReply } from 'fastify';
import type { Dialect } from '../dialects';

/** The records that the API creates, by the name that an envelope may give them. */
export type RecordName = 'apiKey' | 'webhook';

/** @returns a record with its fields in the dialect's place */
export function shapedRecord(
	{ id, ...fields }: { id: string },
	kind: RecordName,
	dialect: Dialect,
): Record<string, unknown> {
	if (dialect.recordShape === 'flat') return { id, ...fields };
	return { id, kind, attributes: fields };
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
	const bodies = {
		bare: shaped,
		data: { data: shaped },
		resource: { [name]: shaped },
		split: { [name]: shapedRecord(record, name, dialect), ...once },
	};
	return reply
		.code(dialect.successCode === 'conventional' ? 201 : 200)
		.send(bodies[dialect.recordEnvelope]);
}

/** Answers that a deletion, revocation or test is done. */
export function sendDone(reply: FastifyReply, dialect: Dialect) {
	if (dialect.successCode === 'ok') return reply.send({ success: true });
	return reply.code(dialect.successCode === 'conventional' ? 204 : 202).send();
}

/** Answers with an error. */
export function sendError(reply: FastifyReply, status: number, message: string) {
	const error = { code: errorCodes[status] ?? 'internal_error', message };
	return reply.code(status).send({ error });
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
