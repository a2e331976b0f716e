import axios, { type AxiosResponse } from 'axios';
import { Agent } from 'node:https';
import type { IDataObject, INode } from 'n8n-workflow';
import { type Dialect, namedDialects } from '../../sandbox/dialects';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/service';
import type { Execution, WorkflowJson } from '../../sandbox/stack/n8n-api';
import { type Stack, startStack } from '../../sandbox/stack/stack';

export type DialectName = keyof typeof namedDialects;
export type AuthHeader = 'authorization' | 'x-api-key';

/** A credential in n8n, as nodes refer to it. */
export type Credential = { id: string; name: string };

/** A sandbox, and n8n's credentials for it, one for each way to send the key. */
export interface Service {
	sandbox: Sandbox;
	dialect: Dialect;
	credentials: Record<AuthHeader, Credential>;
}

/** One n8n with the connector, and a sandbox for each named dialect. */
export interface World extends Stack {
	services: Record<DialectName, Service>;
}

export const nodeTypes = {
	action: 'n8n-nodes-voice-agent.voiceAgent',
	trigger: 'n8n-nodes-voice-agent.voiceAgentTrigger',
};

export async function startWorld(): Promise<World> {
	const stack = await startStack();
	const services: Partial<World['services']> = {};
	for (const [name, dialect] of Object.entries(namedDialects)) {
		services[name as DialectName] = await startService(stack, dialect);
	}
	return {
		...stack,
		services: services as World['services'],
		async stop() {
			for (const { sandbox } of Object.values(services)) await sandbox.stop();
			await stack.stop();
		},
	};
}

/** Starts a sandbox that can deliver to the stack's n8n, and makes credentials for it. */
export async function startService(
	{ n8n, certificate }: Stack,
	dialect: Dialect,
	options?: SandboxOptions,
): Promise<Service> {
	const sandbox = await startSandbox({ dialect, ca: certificate.ca, ...options });
	const create = async (authHeader: AuthHeader): Promise<Credential> => {
		const name = `${sandbox.baseUrl} by ${authHeader}`;
		const data = { baseUrl: sandbox.baseUrl, apiKey: sandbox.adminKey, authHeader };
		return { id: await n8n.api.createCredential(name, 'voiceAgentApi', data), name };
	};
	return {
		sandbox,
		dialect,
		credentials: {
			authorization: await create('authorization'),
			'x-api-key': await create('x-api-key'),
		},
	};
}

/** Posts to n8n through the proxy, as anybody can. */
export async function post(
	{ certificate }: Stack,
	url: string,
	body: object,
	headers: Record<string, string> = {},
): Promise<AxiosResponse> {
	const httpsAgent = new Agent({ ca: certificate.ca });
	return await axios.post(url, body, { headers, httpsAgent, validateStatus: () => true });
}

/** Gets from n8n through the proxy, as anybody can. */
export async function get({ certificate }: Stack, url: string): Promise<AxiosResponse> {
	const httpsAgent = new Agent({ ca: certificate.ca });
	return await axios.get(url, { httpsAgent, validateStatus: () => true });
}

/** What a step of {@link runActions} does: the parameters of the action node, by the node's name. */
export type Actions = Record<string, IDataObject>;

/**
 * Runs action nodes one after the other, each once, in a workflow of their own started by hand.
 *
 * @returns the finished execution
 */
export async function runActions(
	{ n8n }: Stack,
	credential: Credential,
	actions: Actions,
): Promise<Execution> {
	const names = ['Start', ...Object.keys(actions)];
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const nodes = Object.entries(actions).map(
		([name, parameters], index): INode => ({
			id: `action${index}`,
			name,
			type: nodeTypes.action,
			typeVersion: 1,
			position: [200 * (index + 1), 0],
			parameters: parameters as INode['parameters'],
			credentials: { voiceAgentApi: credential },
			executeOnce: true,
		}),
	);
	const connections: WorkflowJson['connections'] = {};
	for (const [index, name] of names.slice(0, -1).entries()) {
		const next = names[index + 1] as string;
		connections[name] = { main: [[{ node: next, type: 'main', index: 0 }]] };
	}
	const workflow = { name: 'Actions', nodes: [start, ...nodes], connections };
	const { id } = await n8n.api.createWorkflow(workflow);
	const executionId = await n8n.api.run(id, 'Start');
	return await n8n.api.finishedExecution(executionId as string);
}
