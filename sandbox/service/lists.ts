import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dialect } from '../dialects';
import type { EventType } from './events';
import { envelopeNoise } from './noise';
import { cutPage, idOf, type Page } from './paging';
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
	const ordered = dialect.listOrder === 'reversed' ? [...items].reverse() : items;
	const page = cutPage(request, reply, dialect, pageSize, ordered);
	if (items.length > 0) return reply.send(listBody(dialect, name, page));
	switch (dialect.emptyList) {
		case 'no content':
			return reply.code(204).send();
		case 'null body':
			return reply.send('null');
		case 'null':
			return reply.send(
				// Only a usual name marks a null as a list.
				/array|odd|edges|deep/.test(dialect.listEnvelope)
					? listBody(dialect, name, page)
					: enveloped(dialect, name, null, 0, page.fields),
			);
		case 'enveloped':
			return reply.send(listBody(dialect, name, page));
	}
}

/** Answers with the catalog of event types. */
export function sendCatalog(request: FastifyRequest, reply: FastifyReply, workspace: Workspace) {
	const { dialect, pageSize, catalog } = workspace;
	const types = catalog.map(({ type }) => type);
	const groups = [...new Set(types.map(groupOf))];
	const sendObject = (pairs: Array<[string, unknown]>) => {
		cutPage(request, reply, { ...dialect, paging: 'none' }, pageSize, []);
		const entries = Object.fromEntries(pairs);
		return reply.send(enveloped(dialect, 'eventTypes', entries, types.length, {}));
	};
	switch (dialect.catalogEntry) {
		case 'groups':
			return sendObject(
				groups.map((group) => [group, types.filter((type) => groupOf(type) === group)]),
			);
		case 'map':
			return sendObject(catalog.map(({ type, description }) => [type, description]));
		case 'wildcards': {
			const entries = [...types, ...groups.map((group) => `${group}.*`), '*'];
			return sendList(request, reply, workspace, 'eventTypes', entries);
		}
		default: {
			const entries = catalog.map((entry) => catalogEntry(entry, dialect.catalogEntry));
			return sendList(request, reply, workspace, 'eventTypes', entries);
		}
	}
}

const groupOf = (type: string) => type.split('.')[0] ?? '';

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
			return { [form]: type, description };
	}
}

function listBody(dialect: Dialect, name: ListName, { entries, fields }: Page): object {
	const isMap = dialect.listEnvelope === 'map' && entries.every(idOf);
	const list = isMap
		? (Object.fromEntries(entries.map((item) => [idOf(item), item])) as object)
		: dialect.listEnvelope === 'edges'
			? entries.map((item) => (typeof item === 'object' ? { node: item } : item))
			: entries;
	return enveloped(dialect, name, list, entries.length, fields);
}

/** Puts a list into its envelope, with paging fields and noise in their places. */
function enveloped(
	dialect: Dialect,
	name: ListName,
	list: unknown,
	count: number,
	fields: Record<string, unknown>,
): object {
	const path = pathOf(dialect.listEnvelope, name);
	const innermost = path.at(-1);
	if (innermost === undefined) return list as object;
	const isBeside = dialect.pagingPlace === 'beside the list';
	const inner = { ...besideList(dialect, count), ...(isBeside && fields), [innermost]: list };
	const body = path.slice(0, -1).reduceRight<object>((held, key) => ({ [key]: held }), inner);
	return {
		// Nothing distinguishes a list of other names or records from an empty list or a catalog.
		...envelopeNoise(dialect, count > 0 && /^(apiKeys|webhooks)$/.test(name)),
		...(dialect.listEnvelope === 'odd' && { took_ms: 3, quota: [997, 1000], notes: [] }),
		...body,
		...(!isBeside && Object.keys(fields).length > 0 && pagingAt(dialect.pagingPlace, fields)),
	};
}

function pathOf(envelope: Dialect['listEnvelope'], name: ListName): string[] {
	const paths: Partial<Record<typeof envelope, string[]>> = {
		array: [],
		resource: [name],
		nested: ['data', name],
		deep: ['response', 'payload', 'frobs'],
		odd: ['bundle', 'rows'],
		edges: ['viewer', 'edges'],
		// Entries without ids make no map.
		map: ['data'],
	};
	return paths[envelope] ?? [envelope];
}

function besideList({ listEnvelope }: Dialect, count: number): object {
	if (listEnvelope === 'odd') return { count };
	return listEnvelope === 'edges' ? { id: 'ws_1' } : {};
}

function pagingAt(place: Dialect['pagingPlace'], fields: object): object {
	if (place === 'meta') return { meta: fields };
	return place === 'meta.pagination' ? { meta: { pagination: fields } } : fields;
}
