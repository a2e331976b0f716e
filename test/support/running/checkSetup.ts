import fastify, { type RouteHandlerMethod } from 'fastify';
import type { INodeParameters } from 'n8n-workflow';

import type { checkEndpoint } from '../../../nodes/VoiceAgent/operations/check/checkEndpoint';
import type { Dialect } from '../../../sandbox/dialects';
import { startSandbox, type Sandbox } from '../../../sandbox/service';
import { until } from '../../../sandbox/stack/until';
import { NodeInWorkflow } from '../n8n/core';
import { Receiver } from '../n8n/receiver';

/** An output item of Webhook → Check. */
type CheckItem = ReturnType<typeof checkEndpoint>;

/** The query of a trigger's URL. */
export const TOKEN = `voice_agent_token=${'AbC_'.repeat(11).slice(1)}`;
export const CALL = ['call.completed'];

/** The responses of n8n: normally, while it starts, and if a workflow fails. */
const answers: Record<string, RouteHandlerMethod> = {
	well: () => ({ received: true }),
	starting: async (_request, reply) => await reply.send('n8n is starting up. Please wait'),
	failing: async (_request, reply) => await reply.code(500).send({ message: 'Error in workflow' }),
};

/** Receivers, a service that delivers to them, and the action node. */
class CheckSetup {
	sandbox!: Sandbox;
	/** Receives for published triggers. The service trusts its certificate. */
	receiver!: Receiver;
	/** A receiver with a certificate that the service does not trust. */
	untrusted!: Receiver;
	/** The base of the URLs of {@link answers}, such as `failing/webhook`. */
	busyUrl!: string;

	/** Starts the service of a test. */
	async begin(dialect: Partial<Dialect> = {}, pageSize?: number): Promise<void> {
		const { ca } = this.receiver.certificate;
		this.sandbox = await startSandbox({ dialect, pageSize, retryScale: 0.05, ca });
	}

	/** Runs the operation Check, by default for all webhooks. */
	async check(
		parameters: INodeParameters = {},
		type: 'voiceAgent' | 'voiceAgentTool' = 'voiceAgent',
	): Promise<CheckItem[]> {
		const node = await NodeInWorkflow.create(type, {
			parameters: { resource: 'webhook', operation: 'check', ...parameters },
			credential: this.sandbox.credential,
		});
		node.workflowSettings = { timezone: 'Asia/Tokyo' };
		const items = await node.execute();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map(() => ({ item: 0 })));
		return items.map(({ json }) => json as CheckItem);
	}

	async checkOne(id: string, more: INodeParameters = {}): Promise<CheckItem> {
		const webhookId = { mode: 'id', value: id };
		const [item] = await this.check({ allWebhooks: false, webhookId, ...more });
		return item!;
	}

	/** Publishes a trigger. @returns the ID of its endpoint */
	async publish(): Promise<string> {
		const trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
			parameters: { events: CALL },
			credential: this.sandbox.credential,
			webhookBase: this.receiver.base,
		});
		this.receiver.open(trigger);
		await trigger.publish();
		return this.sandbox.endpoints().at(-1)!.id;
	}

	/** Waits until each endpoint has a completed first attempt. */
	async delivered(ids: string[]): Promise<void> {
		const isOver = (id: string) =>
			this.sandbox
				.deliveriesOf(id)
				.some(({ status, attempt }) => attempt === 1 && status !== 'pending');
		await until('the deliveries', 20, () => ids.every(isOver));
	}
}

/** Starts the receivers of a test file, and stops the service after each test. */
export function useChecks(): CheckSetup {
	const setup = new CheckSetup();
	let stop: () => Promise<unknown>;
	beforeAll(async () => {
		setup.receiver = await Receiver.start();
		setup.untrusted = await Receiver.start();
		const { key, cert } = setup.receiver.certificate;
		const n8n = fastify({ https: { key, cert }, forceCloseConnections: true });
		n8n.addContentTypeParser('*', (_request, _body, done) => done(null));
		for (const [name, answer] of Object.entries(answers)) {
			n8n.post(`/webhook/${name}/webhook`, answer);
		}
		setup.busyUrl = `${await n8n.listen({ host: '127.0.0.1', port: 0 })}/webhook/`;
		stop = async () =>
			await Promise.all([n8n.close(), setup.receiver.stop(), setup.untrusted.stop()]);
	});
	afterAll(async () => await stop());
	afterEach(async () => {
		setup.receiver.close();
		await setup.sandbox.stop();
	});
	return setup;
}
