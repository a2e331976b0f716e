import type { FastifyInstance } from 'fastify';
import { ApiError } from './errors';

/**
 * Parses JSON bodies and refuses others with 415. Without a body, its type does not
 * matter, because HTTP clients send one by themselves.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
	const parse = app.getDefaultJsonParser('error', 'error');
	app.removeAllContentTypeParsers();
	app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, body, done) => {
		if (body === '') done(null);
		else if (/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
			void parse(request, body, done);
		} else done(new ApiError(415, 'The body must be JSON: Content-Type: application/json'));
	});
}
