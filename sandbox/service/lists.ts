import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../dialects';
import type { EventType } from './events';
import { cutPage } from './paging';
import type { Workspace } from './workspace';

/** The lists of the API, by the name that an envelope may give them. */
export type ListName = 'apiKeys' | 'webhooks' | 'deliveries' | 'eventTypes';

/** Answers with a list, or with the requested page of it. */
export function sendList(
	request: FastifyRequest,
	reply: FastifyReply,
	{ dialect, pageSize }: Workspace,
	name: ListName,
	items: unknown[],
) {
	const page = cutPage(request, reply, dialect, pageSize, items);
	if (items.length === 0 && dialect.successCode === 'accepted') return reply.code(204).send();
	return reply.send(enveloped(dialect, name, page.entries, page.fields));
}

/** Answers with the catalog of event types. */
export function sendCatalog(request: FastifyRequest, reply: FastifyReply, workspace: Workspace) {
	const { dialect, catalog } = workspace;
	if (dialect.catalogEntry === 'map') {
		const descriptions = catalog.map(({ type, description }) => [type, description]);
		const map = Object.fromEntries(descriptions) as object;
		return reply.send(enveloped(dialect, 'eventTypes', map, {}));
	}
	const entries = catalog.map((entry) => catalogEntry(entry, dialect.catalogEntry));
	return sendList(request, reply, workspace, 'eventTypes', entries);
}

function catalogEntry({ type, description }: EventType, form: Dialect['catalogEntry']) {
	switch (form) {
		case 'string':
			return type;
		case 'slug':
			return {
				id: createHash('sha256').update(type).digest('hex').slice(0, 12),
				name: type.replace('.', ' '),
				slug: type,
				description,
			};
		default:
			return { name: type, description };
	}
}

/** Puts a list into its envelope, with the paging fields at the top. */
function enveloped(
	{ listEnvelope }: Dialect,
	name: ListName,
	list: unknown,
	fields: Record<string, unknown>,
) {
	if (listEnvelope === 'array') return list;
	if (listEnvelope === 'nested') return { data: { [name]: list }, ...fields };
	return { [listEnvelope === 'resource' ? name : 'data']: list, ...fields };
}
