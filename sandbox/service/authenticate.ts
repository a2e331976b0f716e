import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors';
import type { Workspace } from './workspace';

/**
 * Accepts a request that may administer the workspace: with a live key that has the scope
 * `workspace:admin`, in either header, or with a browser session's token.
 *
 * @throws ApiError 401 or 403
 */
export function requireAdmin(workspace: Workspace, request: FastifyRequest): void {
	const { headers } = request;
	const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
	const isOfWorkspace = headers['x-workspace-id'] === workspace.id;
	if (bearer && isOfWorkspace && workspace.sessions.isValid(bearer)) return;
	if (headers['x-service-public-key']) {
		throw new ApiError(403, 'Publishable keys are for chat widgets; use an API key');
	}
	const key = headers['x-api-key'] ?? bearer;
	if (typeof key !== 'string') throw new ApiError(401, 'No API key was sent');
	const scopes = workspace.keys.scopesOf(key);
	if (!scopes) throw new ApiError(401, 'The API key is not valid');
	if (!scopes.includes('workspace:admin')) {
		throw new ApiError(403, 'The API key lacks the scope workspace:admin');
	}
}
