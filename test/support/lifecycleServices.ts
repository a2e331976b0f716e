import type { Dialect } from '../../sandbox/dialects';

/** A service for the lifecycle of a trigger: what differs in what a trigger can read of its endpoint. */
export interface ServiceKind {
	dialect: Partial<Dialect>;
	/** How far its list is behind (ms). */
	lagMs?: number;
	/** How many endpoints it allows beside those of others. */
	limit?: number;
}

export const serviceKinds: ServiceKind[] = [
	{ dialect: {} },
	{ dialect: { listedUrl: 'masked', listedEvents: 'hidden' } },
	{ dialect: { listedUrl: 'normalised', listedEvents: 'catalog', paging: 'cursor' } },
	{ dialect: { recordEnvelope: 'odd' }, lagMs: 3_000 },
	{ dialect: { sameUrl: '409', listedUrl: 'x-masked', challenge: 'post' } },
	{ dialect: { sameUrl: 'old record', recordEnvelope: 'request', listedEvents: 'upper' } },
	{ dialect: { sameUrl: '422', recordShape: 'attributes', paging: 'last id' } },
	{ dialect: { signature: 'standard-webhooks', recordEnvelope: 'split' } },
	{ dialect: { challenge: 'post', recordShape: 'related', paging: 'last' }, limit: 2 },
];

/** Whether the list hides the tokens in URLs, and with them which endpoint is the newest. */
export function hidesTokens({ dialect }: ServiceKind): boolean {
	return ['masked', 'x-masked', 'dropped'].includes(dialect.listedUrl ?? '');
}

/** Whether an address is taken only once, so that an old endpoint has to go before a new one comes. */
export function takesOnce({ dialect }: ServiceKind): boolean {
	return ['409', '422', 'old record'].includes(dialect.sameUrl ?? '');
}

/** Whether the list says of an endpoint for every event that it is one. */
export function listsAll({ dialect }: ServiceKind): boolean {
	return ['empty', 'star', 'catalog'].includes(dialect.listedEvents ?? '');
}
