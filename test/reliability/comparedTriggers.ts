import { createRequire } from 'node:module';
import { join } from 'node:path';
import type {
	ICredentialType,
	IHttpRequestOptions,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { startSandbox } from '../../sandbox/service';
import { installN8n } from '../../sandbox/stack/install-n8n';
import { NodeInWorkflow } from '../support/n8n/core';
import { type NodePackage, nodeTypesOf } from '../support/n8n/nodePackage';
import type { Receiver } from '../support/n8n/receiver';
import { githubParameters, type Service, startGithubHooks } from './githubHooks';

/** A trigger and its service. */
export interface ComparedTrigger {
	node: NodeInWorkflow<object>;
	service: Service;
	/** Two event types. */
	eventTypes: [string, string];
	parametersFor: (eventType: string) => INodeParameters;
}

export async function startVoiceAgentTrigger({
	base,
	certificate,
}: Receiver): Promise<ComparedTrigger> {
	const service = await startSandbox({ ca: certificate.ca, dialect: { retrySchedule: 'eager' } });
	const node = await NodeInWorkflow.create('voiceAgentTrigger', {
		credential: service.credential,
		webhookBase: base,
	});
	return {
		node,
		service,
		eventTypes: ['call.completed', 'call.failed'],
		parametersFor: (eventType) => ({ events: [eventType], options: {} }),
	};
}

/** @param refusesDuplicates whether a second webhook for the same URL is answered 422, as by GitHub */
export async function startGithubTrigger(
	{ base, certificate }: Receiver,
	types: NodePackage,
	refusesDuplicates: boolean,
): Promise<ComparedTrigger> {
	const service = await startGithubHooks(certificate.ca, refusesDuplicates);
	const node = await NodeInWorkflow.create(
		'githubTrigger',
		{ credential: { server: service.url, accessToken: 'any' }, webhookBase: base },
		types,
	);
	return { node, service, eventTypes: ['push', 'issues'], parametersFor: githubParameters };
}

/** Loads the GitHub Trigger and its credential from an installed n8n 2.41. */
export async function loadGithubTrigger(): Promise<NodePackage> {
	const load = createRequire(join(await installN8n('2.41'), 'package.json'));
	const classIn = <Type>(file: string) =>
		Object.values(load(`n8n-nodes-base/dist/${file}`) as Record<string, new () => Type>)[0]!;
	const trigger = new (classIn<INodeType>('nodes/Github/GithubTrigger.node.js'))();
	const credentialType = new (classIn<ICredentialType>('credentials/GithubApi.credentials.js'))();
	// Replaces the declarative form, which needs n8n's expressions.
	credentialType.authenticate = ({ accessToken }, request: IHttpRequestOptions) =>
		Promise.resolve({
			...request,
			headers: { ...request.headers, Authorization: `token ${accessToken as string}` },
		});
	return { nodeTypes: nodeTypesOf(() => trigger), credentialType };
}
