import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors';
import type { Workspace } from './workspace';

/**
 * Lets a request pass that may administer the workspace: with a live key that has the scope
 * `workspace:admin`, in either header, or with a browser session's token (contract, sections 4, 5).
 *
 * @throws ApiError 401 or 403
 */
export function requireAdmin({ keys, sessions }: Workspace, { headers }: FastifyRequest): void {
	if (headers['x-service-public-key']) {
		throw new ApiError(403, 'Publishable keys are for chat widgets; use an API key');
	}
	const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
	const credential = headers['x-api-key'] ?? bearer;
	if (typeof credential !== 'string') throw new ApiError(401, 'No API key was sent');
	if (bearer && sessions.validUntil(bearer, headers['x-workspace-id'])) return;

	const scopes = keys.scopesOf(credential);
	if (!scopes) throw new ApiError(401, 'The API key is not valid');
	if (!scopes.includes('workspace:admin')) {
		throw new ApiError(403, 'The API key lacks the scope workspace:admin');
	}
}
