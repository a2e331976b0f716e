import { strict as assert } from 'node:assert';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/service';
import type { Line } from '../../sandbox/stack/install-n8n';
import { skippedTime, skipTime, type Faults, type PlannedFault } from './lifecycleFaults';
import { NodeInWorkflow } from './n8nCore';
import { N8nLifecycle, type Method } from './n8nLifecycle';

/** What goes wrong during a step. */
export interface Trouble {
	faults: PlannedFault[];
	/** After how many requests n8n is killed. */
	killedAfter?: number;
}

/** Something that happens to a trigger. */
export type Step =
	/** A publish; with the same events also a start of 2.41, which calls nothing more than that. */
	| ({ do: 'publish'; events: string[] | 'same' } & Trouble)
	| ({ do: 'unpublish' | 'start 1.x' | 'toggle listener' } & Trouble)
	| { do: 'lose static data'; all: boolean }
	| { do: 'remove by hand' | 'receive' }
	| { do: 'duplicate by hand'; token: 'same' | 'other' }
	| { do: 'add foreign'; beside: keyof typeof neighbours };

/** Endpoints of others, in everything but one thing like that of a trigger. */
export const neighbours = {
	host: (url: string) => url.replace('n8n.', 'other.'),
	port: (url: string) => url.replace('.com/', '.com:8443/'),
	workflow: (url: string) => url.replace(/[\da-f-]{36}/, randomUUID()),
	prefix: (url: string) => url.replace('/webhook?', '?'),
	suffix: (url: string) => url.replace('?', '2?'),
	below: (url: string) => url.replace('?', '/more?'),
	case: (url: string) => url.replace('/webhook/', '/Webhook/'),
} satisfies Record<string, (url: string) => string>;

const newToken = () => randomBytes(32).toString('base64url');
const tokenOf = (url: string) => new URL(url).searchParams.get('voice_agent_token');

/**
 * A trigger in an n8n at a service, and what must be true of them after each step. How many
 * endpoints there have to be, follows from how n8n's last call ended alone: one after a `checkExists`
 * that was true and after a `create`, none after a `delete`, and after a throw nobody knows.
 */
export class LifecycleWorld {
	private readonly lifecycle: N8nLifecycle;

	/** How many endpoints of ours there have to be, at the production and the test URL. */
	private readonly expected = new Map<boolean, number>();

	private readonly foreign: ReturnType<Sandbox['endpoints']> = [];

	/** What was broken during a step, where n8n would have caught the error. */
	private broken: string[] = [];

	private events = ['call.completed'];

	private readonly url: string;

	private readonly testUrl: string;

	private constructor(
		private readonly node: NodeInWorkflow,
		private readonly sandbox: Sandbox,
		private readonly faults: Faults,
		private readonly line: Line,
	) {
		this.url = node.webhookUrl();
		this.testUrl = node.webhookUrl(true);
		this.lifecycle = new N8nLifecycle(node, async (method, test) => await this.call(method, test));
	}

