import type { Dialect } from '../../../sandbox/dialects';

/** A kind of service. The kinds differ in what a trigger can read of its endpoint. */
export interface ServiceKind {
	dialect: Partial<Dialect>;
	/** The delay after which the list shows a change (ms). */
	lagMs?: number;
	/** The maximum number of endpoints, foreign endpoints not counted. */
	limit?: number;
	/** The event types of the catalog, each of which is delivered after each step; by default a selected one is. */
	types?: string[];
	/** A sample may be delivered during the next step, so `real` is the default. */
	testEvent?: 'sample';
	/** Further fields of the credential. */
	credential?: object;
}

export const serviceKinds: ServiceKind[] = [
	{ dialect: {} },
	{ dialect: { listedUrl: 'masked' } },
	{ dialect: { listedUrl: 'normalised', listedEvents: 'catalog', paging: 'cursor' } },
	{ dialect: { recordEnvelope: 'resource' }, lagMs: 3_000 },
	{ dialect: { sameUrl: '409', listedUrl: 'dropped', challenge: 'post' } },
	{ dialect: { sameUrl: 'old record', recordEnvelope: 'data', listedEvents: 'star' } },
	{ dialect: { sameUrl: '409', recordShape: 'attributes', paging: 'last id' } },
	{ dialect: { signature: 'standard-webhooks', recordEnvelope: 'split' } },
	{ dialect: { paging: 'offset' }, limit: 2 },
];

/** Whether the list hides the tokens in URLs, so that it does not show which endpoint is the newest. */
export function hidesTokens({ dialect }: ServiceKind): boolean {
	return ['masked', 'dropped'].includes(dialect.listedUrl ?? '');
}

/** Whether deliveries are signed. */
export function isSigning({ dialect: { signature = 'none' } }: ServiceKind): boolean {
	return signature !== 'none';
}

/** Whether each endpoint has its own signing secret, which only the answer of its creation shows. */
export function hidesSecrets({ dialect }: ServiceKind): boolean {
	return dialect.signature === 'standard-webhooks';
}

/** Whether a URL has one endpoint at most, so that `create` has to remove the old endpoint first. */
export function requiresUniqueUrl({ dialect }: ServiceKind): boolean {
	return ['409', 'old record'].includes(dialect.sameUrl ?? '');
}

/** Whether the list shows that an endpoint is subscribed to all event types. */
export function showsAllEvents({ dialect }: ServiceKind): boolean {
	return ['empty', 'star', 'catalog'].includes(dialect.listedEvents ?? '');
}
