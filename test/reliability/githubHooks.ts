import { createHmac, randomUUID } from 'node:crypto';
import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import fastify from 'fastify';
import type { Sandbox } from '../../sandbox/service';
import { recordRequests } from '../../sandbox/service/requests';
import { isFulfilled } from '../../sandbox/stack/until';

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

/** The fields of a repository webhook that the stand-in reads. */
interface Hook {
	events: string[];
	config: { url: string; secret?: string };
}

type HookRequest = { Params: { id: string }; Body: Hook };

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
export async function startGithubHooks(ca: string, refusesDuplicates: boolean) {
	const hooks = new Map<string, Hook>();
	const pending = new Set<Promise<void>>();
	const stopping = new AbortController();
	const httpsAgent = new Agent({ ca });
	let lastId = 0;

	function add(hook: Hook): string {
		const id = String(++lastId);
		hooks.set(id, hook);
		return id;
	}
	const app = fastify({ forceCloseConnections: true });
	recordRequests(
		app,
		[],
		(request) => service.fault?.(request),
		() => {},
		stopping.signal,
	);
	app.post<HookRequest>('/repos/:owner/:repo/hooks', async ({ body }, reply) => {
		const isDuplicate = [...hooks.values()].some(({ config }) => config.url === body.config.url);
		if (refusesDuplicates && isDuplicate) {
			const errors = [{ code: 'custom', message: 'Hook already exists on this repository' }];
			return await reply.code(422).send({ message: 'Validation Failed', errors });
		}
		return await reply.code(201).send({ ...body, id: Number(add(body)) });
	});
	app.route<HookRequest>({
		method: ['GET', 'PATCH', 'DELETE'],
		url: '/repos/:owner/:repo/hooks/:id',
		async handler({ method, params: { id }, body }, reply) {
			const hook = hooks.get(id);
			if (!hook) return await reply.code(404).send({ message: 'Not Found' });
			if (method === 'DELETE') hooks.delete(id);
			return { id: Number(id), ...Object.assign(hook, body) };
		},
	});
	const url = await app.listen({ host: '127.0.0.1', port: 0 });

	const service: GithubHooks = {
		url,
		fault: undefined,
		endpoints: () =>
			[...hooks].map(([id, { config, events }]) => ({ id, url: config.url, events })),
		addEndpoint: ({ url, events = ['*'] }) => add({ events, config: { url } }),
		secretOf: (id) => hooks.get(id)?.config.secret,
		removeEndpoint: (id) => hooks.delete(id),
		emit(type) {
			for (const hook of hooks.values()) {
				if (!hook.events.includes(type)) continue;
				const delivery = deliver(hook, type, httpsAgent).finally(() => pending.delete(delivery));
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

/** @returns the headers of GitHub with the type and the signature of a delivery */
export function signedAsByGithub(type: string, secret = '', body: string) {
	const signature = createHmac('sha256', secret).update(body).digest('hex');
	return { 'x-github-event': type, 'x-hub-signature-256': `sha256=${signature}` };
}

/** @returns the parameters of n8n's GitHub Trigger for an event type of the stand-in's repository */
export function githubParameters(eventType: string) {
	const byName = (value: string) => ({ __rl: true, mode: 'name', value });
	const repository = { owner: byName('owner'), repository: byName('repository') };
	return { ...repository, events: [eventType], options: {} };
}

/** Delivers an event until it is accepted. */
async function deliver({ config }: Hook, type: string, httpsAgent: Agent): Promise<void> {
	const body = JSON.stringify({ action: type, hook: 'delivered' });
	const headers = {
		'content-type': 'application/json',
		'x-github-delivery': randomUUID(),
		...signedAsByGithub(type, config.secret, body),
	};
	const send = () => axios.post(config.url, body, { headers, httpsAgent, proxy: false });
	for (let attempt = 1; attempt <= ATTEMPTS && !(await isFulfilled(send())); attempt++) {
		await sleep(RETRY_DELAY_MS);
	}
}
