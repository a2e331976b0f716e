import { fc } from '../random';
import type { DrawnOf } from './production';

/** How the service answers beside lists and records: statuses, empty bodies, errors. */
export const answerAxes = {
	media: { json: {}, withCharset: {}, jsonApi: {}, pretty: {}, text: {} },
	createStatus: { created: {}, ok: {}, accepted: {} },
	deleteAnswer: {
		noContent: {},
		record: {},
		deleted: {},
		verdict: {},
		message: {},
		emptyOk: {},
		accepted: {},
		text: {},
		null: {},
	},
	testAnswer: { accepted: {}, noContent: {}, event: {}, report: {}, failedReport: {}, text: {} },
	/** What comes for the id of nothing. */
	unknownId: {
		status404: {},
		status410: {},
		status400: {},
		status422: {},
		okFalse: {},
		successFalse: {},
		errorWithin: {},
		/** As if it had just been removed: nobody could tell. */
		idempotent: {},
	},
	errorBody: {
		nested: {},
		message: {},
		text: {},
		detail: {},
		problem: {},
		errors: {},
		texts: {},
		html: {},
		empty: {},
		plain: {},
	},
	/** Every how-many-th request is one too many. */
	rateLimit: {
		none: {},
		seconds: { every: fc.integer({ min: 4, max: 7 }) },
		date: { every: fc.integer({ min: 4, max: 7 }) },
		untold: { every: fc.integer({ min: 4, max: 7 }) },
		atOnce: { every: fc.integer({ min: 4, max: 7 }) },
		busy: { every: fc.integer({ min: 4, max: 7 }) },
	},
} as const;

type Service = DrawnOf<typeof answerAxes>;

/** An answer, as it goes over the wire. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** An answer of JSON, in the service's way. */
export function json({ media }: Service, status: number, body: unknown): Answer {
	const type = {
		json: 'application/json',
		withCharset: 'application/json; charset=utf-8',
		jsonApi: 'application/vnd.api+json',
		pretty: 'application/json',
		text: 'text/plain',
	}[media.kind];
	return {
		status,
		headers: { 'content-type': type },
		text: JSON.stringify(body, null, media.kind === 'pretty' ? 2 : undefined),
	};
}

/** The answer to a creation. */
export function created(service: Service, enveloped: unknown): Answer {
	const status = { created: 201, ok: 200, accepted: 202 }[service.createStatus.kind];
	return json(service, status, enveloped);
}

/** An answer without a body. */
export const empty = (status: number): Answer => ({ status, headers: {}, text: '' });

/** An answer of plain text. */
export const text = (status: number, words: string): Answer => ({
	status,
	headers: { 'content-type': 'text/plain' },
	text: words,
});

/** An answer that says what is wrong. */
export function failure(service: Service, status: number, message: string): Answer {
	const code = `error_${status}`;
	switch (service.errorBody.kind) {
		case 'nested':
			return json(service, status, { error: { code, message } });
		case 'message':
			return json(service, status, { message, statusCode: status });
		case 'text':
			return json(service, status, { error: message });
		case 'detail':
			return json(service, status, { detail: message });
		case 'problem':
			return json(service, status, { type: 'about:blank', title: message, status });
		case 'errors':
			return json(service, status, { errors: [{ code, message, field: null }] });
		case 'texts':
			return json(service, status, { errors: [message] });
		case 'html':
			return {
				status,
				headers: { 'content-type': 'text/html' },
				text: `<!doctype html><html><head><title>${message}</title></head><body></body></html>`,
			};
		case 'empty':
			return empty(status);
		case 'plain':
			return text(status, message);
	}
}

/** The answer for the id of nothing; undefined where the service makes no difference. */
export function unknown(service: Service, id: string): Answer | undefined {
	const { kind } = service.unknownId;
	const message = 'No such resource';
	switch (kind) {
		case 'okFalse':
			return json(service, 200, { ok: false, error: 'not_found' });
		case 'successFalse':
			return json(service, 200, { success: false, message, id });
		case 'errorWithin':
			return json(service, 200, { error: { code: 'not_found', message } });
		case 'idempotent':
			return undefined;
		default:
			return failure(service, Number(kind.replace('status', '')), message);
	}
}

/** The answer to a removal that was carried out. */
export function removed(service: Service, id: unknown, enveloped: unknown): Answer {
	switch (service.deleteAnswer.kind) {
		case 'noContent':
			return empty(204);
		case 'record':
			return json(service, 200, enveloped);
		case 'deleted':
			return json(service, 200, { id, deleted: true, object: 'resource' });
		case 'verdict':
			return json(service, 200, { success: true, error: null, errors: [], data: null });
		case 'message':
			return json(service, 200, { message: 'Removed', status: 'success', error: '' });
		case 'emptyOk':
			return empty(200);
		case 'accepted':
			return empty(202);
		case 'text':
			return text(200, 'OK');
		case 'null':
			return json(service, 200, null);
	}
}

/** The answer to a sample that was asked for. */
export function sampled(service: Service, event: unknown, deliveryStatus: number): Answer {
	switch (service.testAnswer.kind) {
		case 'accepted':
			return json(service, 202, { status: 'queued' });
		case 'noContent':
			return empty(204);
		case 'event':
			return json(service, 200, { data: { event } });
		case 'report':
			return json(service, 200, { id: 'del_test', response: { status: deliveryStatus } });
		case 'failedReport':
			// What the receiver answered is no failure of the request.
			return json(service, 200, {
				success: false,
				error: 'The endpoint answered too late',
				response: { status: deliveryStatus },
			});
		case 'text':
			return text(200, 'Sample sent');
	}
}
