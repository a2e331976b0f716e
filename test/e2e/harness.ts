import axios, { type AxiosResponse } from 'axios';
import { Agent } from 'node:https';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Dialect } from '../../sandbox/dialects';
import { type Sandbox, startSandbox } from '../../sandbox/service';
import { pasteWebhook } from '../../sandbox/stack/example';
import type { Execution, N8nApi, WorkflowJson } from '../../sandbox/stack/n8n-api';
import { type Stack, startStack } from '../../sandbox/stack/stack';
import { until } from '../../sandbox/stack/until';
import { chain, nodeOf } from '../support/n8n/triggerNode';
import { setUpExample } from '../support/others/accounts';
import { type Routes, type StandIn, startStandIn } from '../support/others/standIn';

/** The reference of nodes to n8n's credential for a service. */
export type Credentials = Record<'voiceAgentApi', { id: string; name: string }>;

export const nodeTypes = {
	action: 'n8n-nodes-voice-agent.voiceAgent',
	trigger: 'n8n-nodes-voice-agent.voiceAgentTrigger',
};

const minute = 60_000;

/** The stand-ins of all suites: routes by host. */
const hosts: Record<string, Routes> = {};
/** The n8n of all suites, and its stand-ins. */
export let stack: Stack;
export let standIn: StandIn;
/** The service of the present suite, or of its present test. */
export let service: { sandbox: Sandbox; credentials: Credentials };

/** The services of all suites so far. */
export const sandboxes: Sandbox[] = [];

/**
 * Starts one n8n with the connector for all suites of a test file, and stops it after the last.
 *
 * @param env further environment variables of n8n
 */
export function shareN8n(env: NodeJS.ProcessEnv = {}): void {
	jest.setTimeout(2 * minute);
	beforeAll(async () => {
		standIn = await startStandIn(hosts);
		stack = await startStack({
			...standIn,
			env: { ...standIn.env, N8N_LOG_LEVEL: 'debug', ...env },
		});
	}, 15 * minute);
	afterAll(async () => {
		await stack?.stop();
		await standIn?.stop();
	}, minute);
}

/** Starts a service that can deliver to the shared n8n for a suite, or for each of its tests, and stops it. */
export function useService(dialect?: Partial<Dialect>, isForEach = false): void {
	const [begin, end] = isForEach ? [beforeEach, afterEach] : [beforeAll, afterAll];
	begin(async () => {
		const sandbox = await startSandbox({ dialect, ca: stack.certificate.ca });
		sandboxes.push(sandbox);
		const credentials = await stack.n8n.api.newCredentials('voiceAgentApi', sandbox.credential);
		service = { sandbox, credentials };
	});
	end(async () => await service?.sandbox.stop());
}

/** Adds stand-ins for hosts. A suite has to call it while the suite is loaded, before n8n starts. */
export function addStandIns(routes: Record<string, Routes>): void {
	for (const [host, more] of Object.entries(routes)) hosts[host] = { ...hosts[host], ...more };
}

/** Sends a request to n8n through the proxy, a POST request if there is a body. */
export async function request(
	{ certificate }: Stack,
	url: string,
	body?: object,
	headers: Record<string, string> = {},
): Promise<AxiosResponse> {
	return await axios.request({
		...{ url, method: body ? 'POST' : 'GET', data: body, headers },
		httpsAgent: new Agent({ ca: certificate.ca }),
		validateStatus: () => true,
	});
}

/** Imports an example with the choices of a person, for the present service. @returns the workflow's id */
export async function setUp(name: string, change?: (workflow: WorkflowJson) => WorkflowJson) {
	const { id } = service.credentials.voiceAgentApi;
	return await setUpExample(stack.n8n.api, name, id, change);
}

/** Publishes a workflow. @returns how to deliver to its trigger, and how to end */
export async function publishWorkflow(workflowId: string) {
	const { api } = stack.n8n;
	await api.publish(workflowId);
	let url = service.sandbox.endpoints().at(-1)?.url ?? '';
	return {
		/** Publishes it again with a pasted webhook in place of the created one. */
		paste: async () => {
			const created = url;
			url = await pasteWebhook(stack, workflowId);
			expect(service.sandbox.endpoints().map((endpoint) => endpoint.url)).not.toContain(created);
		},
		/** @returns the status of the answer */
		deliver: async (body: object, headers?: Record<string, string>) =>
			(await request(stack, url, body, headers)).status,
		unpublish: async () => await api.unpublish(workflowId),
	};
}

/**
 * Waits until a workflow has so many executions, and all have succeeded. n8n stores executions in the
 * order of their starts, so an execution of an earlier request is among them.
 */
export async function successes({ n8n }: Pick<Stack, 'n8n'>, workflowId: string, count = 1) {
	const found = await until('the executions', 60, async () => {
		const executions = await n8n.api.executions(workflowId);
		const isSuccess = executions.every(({ status }) => status === 'success');
		return executions.length >= count && isSuccess && executions;
	});
	expect(found).toHaveLength(count);
	return await Promise.all(found.map(({ id }) => n8n.api.execution(id)));
}

/**
 * Runs a workflow of action nodes in sequence, each once.
 *
 * @param actions the parameters of the nodes by their names
 * @returns the finished execution
 */
export async function runActions(
	api: N8nApi,
	credentials: Credentials,
	actions: Record<string, IDataObject>,
): Promise<Execution> {
	const names = ['Start', ...Object.keys(actions)];
	const nodes = Object.entries(actions).map(([name, parameters]) =>
		nodeOf(name, nodeTypes.action, {
			parameters: parameters as INode['parameters'],
			credentials,
			executeOnce: true,
		}),
	);
	const start = nodeOf('Start', 'n8n-nodes-base.manualTrigger');
	const workflow = { name: 'Actions', nodes: [start, ...nodes], connections: chain(...names) };
	const { id } = await api.createWorkflow(workflow);
	return await api.runToEnd(id, 'Start');
}
