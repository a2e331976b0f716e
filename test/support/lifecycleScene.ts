import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { IDataObject } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';

import type { Sandbox } from '../../sandbox/service';
import type { Faults } from './lifecycleFaults';
import { hidesTokens, type ServiceKind } from './lifecycleServices';
import type { NodeInWorkflow } from './n8nCore';

/** An endpoint as it really is at the service. */
export type StoredEndpoint = ReturnType<Sandbox['endpoints']>[number];

/** What happened to all triggers, by name: a model in which something never happens proves nothing of it. */
export const happenings = {
	'two creates sent a POST each': 0,
	'a delivery while create ran': 0,
	'a delivery at a listener while create ran': 0,
	'a challenge while create ran': 0,
	'409 for the same address': 0,
	'422 for the same address': 0,
	'an old record for the same address': 0,
	'a limit of endpoints': 0,
	'an endpoint that a lagging list hid stayed': 0,
	'what a lagging list had hidden was removed': 0,
	'a record beside a foreign id': 0,
	'an endpoint was pointed elsewhere': 0,
	'the service disabled the endpoint': 0,
	'a disabled endpoint was registered anew': 0,
	"a killed listener's endpoint stayed": 0,
	"a killed listener's endpoint was removed after its time": 0,
	'an answer was lost while signatures are verified': 0,
	'an endpoint was adopted': 0,
	'a check after a confirmed delete': 0,
	'the endpoint outlived its API key': 0,
	'a copy began with the state of another': 0,
};

/** Counts that something happened. */
export function happened(what: keyof typeof happenings, times = 1): void {
	happenings[what] += times;
}

/** A trigger, its service, and what is really there. */
export class Scene {
	/** Endpoints of others. */
	readonly foreign: StoredEndpoint[] = [];

	/** The API key with which the node registered each token. */
	readonly keyOfToken = new Map<string, string>();

	/** The endpoints that the service says it has disabled. */
	readonly disabled = new Set<string>();

	private readonly addresses: Record<'production' | 'test', string>;

	constructor(
		readonly node: NodeInWorkflow,
		readonly sandbox: Sandbox,
		readonly kind: ServiceKind,
		readonly faults: Faults,
	) {
		this.addresses = { production: node.webhookUrl(), test: node.webhookUrl(true) };
	}

	/** Our endpoints at the production or the test URL, oldest first. */
	ours(test = false): StoredEndpoint[] {
		const address = this.addresses[test ? 'test' : 'production'];
		return this.sandbox.endpoints().filter(({ url }) => url.split('?')[0] === address);
	}

	/** When an endpoint was created (ms since the epoch). */
	createdAt({ id }: StoredEndpoint): number {
		return this.sandbox.detailsOf(id)?.createdAt ?? NaN;
	}

	/** A URL that the node could have registered, but did not. */
	someUrl(): string {
		return `${this.addresses.production}?voice_agent_token=${newToken()}`;
	}

	/** Whether signatures are verified. */
	get isVerifying(): boolean {
		return this.kind.dialect.signature !== undefined;
	}

	/** Whether the present API key made the endpoint's token. */
	hasPresentToken({ url }: StoredEndpoint): boolean {
		return this.keyOfToken.get(tokenOf(url)) === this.node.credential.apiKey;
	}

	/** Whether static data remembers the endpoint, with all that is needed to adopt it unseen. */
	isRemembered({ id, url }: StoredEndpoint, staticData: IDataObject): boolean {
		const stored = JSON.stringify(staticData);
		return stored.includes(id) && isHashIn(stored, tokenOf(url)) && this.hasSecret(id, staticData);
	}

	/** Whether static data has what verifies the endpoint's deliveries, if anything does. */
	hasSecret(id: string, staticData: IDataObject): boolean {
		return !this.isVerifying || JSON.stringify(staticData).includes(this.secretOf(id));
	}

	/** Whether a node with this static data can tell that the endpoint's token is right. */
	knowsToken({ url }: StoredEndpoint, staticData: IDataObject): boolean {
		const token = tokenOf(url);
		const isOwn = this.keyOfToken.get(token) === this.node.credential.apiKey;
		return isOwn || isHashIn(JSON.stringify(staticData), token) || !hidesTokens(this.kind);
	}

	/**
	 * Hands a delivery to a node, as the service would send it to one of our endpoints.
	 *
	 * @param receiver the node in the process that receives it
	 * @param type the event's
	 * @param token another than the endpoint's
	 * @returns the status of the answer, and whether the workflow was started
	 */
	async deliver(
		receiver: NodeInWorkflow<object>,
		{ id, url }: StoredEndpoint,
		type: string,
		{ test = false, token = tokenOf(url), isSigned = this.isVerifying } = {},
	): Promise<{ status: number; isStarted: boolean }> {
		let status = 200;
		const response = {
			status: (code: number) => {
				status = code;
				return response;
			},
			json: () => response,
		};
		const body = { type, data: { call_id: 'C1' } };
		const rawBody = Buffer.from(JSON.stringify(body));
		const now = new Date(Date.now());
		const headers = isSigned && {
			'webhook-id': id,
			'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
			'webhook-signature': new Webhook(this.secretOf(id)).sign(id, now, rawBody),
		};
		const request = {
			headers: { 'content-type': 'application/json', ...headers },
			params: {},
			query: { voice_agent_token: token },
			body,
			rawBody,
		};
		const result = await receiver.receive(
			request as unknown as Request,
			response as unknown as Response,
			test ? 'manual' : 'webhook',
		);
		return { status, isStarted: !!result.workflowData?.[0]?.length };
	}

	private secretOf(id: string): string {
		return this.sandbox.detailsOf(id)!.secret;
	}
}

/** A token that nobody has registered. */
export const newToken = () => randomBytes(32).toString('base64url');

/** The token of a registered URL. */
export const tokenOf = (url: string) => new URL(url).searchParams.get('voice_agent_token') ?? '';

function isHashIn(stored: string, token: string): boolean {
	const hash = createHash('sha256').update(token).digest();
	return (['hex', 'base64', 'base64url'] as const).some((form) =>
		stored.includes(hash.toString(form)),
	);
}