	static async create(sandbox: Sandbox, faults: Faults, line: Line): Promise<LifecycleWorld> {
		const node = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: parametersFor(['call.completed']),
			credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey },
		});
		return new LifecycleWorld(node, sandbox, faults, line);
	}

	/**
	 * Takes a step, then checks what must be true.
	 *
	 * @throws AssertionError that says what was promised
	 */
	async take(step: Step): Promise<void> {
		const adoptable = this.adoptable(step);
		const { faults = [], killedAfter } = step as Partial<Trouble>;
		const killed = this.faults.plan(faults, killedAfter).then(() => true);
		const isKilled = await Promise.race([killed, this.do(step).then(() => false)]);
		const isWell = !isKilled && this.faults.struck.length === 0;
		void this.faults.plan([]);
		if (isKilled) {
			this.lifecycle.listener = undefined;
			this.expected.delete(true);
		}
		assert.deepEqual(this.broken, []);
		if (adoptable && isWell) {
			assert.equal(this.ours()[0]?.id, adoptable, 'an endpoint that fits is adopted');
		}
		await this.check();
	}

	/** Ends everything on a service that is well, and checks that every kind of trace goes. */
	async end(): Promise<void> {
		if (this.lifecycle.listener) await this.take({ do: 'toggle listener', faults: [] });
		await this.take({ do: 'unpublish', faults: [] });
		await this.take({ do: 'publish', events: 'same', faults: [] });
		await this.take({ do: 'unpublish', faults: [] });
		if (this.ours(true).length > 0) {
			await this.take({ do: 'toggle listener', faults: [] });
			await this.take({ do: 'toggle listener', faults: [] });
		}
		assert.deepEqual(this.sandbox.endpoints(), this.foreign, 'no endpoint of ours is left');
	}

	/** Empties the service for the next world. */
	clear(): void {
		for (const { id } of this.sandbox.endpoints()) this.sandbox.removeEndpoint(id);
	}

	private async do(step: Step): Promise<void> {
		const { lifecycle, sandbox } = this;
		switch (step.do) {
			case 'publish': {
				if (step.events !== 'same') this.events = step.events;
				else if (lifecycle.published) this.events = lifecycle.published.events as string[];
				const parameters = parametersFor(this.events);
				return await onlyAfterFaults(
					this.line === '2.41' ? lifecycle.publish(parameters) : lifecycle.publishAs1x(parameters),
				);
			}
			case 'unpublish':
				return await (this.line === '2.41' ? lifecycle.unpublish() : lifecycle.unpublishAs1x());
			case 'start 1.x':
				return await onlyAfterFaults(lifecycle.startAs1x());
			case 'toggle listener':
				return await onlyAfterFaults(lifecycle.toggleListener());
			case 'lose static data':
				return lifecycle.loseStaticData(step.all);
			case 'remove by hand': {
				const [oldest] = this.ours();
				if (!oldest) return;
				sandbox.removeEndpoint(oldest.id);
				this.expected.delete(false);
				return;
			}
			case 'duplicate by hand': {
				const { url, events } = this.ours().at(-1) ?? { url: this.someUrl(), events: undefined };
				sandbox.addEndpoint({ url: step.token === 'same' ? url : this.someUrl(), events });
				this.expected.delete(false);
				return;
			}
			case 'add foreign': {
				const id = sandbox.addEndpoint({ url: neighbours[step.beside](this.someUrl()) });
				this.foreign.push(...sandbox.endpoints().filter((endpoint) => endpoint.id === id));
				return;
			}
			case 'receive': {
				lifecycle.load();
				if (this.isReachable()) await this.receive(tokenOf(this.ours()[0]!.url)!);
				lifecycle.save();
				return;
			}
		}

		/** n8n shows a failure to the user; that no call failed without a fault is seen in `call`. */
		async function onlyAfterFaults(attempt: Promise<void>): Promise<void> {
			await attempt.catch(() => {});
		}
	}

	/** Calls a method for n8n, and watches it. */
	private async call(method: Method, test: boolean): Promise<boolean> {
		const { faults } = this;
		const before = this.ours(test);
		const from = skippedTime();
		const strikes = faults.struck.length;
		const struck = () => faults.struck.slice(strikes);
		this.expected.delete(test);
		const unwatch = method === 'create' && before.length > 0 && this.watchForGap(test);
		try {
			const result = await this.node.call(method, test);
			const count = countAfter(method, result);
			if (count !== undefined && !hasLied(struck())) this.expected.set(test, count);
			return result;
		} catch (error) {
			this.promise(
				struck().length > 0,
				`${method} succeeds at a service that is well: ${String(error)}`,
			);
			throw error;
		} finally {
			if (unwatch) unwatch();
			if (method === 'checkExists') {
				this.promise(
					JSON.stringify(this.ours(test)) === JSON.stringify(before),
					'checkExists changes nothing at the service',
				);
			}
			this.promise(skippedTime() - from <= 10_000, `${method} keeps within ten seconds`);
		}
	}

	/** Looks at each request of a `create` whether one of ours is there: new first, old after. */
	private watchForGap(test: boolean): () => void {
		const look = () =>
			this.promise(this.ours(test).length > 0, 'create removes no endpoint before it has another');
		this.faults.watcher = look;
		return () => {
			look();
			this.faults.watcher = undefined;
		};
	}

	private async check(): Promise<void> {
		const { lifecycle, sandbox } = this;
		const own = [...this.ours(), ...this.ours(true)].map(({ id }) => id);
		const foreign = sandbox.endpoints().filter(({ id }) => !own.includes(id));
		assert.deepEqual(foreign, this.foreign, 'endpoints of others are not touched');

		const { published, listener } = lifecycle;
		const ours = this.ours();
		if (this.expected.has(false)) {
			assert.equal(ours.length, this.expected.get(false), 'exactly one endpoint, or none');
		}
		if (this.isReachable()) {
			const events = published?.events as string[];
			assert.deepEqual(ours[0]!.events, events.length > 0 ? events : undefined, 'chosen events');
			// What n8n holds in memory: a delivery must not change what the next step begins with.
			lifecycle.load();
			if (this.knowsToken()) {
				const token = tokenOf(ours[0]!.url)!;
				assert.equal(await this.receive(token), 200, 'the token of the endpoint is accepted');
				assert.equal(await this.receive(newToken()), 401, 'another token is not');
			}
		}
		if (this.expected.has(true)) {
			assert.equal(this.ours(true).length, listener ? 1 : 0, 'one endpoint for an open listener');
		}
	}

	/** The endpoint that a step has to adopt, if nothing goes wrong meanwhile. */
	private adoptable(step: Step): string | undefined {
		const isKept = this.line === '2.41' && step.do === 'publish' && step.events === 'same';
		const isAsking = step.do === 'start 1.x' || isKept;
		this.lifecycle.load();
		return isAsking && this.isReachable() && this.knowsToken() ? this.ours()[0]?.id : undefined;
	}

	/** Whether the trigger is published and has its one endpoint, as far as n8n can know. */
	private isReachable(): boolean {
		const { published, hasRoute } = this.lifecycle;
		return !!published && hasRoute && this.expected.get(false) === 1;
	}

	/** Whether the node can know the token: from the list, or because it remembers this endpoint. */
	private knowsToken(): boolean {
		const { listedUrl } = this.sandbox.dialect;
		const isListed = listedUrl === 'asSent' || listedUrl === 'normalised';
		return isListed || this.node.staticData.endpointId === this.ours()[0]?.id;
	}

	/** Hands a delivery to the node, and gives the status of the answer. */
	private async receive(token: string): Promise<number> {
		let status = 200;
		const response = {
			status: (code: number) => {
				status = code;
				return response;
			},
			json: () => response,
		};
		const request = {
			headers: {},
			params: {},
			query: { voice_agent_token: token },
			body: { type: this.lifecycle.published?.events?.[0 as never] ?? 'chat.completed' },
		};
		// The node asks for no more than one page of the list a second.
		skipTime(10_000);
		const result = await this.node.receive(
			request as unknown as Request,
			response as unknown as Response,
		);
		return result.workflowData?.[0]?.length || result.noWebhookResponse ? status : 0;
	}

	private promise(isKept: boolean, promised: string): void {
		if (!isKept) this.broken.push(promised);
	}

	private ours(test = false) {
		const address = test ? this.testUrl : this.url;
		return this.sandbox.endpoints().filter(({ url }) => url.split('?')[0] === address);
	}

	private someUrl(): string {
		return `${this.url}?voice_agent_token=${newToken()}`;
	}
}

/** Asks for no sample, which would come while the next step is under way. */
function parametersFor(events: string[]): INodeParameters {
	return { events, options: { testEvent: 'real' } };
}

function countAfter(method: Method, result: boolean): number | undefined {
	if (method === 'delete') return 0;
	return method === 'create' || result ? 1 : undefined;
}

/** Whether the service said, as often as the node asks again, that what it kept was removed or not there. */
function hasLied(struck: Faults['struck']): boolean {
	const lies = struck.filter(
		({ call, fault }) => call === 'delete' && (fault === '404' || fault === 'empty'),
	);
	return lies.length > 2;
}
