import { createHmac, randomUUID } from 'node:crypto';
import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import fastify from 'fastify';
import type { FaultChooser, Sandbox } from '../../sandbox/service';
import { recordRequests } from '../../sandbox/service/requests';

/** A service with webhook endpoints: the sandbox, or the stand-in for GitHub. */
export interface Service
	extends Pick<
		Sandbox,
		'endpoints' | 'addEndpoint' | 'removeEndpoint' | 'fault' | 'settled' | 'stop'
	> {
	/** Delivers an event in the background. */
	emit(type: string): unknown;
}

/** The stand-in for GitHub. */
export interface GithubHooks extends Service {
	/** The base URL of the API. */
	readonly url: string;
	/** @returns the signing secret of a webhook */
	secretOf(id: string): string | undefined;
}

/** The fields of a repository webhook that a client can set, and its ID. */
interface Hook {
	id: number;
	name: string;
	active: boolean;
	events: string[];
	config: { url: string; content_type?: string; insecure_ssl?: string; secret?: string };
}

type HookRequest = { Params: { id: string }; Body: Omit<Hook, 'id'> };

// The same as the sandbox's retry schedule `eager`.
const ATTEMPTS = 25;
const RETRY_DELAY_MS = 200;

/**
 * Starts a stand-in for GitHub on 127.0.0.1: one repository's webhooks, as in
 * https://docs.github.com/en/rest/repos/webhooks, and their signed deliveries. Unlike GitHub, the
 * stand-in retries refused deliveries, as the sandbox does.
 *
 * @param ca the certificate authority (PEM) that deliveries trust
 * @param refusesDuplicates whether a second webhook for the same URL is answered 422, as by GitHub
 */
export async function startGithubHooks(
	ca: string,
	refusesDuplicates: boolean,
): Promise<GithubHooks> {
	const hooks = new Map<number, Hook>();
	const pending = new Set<Promise<void>>();
	const stopping = new AbortController();
	const httpsAgent = new Agent({ ca });
	let lastId = 0;

	function add(hook: Omit<Hook, 'id'>): Hook {
		const added = { ...hook, id: ++lastId };
		hooks.set(added.id, added);
		return added;
	}

	async function deliver({ config }: Hook, type: string): Promise<void> {
		const body = JSON.stringify({ action: type, hook: 'delivered' });
		const signature = createHmac('sha256', config.secret ?? '')
			.update(body)
			.digest('hex');
		const headers = {
			'content-type': 'application/json',
			'x-github-event': type,
			'x-github-delivery': randomUUID(),
			'x-hub-signature-256': `sha256=${signature}`,
		};
		const isAccepted = () =>
			axios.post(config.url, body, { headers, httpsAgent, proxy: false }).then(
				() => true,
				() => false,
			);
		for (let attempt = 1; attempt <= ATTEMPTS && !(await isAccepted()); attempt++) {
			await sleep(RETRY_DELAY_MS);
		}
	}

	const app = fastify({ forceCloseConnections: true });
	const chooseFault: FaultChooser = (request) => service.fault?.(request);
	recordRequests(app, [], chooseFault, () => {}, stopping.signal);

	const missing = { message: 'Not Found', status: '404' };
	app.post<HookRequest>('/repos/:owner/:repo/hooks', async ({ body }, reply) => {
		const isDuplicate = [...hooks.values()].some(({ config }) => config.url === body.config.url);
		if (refusesDuplicates && isDuplicate) {
			const message = 'Hook already exists on this repository';
			const errors = [{ resource: 'Hook', code: 'custom', message }];
			return await reply.code(422).send({ message: 'Validation Failed', errors, status: '422' });
		}
		return await reply.code(201).send(withoutSecret(add(body)));
	});
	app.get<HookRequest>('/repos/:owner/:repo/hooks/:id', async ({ params }, reply) => {
		const hook = hooks.get(Number(params.id));
		return hook ? withoutSecret(hook) : await reply.code(404).send(missing);
	});
	app.patch<HookRequest>('/repos/:owner/:repo/hooks/:id', async ({ params, body }, reply) => {
		const hook = hooks.get(Number(params.id));
		return hook ? withoutSecret(Object.assign(hook, body)) : await reply.code(404).send(missing);
	});
	app.delete<HookRequest>('/repos/:owner/:repo/hooks/:id', async ({ params }, reply) => {
		if (!hooks.delete(Number(params.id))) return await reply.code(404).send(missing);
		return await reply.code(204).send();
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });

	const service: GithubHooks = {
		url,
		fault: undefined,
		endpoints: () =>
			[...hooks.values()].map(({ id, config, events }) => ({
				id: String(id),
				url: config.url,
				events,
			})),
		addEndpoint: ({ url, events = ['*'] }) =>
			String(add({ name: 'web', active: true, events, config: { url } }).id),
		secretOf: (id) => hooks.get(Number(id))?.config.secret,
		removeEndpoint: (id) => hooks.delete(Number(id)),
		emit(type) {
			for (const hook of hooks.values()) {
				if (!hook.active || !hook.events.some((event) => event === type || event === '*')) continue;
				const delivery = deliver(hook, type).finally(() => pending.delete(delivery));
				pending.add(delivery);
			}
		},
		async settled() {
			while (pending.size > 0) await Promise.all(pending);
		},
		async stop() {
			stopping.abort();
			await Promise.all([app.close(), service.settled()]);
			httpsAgent.destroy();
		},
	};
	return service;
}

/** @returns a webhook as GitHub's answers show it */
function withoutSecret({ config, ...hook }: Hook): Hook {
	return { ...hook, config: { ...config, ...(config.secret && { secret: '********' }) } };
}
