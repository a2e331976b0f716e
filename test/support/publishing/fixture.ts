import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/service';
import { envelope } from '../../../sandbox/service/envelopes';
import { createEvent } from '../../../sandbox/service/events';
import { signatureHeaders } from '../../../sandbox/service/signatures';
import { newToken, tokenOf } from '../service/callbackTokens';
import type { FaultInjector } from './faults';
import { hidesSecrets, isSigning, type ServiceKind } from './services';
import type { NodeInWorkflow } from '../n8n/core';
import type { Receiver } from '../n8n/receiver';
import { receiveRequest } from '../n8n/request';

/** An endpoint as the service stores it. */
export type StoredEndpoint = ReturnType<Sandbox['endpoints']>[number];

/** A trigger, its service, and the state that the service stores. */
export class LifecycleFixture {
	/** Endpoints that this trigger did not register. */
	readonly foreign: StoredEndpoint[] = [];
	/** The API key that was used to register each token. */
	readonly keyOfToken = new Map<string, string>();
	/** The IDs of the endpoints that the list shows as disabled. */
	readonly disabledIds = new Set<string>();
	private readonly addresses: Record<'production' | 'test', string>;

	private calls = 0;

	constructor(
		readonly node: NodeInWorkflow,
		readonly sandbox: Sandbox,
		readonly kind: ServiceKind,
		readonly faults: FaultInjector,
		/** Receives the challenges of services. */
		readonly receiver: Receiver,
	) {
		this.addresses = { production: node.webhookUrl(), test: node.webhookUrl(true) };
	}

	/** The trigger's endpoints at the production or the test URL, oldest first. */
	ownEndpoints(test = false): StoredEndpoint[] {
		const address = this.addresses[test ? 'test' : 'production'];
		return this.sandbox.endpoints().filter(({ url }) => url.split('?')[0] === address);
	}

	/** The time of an endpoint's creation (ms since the epoch). */
	createdAt({ id }: StoredEndpoint): number {
		return this.sandbox.detailsOf(id)?.createdAt ?? NaN;
	}

	/** A URL with a new token, in the form that the node registers. */
	unregisteredUrl(): string {
		return `${this.addresses.production}?voice_agent_token=${newToken()}`;
	}

	/** Whether the token was made with the current API key. */
	hasCurrentToken({ url }: StoredEndpoint): boolean {
		return this.keyOfToken.get(tokenOf(url)) === this.node.credential.apiKey;
	}

	/** Whether static data holds everything that adopting the endpoint requires. */
	isStored({ id, url }: StoredEndpoint, staticData: IDataObject): boolean {
		const stored = JSON.stringify(staticData);
		return stored.includes(id) && isHashIn(stored, tokenOf(url)) && this.hasSecret(id, staticData);
	}

	/** Whether static data holds the endpoint's signing secret, or the endpoint has none. */
	hasSecret(id: string, staticData: IDataObject): boolean {
		const { secret } = this.sandbox.detailsOf(id)!;
		return !hidesSecrets(this.kind) || JSON.stringify(staticData).includes(secret);
	}

	/** Whether the endpoint's token proves itself, or a node with this static data has its hash. */
	canAdopt(endpoint: StoredEndpoint, staticData: IDataObject): boolean {
		const isStored = isHashIn(JSON.stringify(staticData), tokenOf(endpoint.url));
		return isStored || this.hasCurrentToken(endpoint);
	}

	/**
	 * Calls a node's webhook method with a delivery to an own endpoint.
	 *
	 * @param receiver the node in the process that receives the delivery
	 * @param type the event type
	 * @param more.token replaces the endpoint's token
	 * @param more.body replaces a new event of another call
	 * @returns the status of the response, and whether the workflow started
	 */
	async deliver(
		receiver: NodeInWorkflow<object>,
		{ id, url }: StoredEndpoint,
		type: string,
		{
			test = false,
			token = tokenOf(url),
			isSigned = isSigning(this.kind),
			body = undefined as IDataObject | undefined,
		} = {},
	): Promise<{ status: number; isStarted: boolean }> {
		const { dialect, signingSecret } = this.sandbox;
		const call = `C${++this.calls}`;
		const event = envelope(createEvent(type, { call_id: call }), dialect);
		const text = JSON.stringify(body ?? event.body);
		const secrets = { endpoint: this.sandbox.detailsOf(id)!.secret, workspace: signingSecret };
		const signature = isSigned ? signatureHeaders(dialect.signature, id, text, secrets) : {};
		const sent = { token, headers: { ...event.headers, ...signature }, text };
		const answer = await receiveRequest(receiver, sent, test ? 'manual' : 'webhook');
		const { status, isStarted, items } = answer;
		const isWhole = items.length === 1 && JSON.stringify(items).includes(call);
		assert.ok(isWhole || body || !isStarted, 'a delivery starts the workflow once, with its event');
		return { status, isStarted };
	}
}

function isHashIn(stored: string, token: string): boolean {
	const hash = createHash('sha256').update(token).digest();
	return (['hex', 'base64', 'base64url'] as const).some((form) =>
		stored.includes(hash.toString(form)),
	);
}
