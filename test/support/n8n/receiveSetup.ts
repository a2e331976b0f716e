import { Agent } from 'node:https';

import axios, { type AxiosRequestConfig } from 'axios';
import type { INodeParameters } from 'n8n-workflow';

import type { Dialect } from '../../../sandbox/dialects';
import { startSandbox, type Sandbox } from '../../../sandbox/service';
import { tokenOf } from '../service/callbackTokens';
import { NodeInWorkflow } from './core';
import { Receiver } from './receiver';

/** An event, and the response to a request without a valid callback token. */
export const CALL = { type: 'call.completed', id: 'evt_1', data: { call_id: 'C1' } };
export const REFUSED = { message: 'Not a delivery of the service.' };

/** The public HTTPS server of n8n. */
export let receiver: Receiver;

/** The service and the trigger of a test. */
export let sandbox: Sandbox;
export let trigger: NodeInWorkflow;

let agent: Agent;

/** Starts the receiver of a test file, and stops the sandbox after each test. */
export function useReceiver(): void {
	beforeAll(async () => {
		receiver = await Receiver.start();
		agent = new Agent({ ca: receiver.certificate.ca, keepAlive: true });
	});
	afterAll(async () => {
		agent.destroy();
		await receiver.stop();
	});
	afterEach(async () => await sandbox?.stop());
}

/** Starts the service of a test. */
export async function begin(dialect: Partial<Dialect> = {}): Promise<void> {
	sandbox = await startSandbox({ dialect, ca: receiver.certificate.ca, retryScale: 0.1 });
}

/** Starts the service of a test, and publishes its trigger. */
export async function publish(options: INodeParameters = {}, dialect: Partial<Dialect> = {}) {
	await begin(dialect);
	trigger = await NodeInWorkflow.create('voiceAgentTrigger', {
		parameters: { events: ['call.completed'], output: 'event', options },
		credential: {
			...sandbox.credential,
			// Services with a signing secret for each endpoint need no secret in the credential.
			webhookSigningSecret: /^hmac|^timestamped/.test(dialect.signature ?? '')
				? sandbox.signingSecret
				: '',
		},
		webhookBase: receiver.base,
	});
	await trigger.publish();
	receiver.open(trigger);
}

/** @returns the URL of the trigger's endpoint */
export const registeredUrl = () => sandbox.endpoints()[0]!.url;

export const rightToken = () => tokenOf(registeredUrl());

/** @returns the trigger's webhook URL with other tokens */
export const withToken = (...tokens: string[]) =>
	`${trigger.webhookUrl()}?${tokens.map((token) => `voice_agent_token=${token}`).join('&')}`;

/** Posts a delivery. @returns the response, and the items that started the workflow */
export async function post(
	url: string,
	body: unknown = CALL,
	headers: Record<string, string | false> = {},
) {
	return await send({
		method: 'POST',
		url,
		data: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
		headers: { 'content-type': 'application/json', ...headers },
		transformRequest: [],
	});
}

/** Sends a request. @returns the same as {@link post} */
export async function send(request: AxiosRequestConfig) {
	const before = receiver.received.length;
	const response = await axios.request<unknown>({
		...request,
		httpsAgent: agent,
		validateStatus: () => true,
	});
	const [received] = receiver.received.slice(before);
	return { status: response.status, answer: response.data, items: received?.items };
}
