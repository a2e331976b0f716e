import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Fault, type Sandbox } from '../../../sandbox/service';
import { NodeInWorkflow, type CredentialData } from '../n8n/core';

/** The sandbox of a test. */
export let sandbox: Sandbox;

export const UNKNOWN_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
export const LIST_WEBHOOKS = { resource: 'webhook', operation: 'getAll', returnAll: true };
export const byId = (value: unknown) => ({ mode: 'id', value }) as INodeParameters;

/** A value for each field that an operation needs. */
export const FIELDS: INodeParameters = {
	apiKeyId: byId(UNKNOWN_ID),
	webhookId: byId(UNKNOWN_ID),
	name: 'New',
	scopes: [],
	url: 'https://n8n.example.com/',
	events: ['call.completed'],
	allWebhooks: true,
	returnAll: true,
	output: 'deliveries',
	options: {},
};

/** The servers that {@link serve} and {@link listen} have started. */
const servers: Server[] = [];

/** Starts a sandbox for each test of a file, and stops all servers after the test. */
export function useFailures(): void {
	beforeEach(async () => {
		sandbox = await startSandbox();
	});
	afterEach(async () => {
		await sandbox.stop();
		for (const server of servers.splice(0)) {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		}
	});
}

interface Options {
	items?: IDataObject[];
	/** Fields of the credential in place of the valid ones. */
	given?: Partial<CredentialData>;
	settings?: Partial<INode>;
	type?: NodeInWorkflow['type'];
}

/** Runs the action node, by default on one item. */
export async function run(
	parameters: INodeParameters,
	{ items, given, settings = {}, type = 'voiceAgent' }: Options = {},
) {
	const node = await NodeInWorkflow.create(type, {
		parameters,
		credential: { ...sandbox.credential, ...given },
	});
	node.settings = settings;
	return await node.execute(items);
}

/** A refusal of the service. */
export const status = (code: number, retryAfter?: string): Fault => ({
	kind: 'status',
	status: code,
	headers: retryAfter ? { 'retry-after': retryAfter } : {},
	body: { error: { message: 'Reason of the service' } },
});

/** The beginning of the error of a POST that may have had an effect. */
export const MAY_BE_DONE = 'may have carried out the request';

/** Runs an item that has to fail. @returns the error message */
export async function failureOf(
	parameters: INodeParameters,
	options: Options = {},
): Promise<string> {
	const error = await run(parameters, { items: [{ none: null, list: ['a'] }], ...options }).then(
		(output) => {
			throw new Error(`No error, but the output ${JSON.stringify(output)}`);
		},
		(thrown: Error) => thrown,
	);
	const whole = [error.message, error.stack, JSON.stringify(error)].join('\n');
	expect(whole).not.toContain(options.given?.apiKey?.trim() || sandbox.adminKey);
	return error.message;
}

/** Starts an HTTP server. @returns the base URL of an API there */
export async function serve(listener: RequestListener): Promise<string> {
	return await listen(createHttpServer(listener), 'http');
}

/** Starts a server. @returns the base URL of an API there */
export async function listen(server: Server, scheme: string): Promise<string> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
